/** A new function of the library is a function and a row: with these, it works in every way of running, and none of them ends. */
import { describe, expect, test, vi } from 'vitest';
import type { LibraryRow } from '../../src/algebra/library-row.ts';
import { ALL_WAYS, faultsOf } from '../lanes/every-way.ts';

type Dummy = readonly [row: LibraryRow, fn: (...args: never[]) => unknown];

const dummies = vi.hoisted(() => {
  const made: Readonly<Record<string, Dummy>> = {
    squareOf: [{ pure: true }, (x: number) => x * x],
    rangeOf: [{ pure: true }, (xs: readonly number[]) => Math.max(...xs) - Math.min(...xs)],
    swapped: [{ pure: true, does: 'hands on' }, ([a, b]: readonly unknown[]) => [b, a]],
    ends: [{ pure: true, does: 'takes apart' }, (xs: readonly unknown[]) => [xs[0], xs[xs.length - 1]]],
    copies: [
      { pure: true, does: 'hands on', counts: [0] },
      (n: number, x: unknown) => Array.from({ length: n }, () => x),
    ],
    twice: [{ calls: 0, does: 'hands on' }, (f: (x: unknown) => unknown, x: never) => f(f(x))],
    howMany: [
      { calls: 0, does: 'asks' },
      (f: (x: unknown) => boolean, xs: readonly unknown[]) => xs.filter((x) => f(x)).length,
    ],
    middle: [{ does: 'orders' }, (xs: readonly number[]) => [...xs].sort((a, b) => a - b)[xs.length >> 1]],
  };
  return made;
});

vi.mock('../../src/index.ts', async (original) => {
  const api = await original<typeof import('../../src/index.ts')>();
  const functions = Object.fromEntries(Object.entries(dummies).map(([name, [, fn]]) => [name, fn]));
  return { ...api, ...functions, loaded: (p: number) => api.sample(api.Bernoulli({ p })) };
});

vi.mock('../../src/library/rows.ts', async (original) => {
  const table = await original<typeof import('../../src/library/rows.ts')>();
  const rows = Object.entries(dummies).map(([name, [row]]) => [name, row] as const);
  const loaded: LibraryRow = { does: 'draws', of: 'Bernoulli' };
  return { ...table, libraryRows: new Map([...table.libraryRows, ...rows, ['loaded', loaded]]) };
});

const library = {
  ...Object.fromEntries(Object.entries(dummies).map(([name, [, fn]]) => [name, fn])),
  // With probabilities of 0 and 1, it makes a choice that changes no score.
  loaded: (p: number) => p > 0,
};

/** Functions of a choice `k`, of 0, 1, 2 or 3. */
const BODIES: readonly string[] = [
  'return squareOf(k) + squareOf(2);',
  'return rangeOf([1, k, k * 2]);',
  'return swapped([k, 1])[1] + swapped([1, k])[0];',
  'return ends([k, 5, 2 * k])[0] + ends([k, 5, 2 * k])[1];',
  'var copied = copies(k, k + 1); var total = 0; for (var i = 0; i < copied.length; i++) { total += copied[i]; } return total;',
  'return twice(function(x) { return x * k + 1; }, k);',
  'return howMany(function(x) { return x > k; }, [0, 1, k, 5]);',
  'return middle([k, 1, 2]);',
  'return loaded(k > 1 ? 1 : 0) ? 7 : k;',
];

/** How inferences say that a function of the library kept executions from running together, or from being recorded. */
const ENDED = /is called|is used|is given/;

describe('a new function of the library', () => {
  test.each(BODIES)('%s', async (body) => {
    const said: string[] = [];
    // One more choice is one more for chains to change, and for guides to draw.
    const left = body.includes('loaded') ? /many paths|Optimize|MH|HMC|NUTS/ : /many paths/;
    const ways = ALL_WAYS.filter((way) => !left.test(way));
    const faults = await faultsOf(
      { body, library },
      { engine: { explainBatching: true }, warn: (line) => said.push(line) },
      ways,
    );
    expect(faults).toEqual([]);
    expect(said.some((line) => line.startsWith('How forward'))).toBe(true);
    expect(said.filter((line) => ENDED.test(line))).toEqual([]);
  });
});
