/** A new function of the library is a function and a row: with these, it works in every way of running, and none of them ends. */
import { describe, expect, test, vi } from 'vitest';
import type { LibraryRow } from '../../src/algebra/library-row.ts';
import { loadProgram } from '../../src/program/load.ts';
import { ALL_WAYS, faultsOf } from '../lanes/every-way.ts';
import { quietRun } from '../program/quiet-run.ts';
import { cubeOf } from './cube.ts';

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
  return {
    ...api,
    ...functions,
    ...(await import('./cube.ts')),
    loaded: (p: number) => api.sample(api.Bernoulli({ p })),
  };
});

vi.mock('../../src/library/rows.ts', async (original) => {
  const table = await original<typeof import('../../src/library/rows.ts')>();
  const rows = Object.entries(dummies).map(([name, [row]]) => [name, row] as const);
  const loaded: LibraryRow = { does: 'draws', of: 'Bernoulli' };
  const added = [...rows, ['cubeOf', { pure: true }], ['loaded', loaded]] as [string, LibraryRow][];
  return { ...table, libraryRows: new Map([...table.libraryRows, ...added]) };
});

vi.mock('../../src/lifting/numbers.ts', async (original) => ({
  ...(await original<object>()),
  // @ts-expect-error the build makes it
  cubeOf: (await import('./cube.ts?lifted')).cubeOf,
}));

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

/** A step along the gradient of a sum over data of the function, at a parameter. */
const gradients = (m: number, cube: string): string => `
  Optimize({steps: 1, verbose: false, optMethod: {sgd: {stepSize: 1}}, model: function() {
    var m = param({name: 'm', mu: ${m}, sigma: 0});
    mapData({data: [1, 2]}, function(y) { factor(y * ${cube}); });
  }});
  getParams().m.data[0]`;

describe('gradients pass through a function that is lifted', () => {
  test.each([0.7, -0.4])('at %d', async (m) => {
    const moved = async (cube: string): Promise<number> =>
      (await loadProgram({ code: gradients(m, cube) })).run(quietRun(1)) as number;
    const slope = m > 0 ? 3 * m * m : Math.cos(m);
    // One step of size 1, up the slope of the factors: 1 + 2 times that of the function.
    expect(await moved('cubeOf(m)')).toBeCloseTo(m + 3 * slope, 10);
    expect(await moved('cubeOf(m + 0 * y)')).toBeCloseTo(m + 3 * slope, 10);
  });

  test('in trajectories, which are recorded', async () => {
    const ways: string[] = [];
    const program = await loadProgram({
      code: `expectation(Infer({method: 'MCMC', kernel: 'NUTS', samples: 400, burn: 100, model: function() {
        var x = gaussian(0.5, 0.3);
        observe(Gaussian({mu: cubeOf(x), sigma: 0.5}), 1.2);
        return x;
      }}))`,
    });
    const mean = program.run({ ...quietRun(7), conduct: (how) => ways.push(how.way) });
    expect(ways).toEqual(['recording']);
    let [weight, sum] = [0, 0];
    for (let x = -1.5; x < 2.5; x += 0.001) {
      const w = Math.exp(-0.5 * ((x - 0.5) / 0.3) ** 2 - 0.5 * ((1.2 - cubeOf(x)) / 0.5) ** 2);
      weight += w;
      sum += w * x;
    }
    // The deviation of the posterior is below 0.3; of 400 samples, at least 100 are worth independent ones.
    expect(Math.abs((mean as number) - sum / weight)).toBeLessThan((4 * 0.3) / Math.sqrt(100));
  });
});
