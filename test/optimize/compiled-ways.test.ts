/** Every objective compiles the steps of programs in which executions, samples and data take other ways each time, and finds what one by one finds. */
import { describe, expect, test } from 'vitest';
import { numbersOf, runProgram } from './run-optimize.ts';

const STEPS = 48;
/** A few steps are executed before one is recorded for all ways, and where a way is taken for the first time. */
const MOST_EXECUTED = 20;

const OBJECTIVES = {
  ELBO: "'ELBO'",
  IWAE: '{IWAE: {samples: 3}}',
  RWS: '{RWS: {samples: 3}}',
  EUBO: '{EUBO: {traces: traces, batchSize: 8}}',
  dream: '{dream: {samples: 6}}',
};
type Objective = keyof typeof OBJECTIVES;

const SEQUENCES =
  '[[0.3, -0.2, 1.1], [0.5], [1.2, 0.4], [0.1, 0.2], [0.7, 0.1, -0.6, 0.2, 0.9], [0.4, 1.6], [0.6], [-0.8, 1, 2]]';
const normal = (mu: string): string =>
  `{guide: Gaussian({mu: param({name: 'a'}) * y + ${mu}, sigma: softplus(param({name: 's'}))})}`;
const COIN = "sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(param({name: 'w'}) * y)})})";

const PROGRAMS: Readonly<Record<string, { model: string; for: readonly Objective[] }>> = {
  'sides with choices of their own': {
    for: ['ELBO', 'RWS', 'EUBO', 'dream'],
    model: `mapData({data: [0.4, 1.3, -0.6, 2.2, 0.1, 1.7]}, function(y) {
      if (${COIN}) { var z = sample(Gaussian({mu: modelParam({name: 'm'}), sigma: 1}), ${normal('0')}); observe(Gaussian({mu: z, sigma: 0.7}), y); }
      else { observe(Gaussian({mu: 0, sigma: 1}), y); }
    });`,
  },
  'recursion, in minibatches': {
    for: ['RWS', 'EUBO', 'dream'],
    model: `var depth = function(n, y) { return n < 2 && ${COIN} ? 1 + depth(n + 1, y) : 0; };
    mapData({data: [0.4, 1.3, -0.6, 2.2, 0.1, 1.7], batchSize: 4}, function(y) {
      var n = depth(0, y);
      var z = sample(Gaussian({mu: modelParam({name: 'm'}) + n, sigma: 1}), ${normal('n')});
      observe(Gaussian({mu: z, sigma: 0.7}), y);
    });`,
  },
  'sequences of different length': {
    for: ['ELBO', 'IWAE', 'EUBO', 'dream'],
    model: `mapData({data: ${SEQUENCES}}, function(ys) {
      foldData({data: ys, init: 0}, function(x, y) {
        var next = ${COIN} ? sample(Gaussian({mu: modelParam({name: 'm'}) + x, sigma: 1}), ${normal('x')}) : x;
        observe(Gaussian({mu: next, sigma: 0.7}), y);
        return next;
      });
    });`,
  },
  'sequences whose states are words': {
    // (A given word is looked at.)
    for: ['ELBO', 'IWAE'],
    model: `mapData({data: ${SEQUENCES}}, function(ys) {
      foldData({data: ys, init: 'a'}, function(before, y) {
        var word = sample(Categorical({vs: ['a', 'b', 'c'], ps: before === 'a' ? [0.8, 0.1, 0.1] : [0.1, 0.5, 0.4]}), {guide:
          Categorical({vs: ['a', 'b', 'c'], ps: [1, Math.exp(param({name: 'v'}) * y), Math.exp(param({name: 'w'}))]})});
        observe(Gaussian({mu: modelParam({name: 'm'}) + (word === 'a' ? 1 : word === 'b' ? 0 : -1), sigma: 0.7}), y);
        return word;
      });
    });`,
  },
  'pieces of sequences whose states are words': {
    for: ['RWS'],
    model: `foldData({data: ${SEQUENCES}, window: 2, init: 'a'}, function(before, y) {
      var word = sample(Categorical({vs: ['a', 'b', 'c'], ps: before === 'a' ? [0.8, 0.1, 0.1] : [0.1, 0.5, 0.4]}), {guide:
        Categorical({vs: ['a', 'b', 'c'], ps: [1, Math.exp(param({name: 'v'}) * y), Math.exp(param({name: 'w'}))]})});
      observe(Gaussian({mu: modelParam({name: 'm'}) + (word === 'a' ? 1 : word === 'b' ? 0 : -1), sigma: 0.7}), y);
      return word;
    });`,
  },
  'data within data, of different length': {
    for: ['IWAE', 'dream'],
    model: `mapData({data: ${SEQUENCES}}, function(ys) {
      var m = sample(Gaussian({mu: modelParam({name: 'm'}), sigma: 1}), {guide: Gaussian({mu: param({name: 'g'}) * ys[0], sigma: 0.5})});
      mapData({data: ys}, function(y) {
        if (${COIN}) { var z = sample(Gaussian({mu: m, sigma: 1}), ${normal('m')}); observe(Gaussian({mu: z, sigma: 0.7}), y); }
        else { observe(Gaussian({mu: m, sigma: 1}), y); }
      });
    });`,
  },
  'one execution without data': {
    for: ['IWAE', 'EUBO'],
    model: `var y = 1;
    var grow = function() { return ${COIN} ? 1 + grow() : 0; };
    observe(Gaussian({mu: modelParam({name: 'm'}) + grow(), sigma: 0.7}), 1.5);`,
  },
};

const TRACES = `Optimize(model, {steps: 1, checkGradients: false});
  var traces = Infer({method: 'SMC', particles: 60, importance: 'ignoreGuide', model: model, saveTraces: true}).traces;`;

const text = (model: string, objective: Objective): string => `var model = function() { ${model} };
  ${objective === 'EUBO' ? TRACES : ''}
  Optimize(model, {steps: ${STEPS}, estimator: ${OBJECTIVES[objective]}, checkGradients: false, optMethod: {adam: {stepSize: 0.02}}})`;

async function learned(code: string, sequential: boolean) {
  const { value, warnings } = await runProgram(code, { engine: { sequential, explainBatching: true } });
  const steps = /(\d+) compiled, (\d+) with the program run/.exec(warnings.at(-1) ?? '');
  return { numbers: numbersOf(value), executed: Number(steps?.[2]) };
}

function close(some: Record<string, number[]>, others: Record<string, number[]>): void {
  expect(Object.keys(some)).toEqual(Object.keys(others));
  for (const [name, values] of Object.entries(others)) {
    values.forEach((value, k) => {
      expect(some[name][k], name).toBeCloseTo(value, 8);
    });
  }
}

describe.each(Object.entries(PROGRAMS))('%s', (_name, { model, for: objectives }) => {
  test.each(objectives)('%s', async (objective) => {
    const code = text(model, objective);
    const together = await learned(code, false);
    close(together.numbers, (await learned(code, true)).numbers);
    expect(together.executed).toBeLessThan(MOST_EXECUTED);
  });
});

test('words of a minibatch on one side of a condition are those of the step at hand', async () => {
  const code = `var data = map(function(i) { return {word: ['a', 'b', 'c'][i % 3], y: i % 3}; }, _.range(24));
  var model = function() {
    mapData({data: data, batchSize: 12}, function(d) {
      var z = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'g'}), sigma: 1})});
      var word = z > 0.3 ? d.word : 'x';
      var mu = word === 'a' ? param({name: 'a'}) : word === 'b' ? param({name: 'b'}) : word === 'c' ? param({name: 'c'}) : param({name: 'x'});
      observe(Gaussian({mu: mu, sigma: 1}), d.y);
    });
  };
  Optimize(model, {steps: 40, optMethod: {adam: {stepSize: 0.05}}, checkGradients: false})`;
  const together = await learned(code, false);
  close(together.numbers, (await learned(code, true)).numbers);
  expect(together.executed).toBeLessThan(40);
});
