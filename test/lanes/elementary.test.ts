/** Elementary functions of columns give the bits that JavaScript's own give, whatever the number. */
import { describe, expect, test } from 'vitest';
import { type Elementary, elementary } from '../../src/lanes/columns/elementary.ts';
import { Doubles, inKernelMemory } from '../../src/lanes/columns/kernel-memory.ts';
import { elementwise } from '../../src/lanes/columns/kernels.ts';
import { sigmoid, softplus } from '../../src/tensor/special/exponentials.ts';
import { generator } from '../tensor/inputs.ts';

const FUNCTIONS: Readonly<Record<Elementary, (x: number) => number>> = {
  exp: Math.exp,
  log: Math.log,
  tanh: Math.tanh,
  sigmoid,
  softplus,
};

const COUNT = 20_001;

/** Numbers of all magnitudes, and about the places where formulas change. */
const NUMBERS: Readonly<Record<string, (random: () => number) => number>> = {
  'of −1 to 1': (random) => 2 * random() - 1,
  'of −20 to 20': (random) => 40 * random() - 20,
  'of −800 to 800': (random) => 1600 * random() - 800,
  'of all magnitudes': (random) => (random() < 0.5 ? -1 : 1) * 2 ** (2140 * random() - 1070),
  'near multiples of half a logarithm of 2': (random) =>
    ((Math.floor(180 * random()) - 90) / 2) * Math.LN2 * (1 + (random() - 0.5) * 2 ** (-50 * random())),
  'near powers of 2': (random) => 2 ** Math.floor(40 * random() - 20) * (1 + (random() - 0.5) * 2 ** (-50 * random())),
  'near √2': (random) => Math.SQRT2 + 0.1 * (random() - 0.5),
  'near 0': (random) => (random() < 0.5 ? -1 : 1) * 2 ** (-80 * random()),
  'of few digits': (random) => Math.floor(400 * random() - 200) / 8,
};

const SPECIAL = [0, -0, 1, -1, Infinity, -Infinity, NaN, Number.MIN_VALUE, -Number.MIN_VALUE, Number.MAX_VALUE];

/** The first number, if there is one, for which the bits differ. */
function firstOther(given: Float64Array, results: Float64Array, fn: (x: number) => number): number | undefined {
  return given.find((x, i) => !Object.is(results[i], fn(x)));
}

describe.each(Object.keys(FUNCTIONS) as Elementary[])('%s', (name) => {
  const fn = FUNCTIONS[name];

  test.each(Object.keys(NUMBERS))('numbers %s', (which) => {
    const random = generator(7);
    const given = Float64Array.from({ length: COUNT }, () => NUMBERS[which](random));
    inKernelMemory(() => {
      const numbers = Doubles.of(given);
      expect(firstOther(given, elementary(name, numbers).array, fn)).toBeUndefined();
      const copy = elementwise('add', COUNT, numbers, 0);
      expect(firstOther(given, elementary(name, copy, copy).array, fn)).toBeUndefined();
      // (Elsewhere compilers may have fused products and sums of `Math`: kernels are not used there.)
      if (process.arch === 'x64')
        expect(firstOther(given, elementwise(name, COUNT, numbers).array, fn)).toBeUndefined();
    });
  });

  test('special numbers, each beside another', () => {
    const pairs = Float64Array.from(SPECIAL.flatMap((x) => SPECIAL.concat(0.5).flatMap((y) => [x, y])));
    inKernelMemory(() => {
      expect(firstOther(pairs, elementary(name, Doubles.of(pairs)).array, fn)).toBeUndefined();
    });
  });
});
