/** Running programs from JavaScript. */

import type { Language } from '../compiler/compile.ts';
import { CompileError } from '../compiler/diagnostics.ts';
import { LANGUAGES } from '../compiler/parse/syntax.ts';
import { type Params, tableOf } from '../guides/given-params.ts';
import { dirname } from '../host/path.ts';
import { describe } from '../runtime/describe.ts';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import { endedBy, type Listeners, speakingTo } from '../runtime/listeners.ts';
import type { Engine, Run } from '../runtime/machine.ts';
import { isSeed, SEED_KIND } from '../runtime/seed.ts';
import { puttingBack } from '../runtime/with-run.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { loadProgram } from './load.ts';
import { type Located, locate } from './locate.ts';
import { report } from './report.ts';

/** How `run` runs a program. */
export interface RunOptions extends Listeners {
  /** A whole number; the same seed gives the same results. Random if absent. */
  readonly seed?: number;
  /** What errors call the program; imports and data files are relative to its folder. */
  readonly file?: string;
  /** By the ending of `file` if absent, and WebPPL's otherwise. */
  readonly language?: Language;
  /** Data by the names that the program gives to `loadData`, instead of files: text, or bytes. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Arguments of the program, which it sees as `argv`. */
  readonly args?: readonly string[];
  /** How it is computed: device, threads, precision. */
  readonly engine?: Engine;
  /** The parameters that the run starts with, by name; they stay as they are. None if absent. */
  readonly params?: Readonly<Record<string, Tensor | number>>;
  /** Whether optimisations go on from their checkpoints. */
  readonly resume?: boolean;
}

/** What a run of a program gave. */
export interface RunResult {
  /** The program's value: its last expression, or its default export. */
  readonly value: unknown;
  /** What the program displayed, in order: values and their text. */
  readonly outputs: readonly { readonly value: unknown; readonly text: string }[];
  /** The parameters of the run at its end. */
  readonly params: Params;
}

/** A program that could not be compiled, or failed while it ran. The message is a full report. */
export class ProgramError extends Error {
  override name = 'ProgramError';

  constructor(
    readonly located: Located,
    /** What was thrown. */
    override readonly cause: unknown,
  ) {
    super(report(located));
  }
}

const OPTIONS = Object.keys({
  seed: true,
  file: true,
  language: true,
  files: true,
  args: true,
  engine: true,
  params: true,
  resume: true,
  output: true,
  warn: true,
  progress: true,
  signal: true,
} satisfies Record<keyof RunOptions, true>);

/** Throws unless these are what `run` can be given: in JavaScript no type checker tells. */
function check(code: unknown, options: unknown): void {
  if (typeof code !== 'string') throw new WaymarkError(`run needs the text of a program, got ${describe(code)}.`);
  if (typeof options !== 'object' || options === null) {
    throw new WaymarkError(`run needs its options in an object, got ${describe(options)}.`);
  }
  for (const name of Object.keys(options)) {
    if (OPTIONS.includes(name)) continue;
    throw new WaymarkError(`run has no option '${name}'; it takes ${OPTIONS.join(', ')}.${didYouMean(name, OPTIONS)}`);
  }
  const { seed, file, args, language, files, signal, output, warn, progress } = options as Record<string, unknown>;
  const refuse = (name: string, kind: string, given: unknown): never => {
    throw new WaymarkError(`run: ${name} must be ${kind}, got ${describe(given)}.`);
  };
  if (seed !== undefined && !isSeed(seed)) refuse('seed', SEED_KIND, seed);
  if (file !== undefined && typeof file !== 'string') refuse('file', 'the name of a file', file);
  if (args !== undefined && !(Array.isArray(args) && args.every((arg) => typeof arg === 'string'))) {
    refuse('args', 'an array of strings', args);
  }
  if (files !== undefined && (typeof files !== 'object' || files === null)) {
    refuse('files', 'texts or bytes by their names', files);
  }
  for (const [name, listener] of Object.entries({ output, warn, progress })) {
    if (listener !== undefined && typeof listener !== 'function') refuse(name, 'a function', listener);
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) refuse('signal', 'an AbortSignal', signal);
  if (language !== undefined && !LANGUAGES.includes(language as Language)) {
    refuse('language', LANGUAGES.map((name) => `'${name}'`).join(', '), language);
  }
}

/**
 * Compiles and runs the text of a program. Rejects with a `ProgramError` if it fails, and with the signal's reason if that ends
 * it.
 */
export async function run(code: string, options: RunOptions = {}): Promise<RunResult> {
  check(code, options);
  const { seed = Math.floor(Math.random() * 2 ** 32), file = 'program.wppl', language, args = [], engine } = options;
  const params = tableOf('run: params', options.params ?? {});
  const outputs: { value: unknown; text: string }[] = [];
  const speaking = speakingTo(options);
  const settings: Run = {
    ...speaking,
    seed,
    folder: dirname(file),
    args,
    engine,
    params,
    resume: options.resume,
    files: options.files,
    output(value, text) {
      outputs.push({ value, text });
      speaking.output(value, text);
    },
  };
  const program = await loadProgram({ code, file, language }).catch((thrown) => {
    throw thrown instanceof CompileError ? new ProgramError(locate(thrown, new Map(), file), thrown) : thrown;
  });
  return puttingBack(() => {
    try {
      const value = endedBy(options.signal, () => program.run(settings));
      return { value, outputs, params: params.inOrder() };
    } catch (thrown) {
      if (options.signal?.aborted && thrown === options.signal.reason) throw thrown;
      throw new ProgramError(program.locate(thrown), thrown);
    }
  });
}
