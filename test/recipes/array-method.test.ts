/** A new method of arrays is a word among the rules of host functions: with it, the method works in every way of running. */
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { Rule } from '../../src/algebra/host-rules.ts';
import { ALL_WAYS, faultsOf } from '../lanes/every-way.ts';

const dummies = vi.hoisted(() => {
  const methods = {
    /** Positions are looked at, and items are moved. */
    rotated(this: readonly unknown[], by: number): unknown[] {
      return this.map((_, i) => this[(i + by) % this.length]);
    },
    /** Decides by what its callback answers. */
    howMany(this: readonly unknown[], asks: (item: unknown) => boolean): number {
      let count = 0;
      for (const item of this) if (asks(item)) count++;
      return count;
    },
  };
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(Array.prototype, name, { value, configurable: true, writable: true });
  }
  return methods;
});

// The table as it is with the words `rotated:0` and `howMany`.
vi.mock('../../src/algebra/host-rules.ts', async (original) => {
  const table = await original<typeof import('../../src/algebra/host-rules.ts')>();
  const slice = table.ruleOf(Array.prototype.slice as never)!;
  const rules = new Map<unknown, Rule>([
    [dummies.rotated, { ...slice, looks: [0] }],
    [dummies.howMany, { ...slice, kind: 'asks', looks: [] }],
  ]);
  return { ...table, ruleOf: (fn: never) => rules.get(fn) ?? table.ruleOf(fn) };
});

afterAll(() => {
  for (const name of Object.keys(dummies)) delete (Array.prototype as unknown as Record<string, unknown>)[name];
});

/** How inferences say that a method kept executions from running together, or from being recorded. */
const ENDED = /is called|is given|not compiled|host code/;

describe('a new method of arrays', () => {
  test.each([
    'return [k, 5, 2 * k].rotated(1)[2] + [1, 2, 3, 4].rotated(k)[0];',
    'var all = [k, 1, 2].rotated(2); var sum = 0; for (const x of all) { sum += x * k; } return sum;',
    'return [0, 1, k, 5].howMany(function(x) { return x > k - 1; }) + k;',
    'return [1, 2, 3].howMany(function(x) { return x < k; }) > 1 ? k : -k;',
  ])('%s', async (body) => {
    const said: string[] = [];
    const ways = ALL_WAYS.filter((way) => way !== 'enumerate many paths');
    const faults = await faultsOf(
      { body },
      { engine: { explainBatching: true }, warn: (line) => said.push(line) },
      ways,
    );
    expect(faults).toEqual([]);
    expect(said.some((line) => line.startsWith('How forward'))).toBe(true);
    expect(said.filter((line) => ENDED.test(line))).toEqual([]);
  });
});
