/** `waymark serve`, in the program's thread: loads the program, then answers requests as they come. */
import { basename, dirname, join, resolve } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { readParams } from '../../io/params-file.ts';
import { report } from '../../program/report.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { ParameterTable } from '../../runtime/parameters.ts';
import { Paint } from '../colour.ts';
import { CommandRun } from '../command-run.ts';
import type { ServeJob } from '../jobs.ts';
import { outcomeOf } from '../outcome.ts';
import { STDERR } from '../streams.ts';
import type { InferRequest, ServeMessage } from './protocol.ts';
import { type ServedProgram, Service } from './service.ts';

const tell = (message: ServeMessage): void => parentPort?.postMessage(message);

/**
 * A program around the one that is served: inferences are written in it, so that the compiler makes all texts that they need, and knows what the
 * model does.
 */
const around = (file: string): string => `
  import program from ${JSON.stringify(`./${basename(file)}`)};
  import { Amortize, Infer, posteriors } from 'waymark';
  export default {
    program,
    load: (file, model, embed) => Amortize.load(file, model, embed),
    byDatum: (model, options) => posteriors(model, options),
    one: (model, datum, {samples, method}) =>
      method === 'SMC' ? Infer({method: 'SMC', particles: samples, importance: 'autoGuide', model: () => model(datum)})
        : method === 'forward' ? Infer({method: 'forward', guide: true, samples, model: () => model(datum)})
        : Infer({method: 'importance', guide: true, samples, model: () => model(datum)}),
  };`;

export async function serve(job: ServeJob): Promise<void> {
  try {
    const service = await serviceOf(job);
    parentPort?.on('message', (requests: readonly InferRequest[]) => tell({ answers: service.answers(requests) }));
    tell({ ready: service.ready });
  } catch (error) {
    if (!(error instanceof WaymarkError)) throw error;
    tell({ failed: error.message });
  }
}

async function serviceOf({ file, params, engine, quiet, args, ...settings }: ServeJob): Promise<Service> {
  const paint = new Paint(STDERR);
  const audience = {
    print: (text: string) => void process.stderr.write(`${text}\n`),
    warn: quiet ? undefined : (message: string) => void process.stderr.write(`${paint.advice(message)}\n`),
    keepsOutputs: false,
  };
  const folder = dirname(resolve(file));
  const run = new CommandRun(settings.seed, folder, args, engine, audience, tableIn(params));
  const source = { code: around(file), file: join(folder, 'served.ts'), language: 'ts' as const };
  const outcome = await outcomeOf(source, run);
  if ('error' in outcome) throw new WaymarkError(report(outcome.error));
  return new Service(outcome.value as ServedProgram, settings);
}

function tableIn(name: string | undefined): ParameterTable {
  if (name === undefined) return new ParameterTable();
  const found = readParams({ caller: '--params', name, place: resolve(name) });
  if (found === undefined) throw new WaymarkError(`--params: there is no file '${name}' (${resolve(name)}).`);
  return ParameterTable.from(found);
}
