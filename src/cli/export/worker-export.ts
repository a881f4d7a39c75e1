/** `waymark export`, in the program's thread. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toJsonValue } from '../../io/json-value.ts';
import { loadProgram } from '../../program/load.ts';
import { locate } from '../../program/locate.ts';
import type { Program } from '../../program/program.ts';
import { report } from '../../program/report.ts';
import { namesIn } from '../../program/unit.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { CommandRun } from '../command-run.ts';
import type { ExportJob } from '../jobs.ts';
import { STDERR, STDOUT, write } from '../streams.ts';
import { typeOf } from './type-text.ts';

/** Where the build puts the runtime of exported modules, beside this file. */
const RUNTIME = fileURLToPath(new URL('./web/exported.js', import.meta.url));

/** The value of this program loads a network for the model of the one that is exported. */
export const around = (file: string): string => `
  import program from ${JSON.stringify(`./${basename(file)}`)};
  import { Amortize } from 'waymark';
  const model = typeof program === 'function' ? program : program.model;
  export default { model, load: (file) => Amortize.load(file, model, program.embed) };`;

interface Net {
  dreams(count: number): readonly { readonly data: unknown; readonly value: unknown }[];
}

export async function exportProgram(job: ExportJob): Promise<void> {
  try {
    write(STDOUT, `${await written(job)}\n`);
  } catch (error) {
    const message = error instanceof WaymarkError ? error.message : report(locate(error, new Map(), job.file));
    write(STDERR, `${message}\n`);
    process.exitCode = 1;
  }
}

/** Writes the module; gives a line about it. */
async function written({ file, net, out }: ExportJob): Promise<string> {
  if (!existsSync(RUNTIME))
    throw new WaymarkError('The runtime of exported modules has not been built: npm run build builds it.');
  const folder = dirname(resolve(file));
  const program = await loadProgram({ code: around(file), file: join(folder, 'exported.ts'), language: 'ts' });
  checkAlone(program, file);
  const { data, value } = dreamOf(program, folder, file, net);
  const name = basename(file, extname(file));
  const module = join(out, `${name}.js`);
  const text = [
    `// Made by waymark export from ${basename(file)} and ${basename(net)}. Nothing else is needed.`,
    readFileSync(RUNTIME, 'utf8').trimEnd(),
    `const $made = waymark.start({ ${programText(program)}, net: '${readFileSync(net).toString('base64')}' });`,
    'export const posterior = $made.posterior;',
    'export const posteriors = $made.posteriors;',
    `export const example = ${JSON.stringify(toJsonValue(data))};`,
    '',
  ].join('\n');
  writeFileSync(module, text);
  writeFileSync(join(out, `${name}.d.ts`), declarations(data, value));
  return `${module} (${Math.round(text.length / 1024)} kB), and its types beside it`;
}

/** What lies outside of the program cannot be put into its module. */
function checkAlone(program: Program, file: string): void {
  const { hosts, extras } = program.parts;
  const outside = [
    ...hosts,
    ...(extras.lodash === undefined ? [] : ['lodash']),
    ...(extras.assert === undefined ? [] : ['assert']),
  ];
  if (outside.length === 0) return;
  throw new WaymarkError(
    `${file} cannot be exported: it uses ${outside.join(', ')}, which is not compiled with it. Write what it needs in the program.`,
  );
}

/** Runs the program, loads the network, and lets the model make up a datum. */
function dreamOf(program: Program, folder: string, file: string, net: string): { data: unknown; value: unknown } {
  const run = new CommandRun(0, folder, [], {}, { keepsOutputs: false });
  let made: { model: unknown; load(file: string): Net };
  try {
    made = program.run(run) as typeof made;
    if (typeof made.model === 'function') return made.load(net).dreams(1)[0];
  } catch (thrown) {
    throw new WaymarkError(report(program.locate(thrown)));
  }
  throw new WaymarkError(
    `${file} has no model to export: its value (the default export, or last expression) must be the model, or {model, example}.`,
  );
}

/** The compiled program, as fields of an object. */
export function programText(program: Program): string {
  const { units, extras, nextSite } = program.parts;
  const texts = {
    lifted: extras.lifting !== undefined,
    columns: extras.columns !== undefined,
    recording: extras.recording === true,
  };
  const list = units.map(({ unit, imports }) => {
    const { stateless, resumable, settled, comparesIdentities, sideEffect, lasting } = unit.compiled;
    const facts = { stateless, resumable, settled, comparesIdentities, sideEffect, lasting };
    const places = imports.map((imported) => units.indexOf(imported as (typeof units)[number]));
    const about = {
      file: basename(unit.file),
      language: unit.language,
      facts,
      imports: places,
      names: [...namesIn(unit)],
    };
    return `{ ...${JSON.stringify(about)}, execute: ${unit.compiled.code} }`;
  });
  return `units: [${list.join(',\n')}], texts: ${JSON.stringify(texts)}, nextSite: ${nextSite}`;
}

function declarations(data: unknown, value: unknown): string {
  return `/** What the data are like. Parts may be missing: undefined. */
export type Data = ${typeOf(data)};
/** What the model returns. */
export type Value = ${typeOf(value)};

export interface Options {
  /** 1,000 if left out. */
  samples?: number;
  /** 'importance' (if left out) weighs what the network proposes, 'forward' does not. */
  method?: 'importance' | 'forward' | 'SMC' | 'MCMC';
  /** The same seed gives the same posterior. */
  seed?: number;
}

export interface Posterior {
  readonly samples: readonly Value[];
  /** They add up to 1. */
  readonly weights: readonly number[];
  /** Means, spreads and quantiles of every number in the values. */
  readonly summary: Readonly<Record<string, unknown>>;
  /** The effective sample size. */
  readonly ess: number;
  /** Above 0.7 the weights are not to be trusted; NaN where nothing can be told. */
  readonly khat: number;
  readonly logZ: number | undefined;
}

export declare const posterior: (data: Data, options?: Options) => Posterior;
export declare const posteriors: (list: readonly Data[], options?: Options) => Posterior[];
/** Data that the model made up. */
export declare const example: Data;
`;
}
