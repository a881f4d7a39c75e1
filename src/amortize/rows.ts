/** What executions chose, one scalar choice a row, as the network learns from it. */
import type { Key } from './sites.ts';
import { TOLD_PARAMS } from './sites.ts';

/** A scalar choice of one execution. */
export interface Row {
  lane: number;
  key: Key;
  /** The coordinate of the value; the lower end of its interval for whole numbers. */
  u: number;
  /** The upper end, for whole numbers. */
  upper: number;
  /** The log-probability of the value under the prior, for whole numbers and lists. */
  log: number;
  /** The value as a number; NaN if it is none. */
  x: number;
  /** The place of the value in its list; −1 where there is none. */
  index: number;
  /** Log-probabilities of all values of the list. */
  logs: ArrayLike<number> | null;
  /** The values of the list as numbers, where they are numbers. */
  list: ArrayLike<number> | null;
  params: Float64Array;
}

/** The first numbers among the parameters of a distribution. */
export function toldParams(params: object): Float64Array {
  const told = new Float64Array(TOLD_PARAMS);
  let n = 0;
  for (const name in params) {
    const value = (params as Record<string, unknown>)[name];
    if (typeof value === 'number') told[n++] = value;
    else if (typeof value === 'boolean') told[n++] = Number(value);
    else {
      const elements = Array.isArray(value) ? value : (value as { data?: unknown } | null)?.data;
      if (Array.isArray(elements) || ArrayBuffer.isView(elements)) {
        const numbers = elements as ArrayLike<unknown>;
        for (let i = 0; i < numbers.length && n < TOLD_PARAMS; i++) {
          if (typeof numbers[i] === 'number') told[n++] = numbers[i] as number;
        }
      }
    }
    if (n >= TOLD_PARAMS) break;
  }
  return told;
}

/** A value as a number. */
export const asNumber = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : Number.NaN;

/** Values of a list as numbers; null if one of them is none. */
export function asNumbers(values: readonly unknown[]): Float64Array | null {
  const numbers = Float64Array.from(values, asNumber);
  return numbers.some(Number.isNaN) ? null : numbers;
}
