/** WebPPL's object for automatic differentiation. Plain values are what they are; nothing needs to be unwrapped. */

import { sigmoid } from '../tensor/special/exponentials.ts';
import { logGamma } from '../tensor/special/gamma.ts';
import { sum } from './sums.ts';
import { T } from './tensors/operations.ts';

const mathNames = Object.getOwnPropertyNames(Math);
const math = Object.fromEntries(mathNames.map((name) => [name, Math[name as keyof Math]])) as unknown as Math;

/** WebPPL's object for automatic differentiation: `ad.scalar` and `ad.tensor` hold arithmetic by name. */
export const ad = {
  lift: <A>(value: A): A => value,
  isLifted: (_value: unknown): boolean => false,
  value: <A>(value: A): A => value,
  valueRec: <A>(value: A): A => value,
  tensor: T,
  scalar: {
    ...math,
    neg: (x: number) => -x,
    add: (x: number, y: number) => x + y,
    sub: (x: number, y: number) => x - y,
    mul: (x: number, y: number) => x * y,
    div: (x: number, y: number) => x / y,
    plus: (x: number) => +x,
    eq: (x: unknown, y: unknown) => x === y,
    neq: (x: unknown, y: unknown) => x !== y,
    // biome-ignore lint/suspicious/noDoubleEquals: these two are WebPPL's names for the loose comparisons.
    peq: (x: unknown, y: unknown) => x == y,
    // biome-ignore lint/suspicious/noDoubleEquals: as above.
    pneq: (x: unknown, y: unknown) => x != y,
    gt: (x: number, y: number) => x > y,
    lt: (x: number, y: number) => x < y,
    geq: (x: number, y: number) => x >= y,
    leq: (x: number, y: number) => x <= y,
    isNaN: (x: number) => Number.isNaN(x),
    isFinite: (x: number) => Number.isFinite(x),
    sum,
    sigmoid,
    logGamma,
  },
};
