/** What the two sides of a worker say to each other. Everything can be cloned. */

import type { Position } from '../compiler/diagnostics.ts';
import type { JsonValue } from '../io/json-value.ts';
import type { RunOptions } from '../program/run.ts';
import type { Trace } from '../runtime/machine.ts';

/** One thing a program displayed: its value as JSON, and as a person reads it. */
export interface SentOutput {
  readonly value: JsonValue;
  readonly text: string;
}

/** How far long work has come. */
export interface ProgressReport {
  /** What works: `Optimize`, `MCMC`, … */
  readonly label: string;
  readonly done: number;
  readonly total?: number;
  /** Figures for the user (acceptance, objective). */
  readonly note?: string;
  /** A figure to draw as a curve (the ELBO, say): what has come since the last report. */
  readonly trace?: Trace;
}

/** The options of `run` that are data. */
export type SentOptions = Omit<RunOptions, 'output' | 'warn' | 'progress' | 'signal' | 'params'> & {
  /** The parameters that the run starts with: numbers, or tensors as `{dims, data}`. */
  readonly params?: Readonly<Record<string, number | SentTensor>>;
};

/** A tensor, as messages carry it. */
export interface SentTensor {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number>;
}

/** A failure, with the place in the program if it is known. */
export interface SentError extends Partial<Position> {
  /** `ProgramError` where a program failed. */
  readonly name: string;
  /** The whole report, as `waymark run` prints it. */
  readonly report: string;
  readonly message: string;
  readonly hint?: string;
  readonly file?: string;
}

export type Task =
  | { readonly kind: 'run'; readonly code: string; readonly options: SentOptions }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly unknown[]; readonly seed?: number };

export type Request = { readonly id: number } & Task;

export interface SentResult {
  readonly value: JsonValue;
  readonly text: string;
  readonly params: Readonly<Record<string, SentTensor>>;
}

export type Reply =
  | { readonly id: number; readonly output: SentOutput }
  | { readonly id: number; readonly warning: string }
  | { readonly id: number; readonly progress: ProgressReport }
  | { readonly id: number; readonly result: SentResult | { readonly returned: unknown } }
  | { readonly id: number; readonly error: SentError };
