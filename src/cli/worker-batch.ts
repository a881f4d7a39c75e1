/** `waymark batch`, in the program's thread. */
import { nodeThreads } from '../host/node-threads.ts';
import { CommandRun } from './command-run.ts';
import { failure } from './failure.ts';
import { type BatchJob, type BatchMessage, type BatchProgram, type BatchRequest, READY } from './jobs.ts';
import { outcomeOf } from './outcome.ts';
import { resultOf } from './result.ts';
import { redirectConsole, STDERR } from './streams.ts';
import { Surroundings } from './surroundings.ts';

/** Answers every program it is sent with the text of its result. */
export function serveBatch(job: BatchJob): void {
  // stdout belongs to the results.
  redirectConsole(STDERR);
  const surroundings = new Surroundings();
  // Asked before programs are there, which may change what is asked.
  const { parentPort } = nodeThreads();
  parentPort?.on('message', async ({ number, program }: BatchRequest) => {
    const result = await resultFor(program, job);
    parentPort?.postMessage({ number, result, spoilt: surroundings.areSpoilt() } satisfies BatchMessage);
  });
  parentPort?.postMessage(READY);
}

async function resultFor({ code, seed, name }: BatchProgram, { engine, quiet }: BatchJob): Promise<string> {
  const run = new CommandRun(seed, process.cwd(), [], engine, {
    warn: quiet ? undefined : (message) => process.stderr.write(`${name}: ${message}\n`),
    keepsOutputs: true,
  });
  const outcome = await outcomeOf({ code, file: name, language: 'wppl' }, run);
  try {
    return resultOf(outcome, run.outputs);
  } catch (error) {
    return failure((error as Error).message);
  }
}
