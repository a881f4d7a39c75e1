/** A new resampling scheme is a function from shares to numbers of children: both engines of particles use it, with the same bits. */
import { expect, test, vi } from 'vitest';
import { loadProgram } from '../../src/program/load.ts';
import type { Random } from '../../src/runtime/random.ts';
import type { Conduct } from '../../src/runtime/reasons.ts';
import { quietRun } from '../program/quiet-run.ts';

const called = vi.hoisted(() => ({ times: 0 }));

vi.mock('../../src/inference/particles/resampling.ts', async (original) => {
  const schemes = await original<typeof import('../../src/inference/particles/resampling.ts')>();
  /** Each tooth of the comb has a random number of its own. */
  const stratified = (shares: Float64Array, size: number, random: Random): Int32Array => {
    called.times++;
    const children = new Int32Array(shares.length);
    let at = 0;
    let sum = shares[0] * size;
    for (let k = 0; k < size; k++) {
      const tooth = k + random.uniform();
      while (sum < tooth && at < shares.length - 1) sum += shares[++at] * size;
      children[at]++;
    }
    return children;
  };
  return { ...schemes, systematic: stratified };
});

const DATA = [0.9, 1.7, 1.1, 2.6, 2.2, 3.1];
const CODE = `var posterior = Infer({method: 'SMC', particles: 60, model: function() {
  var step = function(i, x) {
    if (i === ${DATA.length}) { return x; }
    var next = gaussian(x, 1);
    observe(Gaussian({mu: next, sigma: 0.3}), [${DATA}][i]);
    return step(i + 1, next);
  };
  return step(0, 0);
}});
[posterior.logZ, map(function(s) { return s.value; }, posterior.samples)]`;

/** The log-evidence, by the Kalman filter. */
const exact = (() => {
  let [mean, variance, log] = [0, 0, 0];
  for (const y of DATA) {
    const [prior, total] = [variance + 1, variance + 1 + 0.3 ** 2];
    log -= 0.5 * ((y - mean) ** 2 / total + Math.log(2 * Math.PI * total));
    mean += (prior / total) * (y - mean);
    variance = prior * (1 - prior / total);
  }
  return log;
})();

test('a new resampling scheme', async () => {
  const program = await loadProgram({ code: CODE });
  const ways: string[] = [];
  const run = (seed: number, sequential: boolean): readonly [number, readonly number[]] =>
    program.run({
      ...quietRun(seed),
      engine: { sequential },
      conduct: (how: Conduct) => ways.push(how.way),
    }) as readonly [number, readonly number[]];
  const logs: number[] = [];
  for (let seed = 1; seed <= 40; seed++) logs.push(run(seed, false)[0]);
  expect(new Set(ways)).toEqual(new Set(['columns']));
  const before = called.times;
  expect(run(1, true)).toEqual(run(1, false));
  expect(ways.slice(-2)).toEqual(['one by one', 'columns']);
  expect(called.times - before).toBeGreaterThanOrEqual(4);
  // Estimates of the evidence itself are unbiased.
  const ratios = logs.map((log) => Math.exp(log - exact));
  const mean = ratios.reduce((sum, one) => sum + one, 0) / ratios.length;
  const variance = ratios.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (ratios.length - 1);
  expect(Math.abs(mean - 1)).toBeLessThan(4 * Math.sqrt(variance / ratios.length));
});
