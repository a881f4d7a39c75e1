/** States of sequences are summed out by default: gradients and bounds are exact, at the cost of the forward algorithm. */
import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/runtime/machine.ts';
import { exactElbo, exactGradient } from './exact-elbo.ts';
import { gradientMoments, modelOf, tableOf, totalVariance } from './gradient-samples.ts';
import { runProgram } from './run-optimize.ts';

/** A walk between three states, whose guide looks at the state before and at what is seen. */
const WALK = `
  var rows = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.2, 0.6]];
  var walk = function(k, y) {
    var row = rows[k];
    var next = sample(Discrete({ps: row}), {
      guide: Discrete({ps: simplex(T.add(T.mul(param({name: 'w', dims: [2, 1]}), y - k), param({name: 'v', dims: [2, 1]})))})
    });
    observe(Gaussian({mu: next * modelParam({name: 'm'}), sigma: 1}), y);
    return next;
  };`;
const params = { w: [0.3, -0.2], v: [0.1, 0.4], m: 0.8 };

interface Sequences {
  readonly code: string;
  readonly params: Record<string, number | number[]>;
  /** Where something is drawn besides. */
  readonly drawn?: true;
}

const PROGRAMS: Record<string, Sequences> = {
  'one sequence': {
    code: `${WALK} var model = function() { foldData({data: [0.5, 1.9, 1.2], init: 0}, walk); }; model`,
    params,
  },
  'sequences as data': {
    code: `${WALK} var model = function() {
      mapData({data: [[0.5, 1.9], [1.2, -0.3], [2.5, 0.1]]}, function(ys) { foldData({data: ys, init: 1}, walk); });
    }; model`,
    params,
  },
  'sequences of different length': {
    code: `${WALK} var model = function() {
      mapData({data: [[0.5], [1.2, -0.3, 0.4], [2.5, 0.1]]}, function(ys) { return foldData({data: ys, init: 1}, walk); });
    }; model`,
    params,
  },
  'a state that is an object, and another choice in each step': {
    code: `var model = function() {
      foldData({data: [0.5, 1.9, 1.2], init: {on: false, was: 'nothing'}}, function(s, y) {
        var on = sample(Bernoulli({p: s.on ? 0.7 : 0.4}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}) * (s.was === 'off' ? 1 : -1) * y)})});
        var loud = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(param({name: 'b'}) + (on ? 1 : 0))})});
        observe(Gaussian({mu: (on ? 1 : 0) + (loud ? 0.5 : 0), sigma: 1}), y);
        return {on: on, was: on ? 'on' : 'off'};
      });
    }; model`,
    params: { a: 0.4, b: -0.3 },
  },
  'a choice in some states only': {
    code: `var model = function() {
      foldData({data: [0.5, 1.9, 1.2], init: false}, function(s, y) {
        if (s) {
          observe(Gaussian({mu: modelParam({name: 'm'}), sigma: 1}), y);
          return sample(Bernoulli({p: 0.6}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}))})});
        }
        observe(Gaussian({mu: 0, sigma: 1}), y);
        return sample(Bernoulli({p: 0.3}), {guide: Bernoulli({p: sigmoid(param({name: 'b'}) * y)})});
      });
    }; model`,
    params: { a: 0.4, b: -0.3, m: 0.7 },
  },
  'what comes after looks at the last state': {
    code: `${WALK} var model = function() {
      var last = foldData({data: [0.5, 1.9], init: 0}, walk);
      observe(Gaussian({mu: last === 2 ? 1 : -last, sigma: 1}), 0.7);
    }; model`,
    params,
    drawn: true,
  },
  'a coin before it, and data after': {
    code: `${WALK} var model = function() {
      var first = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}))}), gradient: 'score'});
      foldData({data: [0.5, 1.9], init: first ? 0 : 2}, walk);
      mapData({data: [0.2, 0.4]}, function(y) { observe(Gaussian({mu: first ? 0 : 1, sigma: 1}), y); });
    }; model`,
    params: { ...params, a: 0.3 },
    drawn: true,
  },
};

describe('the mean is the exact gradient', () => {
  test.each(Object.entries(PROGRAMS))('%s', async (_name, { code, params: given, drawn }) => {
    const table = tableOf(given);
    const model = await modelOf(code);
    const exact = exactGradient(model, table);
    const steps = drawn ? 400 : 3;
    const { gradients, objective } = gradientMoments(await modelOf(code), table, {}, steps, {
      gradients: (process.env.G ?? 'automatic') as 'automatic',
    });
    expect(Math.abs(objective.mean - exactElbo(model, table))).toBeLessThan(4 * objective.standardError + 1e-6);
    for (const [name, slopes] of exact) {
      const { mean, standardError } = gradients.get(name)!;
      slopes.forEach((slope, k) => {
        const what = `${name}[${k}]: ${mean[k]} ± ${standardError[k]}, exactly ${slope}`;
        expect(Math.abs(mean[k] - slope), what).toBeLessThan(4 * standardError[k] + 1e-6);
      });
    }
    if (!drawn) expect(totalVariance(gradients)).toBeLessThan(1e-12);
  });
});

test('a long sequence costs as many times more as it is longer', async () => {
  const seen = Array.from({ length: 60 }, (_, i) => Math.round(10 * (1 + Math.sin(i))) / 10);
  const code = `${WALK} var model = function() { foldData({data: ${JSON.stringify(seen)}, init: 0}, walk); }; model`;
  const table = tableOf(params);
  const { gradients, objective } = gradientMoments(await modelOf(code), table, {}, 2, {
    warmUp: 2,
    gradients: 'automatic',
  });
  expect(objective.mean).toBeCloseTo(averageScore(seen), 6);
  expect(totalVariance(gradients)).toBeLessThan(1e-9);
  // Three states, three values each: what is said counts choices, not lanes.
  const engine = { explainGuides: true } as Run['engine'];
  const { warnings } = await runProgram(
    `${code.replace(/; model$/, '')}; Optimize(model, {steps: 2, checkGradients: false})`,
    { engine },
  );
  expect(warnings.join('\n')).toContain(
    'Discrete is guided by Discrete (enumeration, since it has few values; states of foldData that are equal are summed once), 60 times',
  );
});

test('chains may have a dozen states', async () => {
  const code = `var model = function() {
    foldData({data: [4, 9, 2], init: 0}, function(k, y) {
      var z = sample(RandomInteger({n: 12}), {guide: Discrete({ps: softmax(T.mul(param({name: 'w', dims: [12, 1]}), y - k))})});
      observe(Gaussian({mu: z, sigma: 1 + 0.1 * k}), y);
      return z;
    });
  }; model`;
  const table = tableOf({ w: Array.from({ length: 12 }, (_, i) => 0.02 * i) });
  const { gradients, objective } = gradientMoments(await modelOf(code), table, {}, 3, { gradients: 'automatic' });
  expect(objective.mean).toBeCloseTo(exactElbo(await modelOf(code), table), 6);
  expect(totalVariance(gradients)).toBeLessThan(1e-9);
});

/** The ELBO of the walk from state 0, by going forward through how probable the guide makes each state. */
function averageScore(seen: readonly number[]): number {
  const rows = [
    [0.7, 0.2, 0.1],
    [0.3, 0.4, 0.3],
    [0.2, 0.2, 0.6],
  ];
  let reach = [1, 0, 0];
  let total = 0;
  for (const y of seen) {
    const next = [0, 0, 0];
    for (const k of [0, 1, 2]) {
      const weights = [...params.w.map((w, j) => Math.exp(w * (y - k) + params.v[j])), 1];
      const sum = weights.reduce((a, b) => a + b, 0);
      weights.forEach((weight, j) => {
        const q = weight / sum;
        const density = -0.5 * (y - j * params.m) ** 2 - 0.5 * Math.log(2 * Math.PI);
        total += reach[k] * q * (Math.log(rows[k][j]) + density - Math.log(q));
        next[j] += reach[k] * q;
      });
    }
    reach = next;
  }
  return total;
}

test('data one by one, and in minibatches, give the same', async () => {
  const { code } = PROGRAMS['sequences of different length'];
  const table = tableOf(params);
  const few = { warmUp: 1, gradients: 'automatic' } as const;
  const together = gradientMoments(await modelOf(code), table, {}, 2, few).gradients;
  const alone = gradientMoments(await modelOf(code, true), table, {}, 2, { ...few, steady: false }).gradients;
  for (const [name, { mean }] of alone) {
    mean.forEach((value, k) => {
      expect(together.get(name)!.mean[k], name).toBeCloseTo(value, 8);
    });
  }
  const batches = code.replace('mapData({', 'mapData({batchSize: 2, ');
  const { objective } = gradientMoments(await modelOf(batches), table, {}, 200, few);
  const exact = exactElbo(await modelOf(code), table);
  expect(Math.abs(objective.mean - exact)).toBeLessThan(4 * objective.standardError + 1e-6);
});

describe('where states cannot be summed they are drawn', () => {
  const optimised = (step: string, options = ''): string =>
    `var model = function() { foldData({data: [1, 2, 1, 2, 1, 2], init: 0}, function(k, y, i) { ${step} }); };
     Optimize(model, {steps: 4, checkGradients: false, ${options}})`;
  const flip = 'var x = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(param({name: "a"}))})});';

  test.each([
    [
      'a state that remembers its past',
      'var x = sample(RandomInteger({n: 4})); observe(Gaussian({mu: k, sigma: 1}), y); return 4 * k + x;',
    ],
    [
      'a state with parameters in it',
      `${flip} observe(Gaussian({mu: k, sigma: 1}), y); return x ? k + param({name: 'b'}) : 0;`,
    ],
    [
      'a continuous state',
      'var z = sample(Gaussian({mu: k, sigma: 1})); observe(Gaussian({mu: z, sigma: 1}), y); return z;',
    ],
    [
      'another choice that must be drawn',
      `${flip} var n = sample(Poisson({mu: 1}), {guide: Poisson({mu: softplus(param({name: 'l'}))})}); observe(Gaussian({mu: n, sigma: 1}), y); return x ? 1 : 0;`,
    ],
    [
      'a state that the model forbids',
      `${flip} observe(Bernoulli({p: 0.5}), true); factor(i === 3 && k && !x ? -Infinity : 0); return x ? 1 : 0;`,
    ],
  ])('%s', async (_name, step) => {
    const engine = { explainGuides: true } as Run['engine'];
    const told = (await runProgram(optimised(step, 'onStep: function() {}'), { engine })).warnings.join('\n');
    expect(told).not.toContain('summed once');
  });

  test('and the paper’s rules are as they were', async () => {
    const engine = { explainGuides: true } as Run['engine'];
    const text = optimised(
      `${flip} observe(Gaussian({mu: x ? 1 : 0, sigma: 1}), y); return x ? 1 : 0;`,
      "gradients: 'paper'",
    );
    const told = (await runProgram(text, { engine })).warnings.join('\n');
    expect(told).toContain('Bernoulli is guided by Bernoulli (score function), 6 times');
  });
});
