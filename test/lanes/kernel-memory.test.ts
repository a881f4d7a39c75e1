/** Numbers in the kernels' memory are what they were, however often others have taken their room. */
import { describe, expect, test } from 'vitest';
import { Doubles, inKernelMemory } from '../../src/lanes/columns/kernel-memory.ts';
import { addTo, consecutive, elementwise, gather, partition } from '../../src/lanes/columns/kernels.ts';
import { OneByOne } from '../../src/runtime/signals.ts';

const SIZE = 8191;
const LARGE = 65_535;

/** i, i + 1, … */
const numbersFrom = (i: number): Doubles => Doubles.of(Float64Array.from({ length: SIZE }, (_, k) => i + k));

describe("the kernels' memory", () => {
  test('gives back what had to leave it', () => {
    inKernelMemory(() => {
      // 400 times 512 KiB: more than a round.
      const made = Array.from({ length: 400 }, (_, i) => elementwise('add', LARGE, i, 0.5));
      const total = Doubles.zeros(LARGE);
      const places = Doubles.of(Float64Array.from({ length: LARGE }, (_, k) => k));
      for (const numbers of made) {
        addTo(total, numbers);
        addTo(total, places);
      }
      for (const k of [0, 1, LARGE - 1]) {
        expect(total.array[k]).toBe(400 * (k + 0.5) + (400 * 399) / 2);
        expect(made[0].array[k]).toBe(0.5);
        expect(made[399].array[k]).toBe(399.5);
      }
    });
  });

  test('uses the room of what was released, and leaves all else as it is', () => {
    inKernelMemory(() => {
      const kept = elementwise('add', SIZE, numbersFrom(1), 1);
      for (let i = 0; i < 1000; i++) {
        const passing = elementwise('mul', SIZE, kept, i);
        expect(passing.array[SIZE - 1]).toBe((SIZE + 1) * i);
        passing.release();
      }
      expect([...kept.array.subarray(0, 3)]).toEqual([2, 3, 4]);
    });
  });

  test('knows when numbers were changed', () => {
    inKernelMemory(() => {
      const total = Doubles.zeros(SIZE);
      expect(total.array[5]).toBe(0);
      addTo(total, numbersFrom(0));
      expect(total.array[5]).toBe(5);
      total.fill(3);
      expect(total.array[5]).toBe(3);
      addTo(total, 1);
      expect(total.array[5]).toBe(4);
    });
  });

  test('of an odd number of executions, none sees what is beside the last', () => {
    inKernelMemory(() => {
      const odd = elementwise('lt', 5, Doubles.of(Float64Array.of(3, -1, 4, -1, 5)), 0);
      expect([...odd.array]).toEqual([0, 1, 0, 1, 0]);
      const [yes, no] = partition(odd);
      expect([[...yes.array], [...no.array]]).toEqual([[1, 3], [0, 2, 4]]); // biome-ignore format: pairs
      expect([...gather(Doubles.of(Float64Array.of(10, 11, 12, 13, 14)), no).array]).toEqual([10, 12, 14]);
      expect([...consecutive(7, 3).array]).toEqual([7, 8, 9]);
    });
  });

  test('does not know what belonged to executions that are over', () => {
    const lost = inKernelMemory(() => elementwise('add', SIZE, numbersFrom(1), 1));
    expect(() => lost.array).toThrow(OneByOne);
    const saved = inKernelMemory(() => {
      const numbers = elementwise('add', SIZE, numbersFrom(1), 1);
      return [numbers, numbers.array] as const;
    });
    expect(saved[0].array).toBe(saved[1]);
  });
});
