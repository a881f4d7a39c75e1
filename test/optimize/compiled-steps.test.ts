import { describe, expect, test } from 'vitest';
import type { Rerun } from '../../src/lanes/rerun.ts';
import { CompiledSteps } from '../../src/optimize/compiled-steps.ts';

/** A recording in which the program looked at these values. */
const looked = (...values: number[]): Rerun =>
  ({ guards: values.map((value) => ({ node: null, expected: Float64Array.of(value) })) }) as unknown as Rerun;

const many = (last: number): Rerun => looked(0, 1, 0, 1, 0, 1, 0, 1, last);

describe('what was recorded is compiled', () => {
  test('at once, if the program looked at few values or none', () => {
    const steps = new CompiledSteps();
    expect(steps.isWorthwhile(looked())).toBe(true);
    expect(steps.isWorthwhile(looked(1, 0, 3))).toBe(true);
    expect(steps.guarding).toBe(true);
  });

  test('if it looked at many, when it goes the same way again', () => {
    const steps = new CompiledSteps();
    expect(steps.isWorthwhile(many(0))).toBe(false);
    expect(steps.isWorthwhile(many(1))).toBe(false);
    expect(steps.isWorthwhile(many(0))).toBe(true);
    expect(steps.guarding).toBe(true);
  });

  test('no more, if it always goes another way', () => {
    const steps = new CompiledSteps();
    for (let step = 0; step < 6; step++) {
      expect(steps.guarding).toBe(true);
      expect(steps.isWorthwhile(many(step))).toBe(false);
    }
    expect(steps.guarding).toBe(false);
  });
});
