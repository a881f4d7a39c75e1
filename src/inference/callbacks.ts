import type { Sample } from '../distributions/marginal.ts';
import { type Option, withDefault } from './options.ts';

/**
 * Host functions that watch an inference. MCMC calls all five; algorithms that draw samples one by one call `sample`
 * and `finish`.
 */
export interface Callbacks {
  /** Before anything else, with the number of iterations to come. */
  setup?(iterations: number): void;
  /** When a first possible execution has been found. */
  initialize?(): void;
  /** After each step of a chain. */
  iteration?(trace: unknown): void;
  /** After each sample kept. */
  sample?(sample: Sample<unknown>): void;
  /** When all is done. */
  finish?(trace?: unknown): void;
}

const NAMES: readonly (keyof Callbacks)[] = ['setup', 'initialize', 'iteration', 'sample', 'finish'];

/** An object whose fields, as far as they are callbacks, are functions. It may have other fields. */
function isCallbacks(value: unknown): value is Callbacks {
  if (typeof value !== 'object' || value === null) return false;
  return NAMES.every((name) => {
    const field = (value as Callbacks)[name];
    return field === undefined || typeof field === 'function';
  });
}

/** The option `callbacks`. */
export const callbacks: Option<readonly Callbacks[]> = withDefault(
  {
    expected: `an array of objects with functions under any of ${NAMES.join(', ')}`,
    read: (value) => (Array.isArray(value) && value.every(isCallbacks) ? { value } : undefined),
  },
  [],
);
