/** The gradients of the EUBO and of dreams have the exact ones as their means, whatever way executions take. */
import { describe, expect, test } from 'vitest';
import type { Trace } from '../../src/inference/chains/trace.ts';
import { dream } from '../../src/optimize/dream.ts';
import type { Estimator } from '../../src/optimize/estimator.ts';
import { eubo } from '../../src/optimize/eubo.ts';
import { slopesOf } from './exact-elbo.ts';
import { dreamTeaching, traceTeaching } from './exact-given.ts';
import { expectMean, gradientMoments, type Moments, modelOf, tableOf } from './gradient-samples.ts';

const DREAM = dream as unknown as Estimator<object>;
const EUBO = eubo as unknown as Estimator<object>;

type Program = { readonly code: string; readonly params: Readonly<Record<string, number>> };

const GUIDES = `var coin = function(p, x) {
    return sample(Bernoulli({p: p}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}) + param({name: 'b'}) * x)})});
  };
  var three = function(ps, x) {
    return sample(Discrete({ps: ps}), {guide: Discrete({ps: [1, Math.exp(param({name: 'c'}) * x), Math.exp(param({name: 'd'}))]})});
  };`;
const TWO = { a: 0.3, b: -0.7 };
const FOUR = { ...TWO, c: 0.4, d: -0.5 };

/** Parts of an example differ, so that it is plain which of them was observed. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  'a coin for each datum': {
    code: `mapData({data: [5, 7]}, function(y) { var k = coin(0.3, y); observe(Discrete({ps: k ? [1, 2] : [3, 1]}), y); });`,
    params: TWO,
  },
  'a branch with a choice of its own': {
    code: `mapData({data: [5, 7, 8]}, function(y) {
      var k = coin(0.4, y);
      if (k) { var j = three([0.2, 0.5, 0.3], y); observe(Discrete({ps: [1, 1 + j]}), y); }
      else { observe(Discrete({ps: [2, 1]}), y); }
    });`,
    params: FOUR,
  },
  'different choices on both sides': {
    code: `mapData({data: [5, 7]}, function(y) {
      var n = coin(0.6, y) ? three([0.2, 0.5, 0.3], y) : coin(0.2, -y) + 1;
      observe(Discrete({ps: [1, 1 + n]}), y);
    });`,
    params: FOUR,
  },
  recursion: {
    code: `var depth = function(n, y) { return n < 3 && coin(0.5, y - n) ? 1 + depth(n + 1, y) : 0; };
    mapData({data: [5, 7]}, function(y) { observe(Discrete({ps: [2, depth(0, y) + 1]}), y); });`,
    params: TWO,
  },
  'data of which parts are read and others observed': {
    code: `mapData({data: [{x: 0.3, y: 5, z: 7}, {x: -1, y: 5, z: 7}, {x: 2, y: 5, z: 7}]}, function(d) {
      var k = coin(sigmoid(d.x), d.y + d.x);
      observe(Discrete({ps: [1, k ? 3 : 1]}), d.y);
      observe(Discrete({ps: [1, k ? 1 : 2]}), d.z);
    });`,
    params: TWO,
  },
  'nested data': {
    code: `mapData({data: [[5, 7], [8, 9]]}, function(ys) {
      var m = coin(0.4, ys[1]);
      mapData({data: ys}, function(y) { var k = three([1, m ? 2 : 1, 1], y); observe(Discrete({ps: [1, 1 + k]}), y); });
    });`,
    params: FOUR,
  },
  'nested data of different length': {
    code: `mapData({data: [[5], [6, 7], [8, 9]]}, function(ys) {
      mapData({data: ys}, function(y) { var k = coin(0.4, y); observe(Discrete({ps: [1, k ? 3 : 1]}), y); });
    });`,
    params: TWO,
  },
  'sequences of different length': {
    code: `mapData({data: [[5, 7, 9], [6], [8, 4]]}, function(ys) {
      foldData({data: ys, init: false}, function(before, y) {
        var k = coin(before ? 0.8 : 0.3, y + (before ? 1 : 0));
        observe(Discrete({ps: [1, k ? 3 : 1]}), y);
        return k;
      });
    });`,
    params: TWO,
  },
  'sequences with choices on sides': {
    code: `mapData({data: [[5, 7], [6]]}, function(ys) {
      foldData({data: ys, init: 0}, function(n, y) {
        var next = coin(0.5, y) ? three([1, 1 + n, 2], y) : n;
        observe(Discrete({ps: [1, 1 + next]}), y);
        return next;
      });
    });`,
    params: FOUR,
  },
  'minibatches, and several data in a dream': {
    code: `mapData({data: [5, 7, 8], batchSize: 2, dreamBatchSize: 2}, function(y) {
      var k = coin(0.3, y);
      if (k && coin(0.6, -y)) { observe(Discrete({ps: [1, 4]}), y); } else { observe(Discrete({ps: [2, 1]}), y); }
    });`,
    params: TWO,
  },
  'parameters of the model, and a choice before the data': {
    code: `var m = sigmoid(modelParam({name: 'm'}));
    var k = sample(Bernoulli({p: 0.3}), {guide: Bernoulli({p: sigmoid(param({name: 'd'}))})});
    mapData({data: [5, 7]}, function(y) {
      var j = coin(k ? m : 0.5, k ? y : 1 - y);
      observe(Discrete({ps: [1, j ? 3 * m : m]}), y);
    });`,
    params: { ...TWO, d: 0.4, m: 0.6 },
  },
  'what is remembered for a datum': {
    code: `mapData({data: [5, 7]}, function(y) {
      var known = mem(function(i) { return coin(0.3 + 0.2 * i, y - i); });
      var n = known(0) ? 1 + (known(1) ? 1 : 0) : (known(0) ? 3 : 0);
      observe(Discrete({ps: [1, 1 + n]}), y);
    });`,
    params: TWO,
  },
};

const codeOf = ({ code }: Program): string => `${GUIDES} var model = function() { ${code} };`;

function expectSlopes(gradients: Map<string, Moments>, exact: Map<string, Float64Array>): void {
  for (const [name, [slope]] of exact) {
    const found = gradients.get(name);
    // (What teaches guides meets no parameter of the model that they do not use.)
    if (found === undefined) expect(slope, name).toBeCloseTo(0, 9);
    else expectMean(found.mean[0], found.standardError[0], slope, name);
  }
}

describe('dreams', () => {
  test.each(Object.entries(PROGRAMS))('%s', async (_name, program) => {
    const model = await modelOf(`${codeOf(program)} model`);
    const table = tableOf(program.params);
    const { gradients } = gradientMoments(model, table, { samples: 4 }, 500, { estimator: DREAM });
    expect(gradients.size).toBeGreaterThan(1);
    expectSlopes(gradients, slopesOf(dreamTeaching(model, table), table));
  });
});

/** What is observed of an example is impossible: only its form counts. */
const SOFT = 'var observe = function(dist) { factor(0.5 * dist.score(0)); };';

describe('the EUBO', () => {
  test.each(Object.entries(PROGRAMS))('%s', async (_name, program) => {
    const infer = "Infer({method: 'SMC', importance: 'ignoreGuide', particles: 16, saveTraces: true, model: model})";
    // (What the model is like has to be known, to run it without guides.)
    const known = 'Optimize(model, {steps: 1, checkGradients: false});';
    const found = (await modelOf(`${SOFT} ${codeOf(program)} ${known} [model, ${infer}.traces]`)) as unknown;
    const [model, traces] = found as [() => unknown, readonly Trace<unknown>[]];
    const table = tableOf(program.params);
    const exact = slopesOf(traceTeaching(model, traces), table);
    const some = gradientMoments(model, table, { traces, batchSize: 5 }, 300, { estimator: EUBO });
    expectSlopes(some.gradients, exact);
    const all = gradientMoments(model, table, { traces, batchSize: traces.length }, 8, { estimator: EUBO, warmUp: 8 });
    expectSlopes(all.gradients, exact);
  });
});
