/**
 * `Math` as programs see it: JavaScript's functions, which take tensors entry by entry, and what WebPPL adds to them. In
 * WebPPL `Math.x` stands for `ad.scalar.x`, so that programs call `Math.sum` and `Math.logGamma`.
 */
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { inPlaceOf } from '../runtime/in-place-of.ts';
import { combine } from '../tensor/broadcast.ts';
import { sigmoid } from '../tensor/special/exponentials.ts';
import { logGamma } from '../tensor/special/gamma.ts';
import { Tensor } from '../tensor/tensor.ts';
import { sum } from './sums.ts';

type Numbers = (...args: number[]) => number;

/** Functions of `Math` that give another number each time, or do not take tensors. */
const LEFT_ALONE = new Set(['random']);

/** The same function, of tensors entry by entry. */
function entrywise(name: string, fn: Numbers): (...args: unknown[]) => unknown {
  return (...args) =>
    args.some((arg) => arg instanceof Tensor) ? ofTensors(name, fn, args) : fn(...(args as number[]));
}

function ofTensors(name: string, fn: Numbers, args: readonly unknown[]): Tensor {
  const wrong = args.find((arg) => typeof arg !== 'number' && !(arg instanceof Tensor));
  if (wrong !== undefined) {
    throw new WaymarkError(`Math.${name} combines a tensor with numbers and tensors, got ${describe(wrong)}.`);
  }
  const given = (FOLDED.has(name) ? args : args.slice(0, fn.length)) as readonly (number | Tensor)[];
  if (given.length === 1) return mapped(given[0] as Tensor, fn);
  return given.slice(1).reduce<number | Tensor>((a, b) => ofTwo(name, fn, a, b), given[0]) as Tensor;
}

/** Functions of any number of arguments, which can be taken two at a time. */
const FOLDED = new Set(['min', 'max', 'hypot']);

function ofTwo(name: string, fn: Numbers, a: number | Tensor, b: number | Tensor): number | Tensor {
  if (typeof a === 'number') return typeof b === 'number' ? fn(a, b) : mapped(b, (x) => fn(a, x));
  if (typeof b === 'number') return mapped(a, (x) => fn(x, b));
  const combined = combine(a, b, fn);
  if (combined !== null) return combined;
  throw new WaymarkError(
    `Math.${name} needs tensors of the same dims, or with 1 where they differ, got [${a.dims.join(', ')}] and ` +
      `[${b.dims.join(', ')}].`,
  );
}

function mapped({ dims, data }: Tensor, fn: (x: number) => number): Tensor {
  // Not `map(fn)`, which would give it the index too.
  const numbers = data.map((x) => fn(x));
  return new Tensor(dims, numbers);
}

const host = Object.fromEntries(
  Object.getOwnPropertyNames(Math).map((name) => {
    const value = Math[name as keyof Math] as unknown;
    const taken = typeof value === 'function' && !LEFT_ALONE.has(name);
    return [name, taken ? inPlaceOf(value as Numbers, entrywise(name, value as Numbers)) : value];
  }),
) as unknown as Math;

/** JavaScript's `Math` and WebPPL's `ad.scalar` in one. */
export const scalarMath = {
  ...host,
  neg: (x: number): number => -x,
  add: (x: number, y: number): number => x + y,
  sub: (x: number, y: number): number => x - y,
  mul: (x: number, y: number): number => x * y,
  div: (x: number, y: number): number => x / y,
  plus: (x: unknown): number => +(x as number),
  // biome-ignore lint/suspicious/noDoubleEquals: these two are WebPPL's names for the loose comparisons.
  eq: (x: unknown, y: unknown): boolean => x == y,
  // biome-ignore lint/suspicious/noDoubleEquals: as above.
  neq: (x: unknown, y: unknown): boolean => x != y,
  peq: (x: unknown, y: unknown): boolean => x === y,
  pneq: (x: unknown, y: unknown): boolean => x !== y,
  gt: (x: number, y: number): boolean => x > y,
  lt: (x: number, y: number): boolean => x < y,
  geq: (x: number, y: number): boolean => x >= y,
  leq: (x: number, y: number): boolean => x <= y,
  isNaN: (x: unknown): boolean => Number.isNaN(Number(x)),
  isFinite: (x: unknown): boolean => Number.isFinite(Number(x)),
  sum,
  sigmoid: entrywise('sigmoid', sigmoid as Numbers) as (x: number) => number,
  logGamma: entrywise('logGamma', logGamma as Numbers) as (x: number) => number,
};
