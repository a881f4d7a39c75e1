/** What the main thread asks the program's thread to do, and what it hears back. */
import type { Engine } from '../runtime/machine.ts';

/** Settings that every run of a program has, whichever command started it. */
export interface RunSettings {
  readonly engine: Engine;
  /** No advice and no progress on stderr. */
  readonly quiet: boolean;
}

/** Run one program, print its value, write `json`. */
export interface RunJob extends RunSettings {
  readonly kind: 'run';
  readonly file: string;
  readonly seed: number;
  readonly json: string | undefined;
  /** Parameter file, as given. */
  readonly params: string | undefined;
  /** Go on from checkpoints. */
  readonly resume: boolean;
  readonly args: readonly string[];
  /** Say how long compiling and running took. */
  readonly timing: boolean;
  /** Width of the terminal that progress may be drawn on. */
  readonly columns: number | undefined;
}

/** Run programs as they come in messages, and answer each. */
export interface BatchJob extends RunSettings {
  readonly kind: 'batch';
}

/** Compile files and report what is wrong with them. */
export interface CheckJob {
  readonly kind: 'check';
  readonly files: readonly string[];
  readonly quiet: boolean;
}

export type Job = RunJob | BatchJob | CheckJob;

/** A message to a batch thread; the answer is the text of the result. */
export interface BatchProgram {
  readonly code: string;
  readonly seed: number;
  /** What errors call the program. */
  readonly name: string;
}

/** What a batch thread says once, when it can be sent programs. No result is this text, since results are objects. */
export const READY = 'ready';

/** A message from a batch thread: that it is ready, or the text of a result. */
export type BatchMessage = typeof READY | (string & {});
