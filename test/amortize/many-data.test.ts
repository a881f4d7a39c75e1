/** `posteriors` of a network runs the samples of all data as one. Each datum's result is what it is alone. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { meter } from '../../src/lanes/columns/meter.ts';
import { run } from '../../src/program/run.ts';

// So few executions would be given up.
beforeEach(() => {
  meter.isPatient = true;
});
afterEach(() => {
  meter.isPatient = false;
});

interface Told {
  readonly samples: readonly { readonly value: number; readonly score: number }[];
  readonly diagnostics: Readonly<Record<string, number>>;
}

async function told(code: string): Promise<{ all: readonly Told[]; after: number; ways: readonly string[] }> {
  const ways: string[] = [];
  const engine = { explainBatching: true };
  const { value } = await run(code, { seed: 5, file: 'program.wppl', warn: (text) => ways.push(text), engine });
  const [all, after] = value as [Told[], number];
  return { all, after, ways };
}

/** Models with data of different lengths and makes, and the network that they have. */
const MODELS: Readonly<Record<string, readonly [string, string]>> = {
  'clusters: lists of different lengths, choices that look for data': [
    `var model = function(data) {
      var k = 1 + poisson(1);
      var mus = repeat(k, function() { return gaussian(0, 5); });
      map(function(y) { observe(Gaussian({mu: uniformDraw(mus), sigma: 1}), y); }, data);
      return k + mus[0] / 10;
    };`,
    '[[4.1, -2.2], [0.3], [1, 3], [2.5]]',
  ],
  'objects, some of which miss a part': [
    `var model = function(d) {
      var m = gaussian(0, 2);
      var s = flip(0.4) ? 1 : 3;
      observe(Gaussian({mu: m, sigma: s}), d.a);
      observe(Gaussian({mu: 2 * m, sigma: 1}), d.b);
      return m * s;
    };`,
    '[{a: 1, b: 2}, {a: -1, b: undefined}, {a: 3, b: 5}, {a: 0, b: 1}]',
  ],
  'a long chain, which reads data by their places alone': [
    `var walk = function(i, x, data) {
      if (i === data.length) { return x; }
      var next = flip(0.3) ? gaussian(x, 2) : gaussian(x, 0.3);
      observe(Gaussian({mu: next, sigma: 0.5}), data[i]);
      return walk(i + 1, next, data);
    };
    var model = function(data) { return walk(0, 0, data); };`,
    `map(function(n) { return map(function(i) { return Math.sin(i + n); }, _.range(34)); }, _.range(3))`,
  ],
};

/** Few executions of each datum, and many, which the network speaks to datum by datum where they look for data. */
const ASKED = ["{samples: 40, method: 'importance'}", "{samples: 40, method: 'forward'}", '{samples: 150}'];

test.each(Object.keys(MODELS))('%s', async (name) => {
  const [model, list] = MODELS[name];
  const code = (posteriors: (options: string) => string): string => `
    ${model}
    var list = ${list};
    var net = Amortize(model, {example: list[0], steps: 6, samples: 32, stepSize: 0.02, verbose: false});
    var told = function(p) { return {samples: p.samples, diagnostics: p.diagnostics}; };
    var all = [${ASKED.map(posteriors).join(', ')}];
    [_.flatten(all).map(told), gaussian(0, 1)]`;
  const together = await told(code((options) => `net.posteriors(list, ${options})`));
  const data = Array.from({ length: together.all.length / ASKED.length }, (_, i) => `list[${i}]`);
  const alone = await told(code((options) => `[${data.map((d) => `net.posterior(${d}, ${options})`).join(', ')}]`));
  expect(together.ways.filter((way) => /data with (40|150) executions each side by side/.test(way))).toHaveLength(3);
  expect(together.after).toBe(alone.after);
  // The network sums in single precision, in another order where data differ: values agree to about six digits.
  together.all.forEach(({ samples, diagnostics }, d) => {
    const other = alone.all[d];
    expect(samples).toHaveLength(other.samples.length);
    samples.forEach(({ value, score }, i) => {
      expect(value).toBeCloseTo(other.samples[i].value, 3);
      expect(score).toBeCloseTo(other.samples[i].score, 3);
    });
    for (const key of ['choices', 'unseen', 'unknownData']) expect(diagnostics[key]).toBe(other.diagnostics[key]);
    expect(diagnostics.ess).toBeCloseTo(other.diagnostics.ess, 2);
  });
});
