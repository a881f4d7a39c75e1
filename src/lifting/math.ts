import { currentLanes } from '../lanes/lanes.ts';
import { narrowed } from '../lanes/narrowing.ts';
import { recording } from '../lanes/recording.ts';
import { scalarMath } from '../library/math.ts';
import { force } from '../runtime/force.ts';
import { OneByOne } from '../runtime/signals.ts';
import { Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { Tensor } from '../tensor/tensor.ts';
import { plain } from './looking.ts';

type Function1 = (a: Value) => Value;
type Function2 = (a: Value, b: Value) => Value;

const lifted = (value: unknown): boolean => value instanceof Node || value instanceof Tensor;

function unary(record: Function1, native: (a: number) => number) {
  return (a: unknown): unknown => (lifted(a) ? record(narrowed(a as Value)) : native(a as number));
}

function binary(record: Function2, native: (a: number, b: number) => number) {
  return (a: unknown, b: unknown): unknown =>
    lifted(a) || lifted(b) ? record(narrowed(a as Value), narrowed(b as Value)) : native(a as number, b as number);
}

/** Of any number of operands, two at a time. */
function folded(record: Function2, native: (...values: number[]) => number) {
  return (...values: unknown[]): unknown =>
    values.some(lifted)
      ? (values as Value[]).map(narrowed).reduce((a, b) => record(a, b))
      : native(...(values as number[]));
}

const recorded = {
  ...Object.fromEntries(
    (
      [
        'abs',
        'sign',
        'floor',
        'ceil',
        'round',
        'trunc',
        'sqrt',
        'cbrt',
        'exp',
        'expm1',
        'log',
        'log1p',
        'log2',
        'log10',
        'sin',
        'cos',
        'tan',
        'asin',
        'acos',
        'atan',
        'sinh',
        'cosh',
        'tanh',
        'asinh',
        'acosh',
        'atanh',
      ] as const
    ).map((name) => [name, unary(ops[name] as Function1, Math[name])]),
  ),
  /** Rounded to fewer digits, which is no reason to have no gradient. */
  fround: (a: unknown): unknown => {
    if (!(a instanceof Node)) return Math.fround(a as number);
    const now = force(a) as number;
    return ops.add(narrowed(a), Math.fround(now) - now);
  },
  // Of the whole numbers that they make of what they are given, they have no gradient.
  imul: (a: unknown, b: unknown): unknown => Math.imul(plain(a) as number, plain(b) as number),
  clz32: (a: unknown): unknown => Math.clz32(plain(a) as number),
  pow: binary(ops.pow, Math.pow),
  atan2: binary(ops.atan2, Math.atan2),
  hypot: folded(ops.hypot, Math.hypot),
  min: folded(ops.min, Math.min),
  max: folded(ops.max, Math.max),
  /** Another number for each datum and each step, which nothing recorded can give. */
  random(): number {
    recording.current?.obstruct('outside', 'the program calls Math.random');
    if (currentLanes() !== null) throw new OneByOne('outside', 'they call Math.random');
    return Math.random();
  },
  // WebPPL's extra names.
  sigmoid: unary(ops.sigmoid, scalarMath.sigmoid),
  logGamma: unary(ops.lgamma as Function1, scalarMath.logGamma),
};

/** `Math` in lifted text: what has no operation in the graph is that of plain text. */
export const math: Readonly<Record<string, unknown>> = Object.setPrototypeOf(recorded, scalarMath);
