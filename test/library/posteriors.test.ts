import { describe, expect, expectTypeOf, test } from 'vitest';
import { type DatumPosterior, flip, mapData, posteriorPredictive, posteriors } from '../../src/library/index.ts';
import { run } from '../../src/program/run.ts';

const valueBy = async (code: string, sequential = false, file = 'program.wppl'): Promise<unknown> => {
  const { value } = await run(code, { seed: 1, file, warn: () => {}, engine: { sequential } });
  return value;
};

/** x ~ N(0, 1), y ~ N(x, 1) for each datum: given y, x is N(y/2, 1/√2), and y is N(0, √2). Guides are wrong on purpose. */
const NORMAL = `
  var net = nn.mlp(1, [{nOut: 2}], 'net');
  var model = function() {
    return mapData({data: [-1, 0.5, 2]}, function(y) {
      var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: function() {
        return Gaussian({mu: T.get(nneval(net, Vector([y])), 0) / 4 + 0.3 * y, sigma: 1});
      }});
      observe(Gaussian({mu: x, sigma: 1}), y);
      return x;
    });
  };`;

const told = `
  var told = function(p) { return {mean: expectation(p), spread: stdev(p), ess: p.diagnostics.ess, khat: p.diagnostics.khat, logZ: p.logZ, size: p.samples.length}; };`;

interface Told {
  mean: number;
  spread: number;
  ess: number;
  khat: number;
  logZ: number;
  size: number;
}

/** Of log densities of N(0, √2). */
const evidence = (y: number): number => -0.25 * y * y - 0.5 * Math.log(4 * Math.PI);

describe.each(['importance', 'SMC'])('%s gives the exact posterior of each datum', (method) => {
  test('conjugate normals', async () => {
    const all = (await valueBy(
      `${NORMAL} ${told} posteriors(model, {samples: 4000, method: '${method}'}).map(told)`,
    )) as Told[];
    expect(all).toHaveLength(3);
    for (const [i, y] of [-1, 0.5, 2].entries()) {
      const { mean, spread, ess, khat, logZ, size } = all[i];
      expect(size).toBe(4000);
      expect(ess).toBeGreaterThan(1000);
      expect(khat).toBeLessThan(0.7);
      // Five standard errors.
      const error = (5 * Math.SQRT1_2) / Math.sqrt(ess);
      expect(Math.abs(mean - y / 2)).toBeLessThan(error);
      expect(Math.abs(spread - Math.SQRT1_2)).toBeLessThan(error);
      expect(Math.abs(logZ - evidence(y))).toBeLessThan(5 * Math.sqrt(1 / ess));
    }
  });

  test('choices that can be enumerated, recursion, and data of the call', async () => {
    const both = (await valueBy(`
      var count = function(n) { return n === 3 || flip(0.6) ? n : count(n + 1); };
      var body = function(d) {
        var k = sample(RandomInteger({n: 3}), {guide: function() { return Discrete({ps: simplex(Vector([param({name: 'w'}) * d.y, 0.1]))}); }});
        var c = count(0);
        observe(Gaussian({mu: k + c, sigma: 1}), d.y);
        condition(d.least <= k + c);
        return k + ':' + c;
      };
      var model = function() { return mapData({data: [{y: 9, least: 0}]}, body); };
      var data = [{y: 0, least: 0}, {y: 3, least: 1}, {y: 2, least: 4}];
      var found = posteriors(model, {samples: 4000, method: '${method}', data: data});
      map2(function(p, d) {
        var exact = Infer({method: 'enumerate', model() { return body(d); }});
        return {ess: p.diagnostics.ess, errors: map(function(v) { return Math.exp(p.score(v)) - Math.exp(exact.score(v)); }, exact.support())};
      }, found, data)`)) as { ess: number; errors: number[] }[];
    expect(both).toHaveLength(3);
    for (const { ess, errors } of both) {
      // Five standard errors of a share of one half.
      for (const error of errors) expect(Math.abs(error)).toBeLessThan(2.5 / Math.sqrt(ess));
    }
  });
});

test('forward gives what the guides draw, and says how good they are', async () => {
  const code = `
    var model = function() {
      return mapData({data: [-1, 3]}, function(y) {
        var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: function() { return Gaussian({mu: y / 2, sigma: Math.SQRT1_2}); }});
        observe(Gaussian({mu: x, sigma: 1}), y);
        return x;
      });
    };
    ${told} posteriors(model, {samples: 2000, method: 'forward'}).map(told)`;
  const all = (await valueBy(code)) as Told[];
  for (const [i, y] of [-1, 3].entries()) {
    expect(Math.abs(all[i].mean - y / 2)).toBeLessThan((5 * Math.SQRT1_2) / Math.sqrt(2000));
    // All weights are the same where a guide is the posterior.
    expect(all[i].ess).toBeCloseTo(2000, 3);
  }
});

test('what all data share is as it was learned, and is not weighed by one of them', async () => {
  const all = (await valueBy(`
    var model = function() {
      var shift = sample(Gaussian({mu: 0, sigma: 1}), {guide: function() { return Delta({v: 5}); }});
      factor(-1000 * shift);
      return mapData({data: [4, 6]}, function(y) {
        var x = gaussian(shift, 1);
        observe(Gaussian({mu: x, sigma: 1}), y);
        return x;
      });
    };
    ${told} posteriors(model, {samples: 4000}).map(told)`)) as Told[];
  for (const [i, y] of [4, 6].entries()) {
    expect(Math.abs(all[i].mean - (5 + y) / 2)).toBeLessThan((5 * Math.SQRT1_2) / Math.sqrt(all[i].ess));
  }
});

test.each(['importance', 'forward', 'SMC'])('%s: side by side as one by one', async (method) => {
  const code = `${NORMAL} posteriors(model, {samples: 60, method: '${method}', params: {'net.0w': Matrix([[1], [0.5]]), 'net.0b': Vector([0, 1])}, data: Vector([1, 2])})
    .map(function(p) { return [p.samples, p.weights, p.diagnostics, p.logZ]; })`;
  expect(await valueBy(code)).toEqual(await valueBy(code, true));
});

test.each([
  ['posteriors(function() { return flip(0.5); })', /needs a model that calls mapData/],
  ['posteriors({model: model})', /posteriors takes the model first, as in posteriors\(model, \{samples, data\}\)/],
  ['posteriors(model, {sample: 10})', /posteriors has no option 'sample'.*did you mean 'samples'/i],
  ['posteriors(model, {samples: 0})', /samples must be an integer of at least 1/],
  ["posteriors(model, {method: 'MCMC'})", /method must be one of 'importance', 'forward', 'SMC'/],
  ['posteriors(model, {data: 3})', /posteriors: data must be an array, a vector, or a matrix for its rows, got 3/],
  ['posteriors(model, {params: 3})', /posteriors: params needs parameters by name/],
  ["posteriors(model, {data: [1, 'x']})", /at datum 1/],
  [
    'posteriors(function() { return mapData({data: [1, 2]}, function(y) { condition(y < 2); return y; }); })',
    /at datum 1/,
  ],
  ['posteriorPredictive(Gaussian({mu: 0, sigma: 1}))', /takes a function that predicts/],
  ['posteriorPredictive([1], function(x) { return x; })', /takes a posterior first/],
  [
    'posteriorPredictive(Gaussian({mu: 0, sigma: 1}), function(x) { return x; }, {sampels: 3})',
    /did you mean 'samples'/i,
  ],
])('%s', async (code, message) => {
  await expect(valueBy(`${NORMAL} ${code}`)).rejects.toThrow(message);
});

test('no data, no posteriors', async () => {
  expect(await valueBy(`${NORMAL} posteriors(model, {data: []})`)).toEqual([]);
});

test('predictions have the spread of the posterior and their own', async () => {
  const [one, many] = (await valueBy(`${NORMAL}
    var found = posteriors(model, {samples: 2000, data: [0, 2]});
    var exact = Infer({method: 'enumerate', model() { return flip(0.25); }});
    var predicted = posteriorPredictive(exact, function(b) { return b ? 1 : uniform(0, 1) < 0.5 ? 1 : 0; }, {samples: 4000});
    [expectation(predicted), posteriorPredictive(found, function(x, i) { return gaussian(x + i, 1); }, {samples: 4000})
      .map(function(p) { return [expectation(p), variance(p)]; })]`)) as [number, [number, number][]];
  expect(Math.abs(one - 0.625)).toBeLessThan(5 * Math.sqrt(0.25 / 4000));
  for (const [i, [mean, spread]] of many.entries()) {
    // x has mean i (y / 2 of 0 and 2) and variance 1/2.
    expect(Math.abs(mean - 2 * i)).toBeLessThan(5 * (Math.sqrt(1.5 / 4000) + Math.sqrt(0.5 / 500)));
    expect(Math.abs(spread - 1.5)).toBeLessThan(0.3);
  }
});

test('the type of a result is that of what the function given to mapData returns', () => {
  const model = () => mapData({ data: [1, 2] }, (y) => ({ y, b: flip(0.5) }));
  const typed = () => {
    expectTypeOf(posteriors(model)).toEqualTypeOf<DatumPosterior<{ y: number; b: boolean }>[]>();
    expectTypeOf(posteriors(model)[0].diagnostics.khat).toEqualTypeOf<number>();
    expectTypeOf(
      posteriorPredictive(posteriors(model), ({ b }, i) => (b ? i : 'no'))[0].samples[0].value,
    ).toEqualTypeOf<string | number>();
    // @ts-expect-error there is no such option
    posteriors(model, { sample: 3 });
    // @ts-expect-error nor such a method
    posteriors(model, { method: 'MCMC' });
  };
  expect(typed).toBeTypeOf('function');
});
