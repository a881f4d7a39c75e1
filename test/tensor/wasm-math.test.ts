/** The vector functions against the host's, in units in the last place, over all magnitudes. */
import { describe, expect, it } from 'vitest';
import { input } from '../../src/tensor/leaves.ts';
import type { Node } from '../../src/tensor/node.ts';
import {
  cos,
  exp,
  expm1,
  log,
  log1p,
  logSigmoid,
  mul,
  sigmoid,
  sin,
  softplus,
  sum,
  tanh,
} from '../../src/tensor/ops.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { generator } from './inputs.ts';

const COUNT = 20_000;

const bits64 = new BigInt64Array(1);
const float64 = new Float64Array(bits64.buffer);
const bits32 = new Int32Array(1);
const float32 = new Float32Array(bits32.buffer);

/** Position on the line of all floats of a precision. */
function rank64(x: number): bigint {
  float64[0] = x;
  return bits64[0] < 0n ? -(bits64[0] & 0x7fffffffffffffffn) : bits64[0];
}

function rank32(x: number): number {
  float32[0] = x;
  return bits32[0] < 0 ? -(bits32[0] & 0x7fffffff) : bits32[0];
}

function distance(actual: number, exact: number, single: boolean): number {
  const expected = single ? Math.fround(exact) : exact;
  if (actual === expected || (Number.isNaN(actual) && Number.isNaN(expected))) return 0;
  if (Number.isNaN(actual) || Number.isNaN(expected)) return Number.POSITIVE_INFINITY;
  if (single) return Math.abs(rank32(actual) - rank32(expected));
  return Math.abs(Number(rank64(actual) - rank64(expected)));
}

const ranges: [number, number][] = [
  [-1, 1],
  [-1e-3, 1e-3],
  [-50, 50],
  [-90, 90],
  [-750, 750],
  [0, 1e-300],
  [0, 1e-310],
  [0, 1e-40],
  [0, 10],
  [-1e6, 1e6],
  [0, 1e300],
];

const special = [
  0,
  -0,
  1,
  -1,
  Infinity,
  -Infinity,
  Number.NaN,
  5e-324,
  1e-310,
  -1e-310,
  1e-40,
  709.782712893384,
  709.79,
  -745.13,
  -745.14,
  -746,
  88.72,
  88.73,
  -103.9,
  -104,
  -1.0000000001,
  1e300,
  -1e300,
  Math.PI,
  Math.PI / 2,
  0.625,
  1e5,
  100001,
];

function arguments_(): Float64Array {
  const random = generator(3);
  const out = new Float64Array(special.length + ranges.length * COUNT);
  out.set(special);
  ranges.forEach(([low, high], r) => {
    for (let i = 0; i < COUNT; i++) out[special.length + r * COUNT + i] = low + (high - low) * random();
  });
  return out;
}

const functions = { cos, exp, expm1, log, log1p, logSigmoid, sigmoid, sin, softplus, tanh };

describe.each(['f64', 'f32'] as const)('vector functions in %s', (dtype) => {
  it.each(Object.entries(functions))('%s is within 2 units in the last place', (name, operation) => {
    const xs = dtype === 'f64' ? arguments_() : Float32Array.from(arguments_());
    const x = input([xs.length], dtype);
    const [ys] = compilePlan([operation(x)], [x]).run([xs]) as [Float64Array | Float32Array];
    let worst = 0;
    let at = 0;
    for (let i = 0; i < xs.length; i++) {
      const off = distance(ys[i], operation(xs[i]), dtype === 'f32');
      if (off > worst) {
        worst = off;
        at = xs[i];
      }
    }
    expect(worst, `${name}(${at})`).toBeLessThanOrEqual(2);
  });

  it.each(Object.entries(functions))('%s is the same called by a kernel and written into it', (_name, operation) => {
    const all = arguments_().subarray(0, special.length + 500);
    const xs = dtype === 'f64' ? all : Float32Array.from(all);
    const x = input([xs.length], dtype);
    // Kernels with many functions call them.
    const shifts = [0, 1, 2, 3, 4, 5, 6, 7];
    const shifted = shifts.map((shift) => operation(mul(x, 2 ** shift) as Node));
    const together = compilePlan(shifted, [x]).run([xs]);
    shifted.forEach((node, i) => {
      const [alone] = compilePlan([node], [x]).run([xs]);
      expect(together[i]).toEqual(alone);
    });
  });
});

describe('sums of logarithms of 1 + eˣ in single precision', () => {
  const exact = { softplus: (x: number) => softplus(x), logSigmoid: (x: number) => logSigmoid(x) };

  it.each(Object.entries({ softplus, logSigmoid }))('%s', (name, operation) => {
    const random = generator(6);
    // Whole blocks and what is left of them, and of vectors; with and without something else that needs the values.
    for (const length of [4, 1024, 1003, 7]) {
      for (const [low, high] of [
        [-3, 3],
        [-60, 60],
        [17, 90],
        [-90, -17],
      ]) {
        const xs = Float32Array.from({ length }, () => low + (high - low) * random());
        const x = input([length], 'f32');
        const value = operation(x);
        const expected = xs.reduce((total, number) => total + exact[name as keyof typeof exact](number), 0);
        // Rounding of each term where it is near 1, and of sums and logarithms, of which there are few.
        const bound = length * 2 ** -23 + 2 ** -21 * Math.abs(expected);
        const [alone] = compilePlan([sum(value)], [x]).run([xs]) as [number];
        const [beside] = compilePlan([sum(value), value], [x]).run([xs]) as [number];
        expect(Math.abs(alone - expected)).toBeLessThanOrEqual(bound);
        expect(Math.abs(beside - expected)).toBeLessThanOrEqual(bound);
      }
    }
  });

  it('are infinite or no numbers where one of the values is', () => {
    const x = input([12], 'f32');
    const plan = compilePlan([sum(softplus(x)), sum(logSigmoid(x))], [x]);
    const with_ = (number: number): Float32Array => new Float32Array(12).fill(0).fill(number, 5, 6);
    expect(plan.run([with_(Infinity)])[0]).toBe(Infinity);
    expect(plan.run([with_(-Infinity)])[1]).toBe(-Infinity);
    expect(plan.run([with_(Number.NaN)])).toEqual([Number.NaN, Number.NaN]);
    const [most, least] = plan.run([with_(-Infinity)]) as number[];
    expect(most).toBeCloseTo(11 * Math.LN2, 5);
    expect(least).toBe(-Infinity);
  });
});
