/** Numbers that describe distributions and values to the network. */
import { PARAM_FEATURES } from './sizes.ts';

/** The first numbers among the parameters of a distribution. */
export function paramFeatures(params: object): Float64Array {
  const features = new Float64Array(PARAM_FEATURES);
  let n = 0;
  for (const name in params) {
    const value = (params as Record<string, unknown>)[name];
    if (typeof value === 'number') features[n++] = value;
    else if (typeof value === 'boolean') features[n++] = Number(value);
    else {
      const elements = Array.isArray(value) ? value : (value as { data?: unknown } | null)?.data;
      if (Array.isArray(elements) || ArrayBuffer.isView(elements)) {
        const numbers = elements as ArrayLike<unknown>;
        for (let i = 0; i < numbers.length && n < PARAM_FEATURES; i++) {
          if (typeof numbers[i] === 'number') features[n++] = numbers[i] as number;
        }
      }
    }
    if (n >= PARAM_FEATURES) break;
  }
  return features;
}

/** A value as a number. */
export const asNumber = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : Number.NaN;

/** Values of a list as numbers; null if one of them is none. */
export function asNumbers(values: readonly unknown[]): Float64Array | null {
  const numbers = Float64Array.from(values, asNumber);
  return numbers.some(Number.isNaN) ? null : numbers;
}
