import { describe, expect, test } from 'vitest';
import { DreamtDatum } from '../../src/optimize/dreamt-datum.ts';
import { ObservedPlaces } from '../../src/optimize/observed-places.ts';
import { failure, numbersOf, runProgram } from './run-optimize.ts';

describe('a datum while it is dreamt', () => {
  test('is replaced as a whole, or where it was read', () => {
    const whole = new DreamtDatum(3, new ObservedPlaces());
    expect(whole.observed(3, 'dream', 'a')).toBe(true);
    expect(whole.value).toBe('dream');

    const datum = { x: 1, y: 1, list: [1, 2] };
    const dreamt = new DreamtDatum(datum, new ObservedPlaces());
    const shown = dreamt.shown as typeof datum;
    const x = shown.x;
    expect(x).toBe(1);
    expect(dreamt.observed(shown.y, 7, 'a')).toBe(true);
    expect(dreamt.observed(shown.list[1], 8, 'b')).toBe(true);
    expect(dreamt.value).toEqual({ x: 1, y: 7, list: [1, 8] });
    // What is read afterwards is the dream; the real datum is untouched.
    expect(shown.y).toBe(7);
    expect(datum).toEqual({ x: 1, y: 1, list: [1, 2] });
    expect(dreamt.observed(99, 0, 'c')).toBe(false);
    // No part is observed twice.
    expect(dreamt.observed(1, 0, 'd')).toBe(true);
    expect(dreamt.observed(1, 0, 'e')).toBe(false);
  });

  test('which of several equal parts is meant is learned where they differ', () => {
    const places = new ObservedPlaces();
    /** Reads x and y and observes x at one site: which of the two is replaced. */
    const replaced = (datum: { x: number; y: number }): unknown => {
      const dreamt = new DreamtDatum(datum, places);
      const { x } = dreamt.shown as typeof datum;
      expect((dreamt.shown as typeof datum).y).toBe(datum.y);
      expect(dreamt.observed(x, 'dream', 'site')).toBe(true);
      return dreamt.value;
    };
    expect(replaced({ x: 1, y: 1 })).toEqual({ x: 1, y: 'dream' });
    expect(replaced({ x: 1, y: 2 })).toEqual({ x: 'dream', y: 2 });
    expect(replaced({ x: 1, y: 1 })).toEqual({ x: 'dream', y: 1 });
  });
});

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

describe('dreamSample', () => {
  test('makes up data of the form of the real ones', async () => {
    const { value } = await runProgram(`
      var dream = function(model) { return dreamSample(model).data; };
      [
        dream(function() { mapData({data: ['A']}, function(x) { observe(Delta({v: 'a'}), x); }); }),
        dream(function() { mapData({data: [['A', 'B']]}, function(xs) {
          observe(Delta({v: 'b'}), xs[1]); observe(Delta({v: 'a'}), xs[0]); }); }),
        dream(function() { mapData({data: [{x: 1, y: 1}, {x: 2, y: 1}], dreamBatchSize: 2}, function(d) { observe(Delta({v: d.x + 9}), d.y); }); }),
        dream(function() { mapData({data: [[1, 2], [3, 4]]}, function(row) {
          mapData({data: row}, function(y) { observe(Delta({v: 0}), y); }); }); }),
        dream(function() {
          mapData({data: [1]}, function(y) { observe(Delta({v: 'first'}), y); });
          mapData({data: [2]}, function(y) { observe(Delta({v: 'second'}), y); });
        })
      ]`);
    expect(value).toEqual([['a'], [['a', 'b']], [{ x: 1, y: 10 }, { x: 2, y: 11 }], [[0, 0]], [['first'], ['second']]]); // biome-ignore format: one value
  });

  test('makes up as many data as there are where more are asked for, and says how to have more', async () => {
    const { value, warnings } = await runProgram(`
      var model = function() {
        mapData({data: ['A', 'B'], dreamBatchSize: 5}, function(x) { observe(Delta({v: 'a'}), x); });
      };
      [dreamSample(model).data, dreamSample(model).data]`);
    expect(value).toEqual([
      ['a', 'a'],
      ['a', 'a'],
    ]);
    expect(new Set(warnings)).toEqual(
      new Set([
        expect.stringMatching(
          /^mapData: dreamBatchSize is 5, and there are 2 data: .* as in \{dream: \{samples: 3\}\}/,
        ),
      ]),
    );
  });

  test('what mem remembers belongs to where it was made, whichever datum asks first', async () => {
    const model = (first: boolean): string => `dreamSample(function() {
      var shared = mem(function(k) {
        return sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: 100, sigma: 0.1})});
      });
      if (${first}) { shared('a'); }
      mapData({data: [1, 2, 3], dreamBatchSize: 3}, function(y) {
        var own = mem(function(k) { return sample(Gaussian({mu: 5, sigma: 0.1}), {guide: Gaussian({mu: 50, sigma: 1})}); });
        observe(Gaussian({mu: shared('a') + own('a'), sigma: 0.1}), y);
      });
    }).data`;
    const { value: before } = await runProgram(model(true));
    const { value: asked } = await runProgram(model(false));
    expect(asked).toEqual(before);
    // The guide of what all share, and the model for what is a datum's own.
    for (const y of asked as number[]) expect(Math.abs(y - 105)).toBeLessThan(5 * Math.sqrt(3) * 0.1);
  });

  test('what was read before it was observed is made up too', async () => {
    const { value } = await runProgram(`
      var dream = function(data, body) { return dreamSample(function() { mapData({data: data}, body); }).data; };
      [
        dream([[5, 5, 5]], function(ys) {
          var first = ys[0], second = ys[1];
          observe(Delta({v: 1}), first);
          observe(Delta({v: first + 1}), second);
          observe(Delta({v: first + second + 1}), ys[2]);
        }),
        dream([5], function(y) { observe(Delta({v: 1}), y); var k = sample(Delta({v: y + 1})); }),
        dream([{a: true, b: true, c: true}], function(d) {
          var a = d.a, b = d.b, c = d.c;
          observe(Bernoulli({p: 1}), a);
          observe(Bernoulli({p: 0}), b);
          observe(Bernoulli({p: a && !b ? 0 : 1}), c);
        }),
        dream([{y: 1, x: 1}], function(d) { var y = d.y; var x = d.x; observe(Delta({v: x + 1}), y); }),
        dream([{n: 3, ys: [1, 1, 1, 1]}], function(d) {
          var n = d.n;
          observe(Delta({v: 2}), n);
          map(function(i) { observe(Delta({v: i}), d.ys[i]); }, range(n));
        })
      ]`);
    expect(value).toEqual([
      [[1, 2, 4]],
      [1],
      [{ a: true, b: false, c: false }],
      [{ y: 2, x: 1 }],
      [{ n: 2, ys: [0, 1, 1, 1] }],
    ]);
  });

  test('tells the choices behind them', async () => {
    const { value } = await runProgram(`dreamSample(function() {
      mapData({data: [true]}, function(x) { var k = sample(Delta({v: 5})); observe(Delta({v: k}), x); });
    })`);
    const { trace, data } = value as { trace: Record<string, unknown>; data: unknown };
    expect(Object.values(trace)).toEqual([5]);
    expect(data).toEqual([5]);
  });
});

/** P(k | y) for each of the two values of a symptom: what an amortised guide should learn. */
const AMORTISED = (inside: string): string => `var model = function() {
  mapData({data: [true, false]}, function(datum) {
    ${inside}
  });
};
Optimize(model, {steps: 1500, optMethod: {adam: {stepSize: schedules.cosine({from: 0.1, to: 0.001, steps: 1500})}}, estimator: {dream: {samples: 5}}})`;

const POSTERIOR = { true: (0.3 * 0.8) / (0.3 * 0.8 + 0.7 * 0.1), false: (0.3 * 0.2) / (0.3 * 0.2 + 0.7 * 0.9) };

describe('the sleep phase', () => {
  test('teaches guides the posterior of each datum', async () => {
    const { value } = await runProgram(
      AMORTISED(`var k = sample(Bernoulli({p: 0.3}), {guide: Bernoulli({p: sigmoid(param({name: datum ? 'yes' : 'no'}))})});
      observe(Bernoulli({p: k ? 0.8 : 0.1}), datum);`),
    );
    const { yes, no } = numbersOf(value);
    // The noise is that of the last few hundred steps.
    expect(Math.abs(sigmoid(yes[0]) - POSTERIOR.true)).toBeLessThan(0.05);
    expect(Math.abs(sigmoid(no[0]) - POSTERIOR.false)).toBeLessThan(0.05);
  });

  test('with nested data: the guide sees all that was made up for its datum', async () => {
    const { value } = await runProgram(`var model = function() {
      mapData({data: [[true, false]]}, function(symptoms) {
        var both = symptoms[0] === symptoms[1];
        var k = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(param({name: both ? 'same' : 'other'}))})});
        mapData({data: symptoms}, function(symptom, i) {
          observe(Bernoulli({p: k && i === 1 ? 0.9 : 0.1}), symptom);
        });
      });
    };
    Optimize(model, {steps: 1500, optMethod: {adam: {stepSize: schedules.cosine({from: 0.1, to: 0.001, steps: 1500})}}, estimator: {dream: {samples: 5}}})`);
    const { same, other } = numbersOf(value);
    // P(same | k) = 0.18 and P(same | not k) = 0.82.
    expect(Math.abs(sigmoid(same[0]) - 0.18)).toBeLessThan(0.05);
    expect(Math.abs(sigmoid(other[0]) - 0.82)).toBeLessThan(0.05);
  });

  test('of a series whose values were read beforehand: each depends on the one made up before it', async () => {
    // y1 ~ N(0, 1) and y2 ~ N(y1 + x, 1), so that given both x is y2 − y1 shrunk by a half.
    const { value } = await runProgram(`var model = function() {
      mapData({data: [{y1: 30, y2: 50}]}, function(d) {
        var y1 = d.y1, y2 = d.y2;
        var x = sample(Gaussian({mu: 0, sigma: 1}), {
          guide: Gaussian({mu: param({name: 'a', mu: 0, sigma: 0}) * (y2 - y1), sigma: softplus(param({name: 's'}))})
        });
        observe(Gaussian({mu: 0, sigma: 1}), y1);
        observe(Gaussian({mu: y1 + x, sigma: 1}), y2);
      });
    };
    Optimize(model, {steps: 1000, optMethod: {adam: {stepSize: schedules.cosine({from: 0.1, to: 0.001, steps: 1000})}}, estimator: {dream: {samples: 5}}})`);
    const { a, s } = numbersOf(value);
    expect(Math.abs(a[0] - 0.5)).toBeLessThan(0.05);
    expect(Math.abs(Math.log1p(Math.exp(s[0])) - Math.sqrt(0.5))).toBeLessThan(0.05);
  });

  test('leaves guides outside mapData alone', async () => {
    const { value, warnings } = await runProgram(`var model = function() {
      var a = sample(Bernoulli({p: 0.9}), {guide: Bernoulli({p: sigmoid(param({name: 'a', mu: 0.3, sigma: 0}))})});
      mapData({data: [true]}, function(y) {
        var k = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(param({name: 'b'}))})});
        observe(Bernoulli({p: a && k ? 0.9 : 0.1}), y);
      });
    };
    Optimize(model, {steps: 10, estimator: 'dream'})`);
    const { a } = numbersOf(value);
    expect(a ?? [0.3]).toEqual([0.3]);
    expect(warnings).toEqual([]);
  });

  test('a guide that rules out what was made up is named; --explain-guides tells of those that learn', async () => {
    const code = (guide: string): string => `Optimize(function() {
      var a = sample(Bernoulli({p: 0.9}));
      mapData({data: [0, 1]}, function(y) {
        var k = sample(Discrete({ps: [0.5, 0.5]}), {guide: ${guide}});
        observe(Gaussian({mu: k, sigma: 1}), y);
      });
    }, {estimator: 'dream', steps: 20})`;
    expect(await failure(code('Discrete({ps: [1, 0]})'))).toMatch(
      /^The choice at program\.wppl:4:17 \(address \S+\) for datum \d is 1, which has score -Infinity under its guide Discrete\(\{ps: \[1, 0\]\}\) at program\.wppl:4:\d+\. /,
    );
    const { warnings } = await runProgram(code("Discrete({ps: simplex(param({name: 'a', dims: [1, 1]}))})"), {
      engine: { explainGuides: true },
    });
    expect(warnings.map((line) => line.replace(/at [\d/[\]*]+:/g, 'at …:'))).toEqual([
      'Guides of the first execution:\n' +
        '  program.wppl:4:17 at …: Discrete is guided by Discrete (learns to find it likely)',
    ]);
  });

  test('says what it cannot do', async () => {
    const dream = (body: string): string => `Optimize(function() { ${body} }, {estimator: 'dream'})`;
    expect(await failure(dream('factor(1);'))).toBe(
      'dream makes up data, and so needs to know how they come about: the model must use observe, not factor or condition.',
    );
    expect(await failure(dream('observe(Bernoulli({p: 0.5}), true);'))).toBe(
      'dream makes up the data that mapData goes through; the model must not observe anything outside mapData.',
    );
    expect(
      await failure(dream('mapData({data: [2]}, function(y) { observe(Gaussian({mu: 0, sigma: 1}), y * y); });')),
    ).toBe(
      'dream cannot tell where in the datum the observed value 4 comes from. ' +
        'Inside mapData, observe the datum or a field of it as it stands, not something computed from it. (at datum 0)',
    );
    expect(
      await failure(dream('mapData({data: [2]}, function(y) { observe(Gaussian({mu: y + 1, sigma: 1}), y); });')),
    ).toMatch(/^dream cannot make up data for this model: what it observes depends on the value that it observes, or/);
    expect(await failure(dream('sum(mapData({data: [2, 3]}, function(y) { return 1; }));'))).toMatch(
      /^The program uses what mapData returns, and dream makes up some of the data alone/,
    );
    expect(await failure(dream('mapData({data: []}, function(y) {});'))).toBe(
      'dream needs at least one datum in mapData, as an example of its form.',
    );
  });
});
