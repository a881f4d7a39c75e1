/** Automatic guides that are networks of the datum: learned with the model, right for new data. */
import { describe, expect, test } from 'vitest';
import { runProgram } from '../optimize/run-optimize.ts';

/** Each datum has a hidden number; the posterior of it is N(y / 2, 1 / 2) around a mean that is learned. */
const NORMAL = `
  var data = map(function(i) { return {y: 3 + 2 * Math.sin(i), name: i % 2 === 0 ? 'a' : 'b'}; }, _.range(40));
  var model = function() {
    var mean = modelParam({name: 'mean'});
    return mapData({data: data}, function(d) {
      var z = gaussian({mu: mean, sigma: 1});
      observe(Gaussian({mu: z, sigma: 1}), d.y);
      return z;
    });
  };`;

const LEARN = `Optimize(model, {autoGuide: 'network', steps: 400, optMethod: {adam: {stepSize: 0.02}}, estimator: {ELBO: {samples: 4}}});`;

describe('a network of the datum', () => {
  test.each([
    ['side by side', ''],
    ['one by one', '--sequential'],
  ])('serves all data and new ones: %s', async (_way, way) => {
    const sequential = way !== '';
    const { value } = await runProgram(
      `${NORMAL}
      ${sequential ? LEARN.replace('400', '15') : LEARN}
      var found = posteriors(model, {data: [{y: 1.5, name: 'a'}, {y: 3, name: 'b'}, {y: 4.5, name: 'a'}], samples: ${sequential ? 20 : 2000}});
      [getParams().mean.data[0], map(function(p) { return [expectation(p), p.diagnostics.khat, p.diagnostics.effectiveSampleSize]; }, found),
       _.filter(_.keys(getParams()), function(name) { return /\\[\\d+\\]/.test(name); }).length]`,
      sequential ? { engine: { sequential: true } } : {},
    );
    const [mean, found, own] = value as [number, number[][], number];
    // No parameter belongs to one datum.
    expect(own).toBe(0);
    if (sequential) return;
    expect(Math.abs(mean - 3)).toBeLessThan(0.3);
    [1.5, 3, 4.5].forEach((y, i) => {
      const [expected, khat, ess] = found[i];
      expect(Math.abs(expected - (mean + y) / 2)).toBeLessThan((4.5 * Math.SQRT1_2) / Math.sqrt(ess));
      expect(khat).toBeLessThan(0.7);
      // The prior would have 1,700 in the middle and 1,200 at the ends.
      expect(ess).toBeGreaterThan(1800);
    });
  });

  test('looks at lists of any length, and at what is missing', async () => {
    const { value } = await runProgram(`
      var data = map(function(i) {
        return {ys: repeat(1 + i % 3, function() { return Math.sin(i); }), extra: i % 4 === 0 ? undefined : i};
      }, _.range(12));
      var model = function() {
        return mapData({data: data, batchSize: 6}, function(d) {
          var on = flip(0.5);
          map(function(y) { observe(Gaussian({mu: on ? 1 : -1, sigma: 1}), y); }, d.ys);
          return on;
        });
      };
      Optimize(model, {autoGuide: 'network', steps: 150, optMethod: {adam: {stepSize: 0.03}}});
      map(function(p) { return Math.exp(p.score(true)); },
          posteriors(model, {data: [{ys: [1, 1], extra: 2}, {ys: [-1, -1, -1], extra: undefined}], method: 'forward', samples: 400}))`);
    const [high, low] = value as number[];
    // Exact: 1 / (1 + exp(−2 · sum)), 0.98 and 0.0025.
    expect(high).toBeGreaterThan(0.85);
    expect(low).toBeLessThan(0.15);
  });
});
