/** Every rule for gradients has the exact gradient as its mean, in programs that make that hard; and what is said of rules. */
import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/runtime/machine.ts';
import type { ParameterTable } from '../../src/runtime/parameters.ts';
import { exactElbo, exactGradient } from './exact-elbo.ts';
import { gradientMoments, type Moments, modelOf, tableOf, totalVariance } from './gradient-samples.ts';
import { RULE_PROGRAMS, withRule } from './rule-programs.ts';
import { failure, numbersOf, runProgram } from './run-optimize.ts';
import { VECTOR_PROGRAMS } from './vector-programs.ts';

/** Steps by rule, and executions in each. Where nothing is left to chance a few are enough. */
const RULES = [
  { rule: 'enumerate', samples: 1, steps: 120 },
  { rule: 'measure', samples: 1, steps: 120 },
  { rule: 'leaveOneOut', samples: 3, steps: 120 },
  { rule: 'nvil', samples: 1, steps: 120 },
];
const RELAXING = [
  { rule: 'muprop', samples: 1, steps: 150 },
  { rule: 'rebar', samples: 1, steps: 150 },
];

describe('the mean is the exact gradient', () => {
  const listed = (programs: typeof RULE_PROGRAMS, rules: typeof RULES) =>
    Object.entries(programs).map(([name, program]) => ({ name, rules, ...program }));
  test.each([...listed(RULE_PROGRAMS, [...RULES, ...RELAXING]), ...listed(VECTOR_PROGRAMS, RELAXING)])(
    '$name',
    async (given) => {
      const { code, params, rules } = given;
      const table = tableOf(params);
      const unruled = await modelOf(withRule(code, 'score')!);
      const exact = exactGradient(unruled, table);
      const elbo = exactElbo(unruled, table);
      const check = (model: () => unknown, samples: number, steps: number): void => {
        const conditions = { warmUp: 3, gradients: 'named' } as const;
        const { gradients, objective } = gradientMoments(model, table, { samples }, steps, conditions);
        expect(Math.abs(objective.mean - elbo)).toBeLessThan(4 * objective.standardError + 1e-6);
        for (const [name, slopes] of exact) {
          const { mean, standardError } = gradients.get(name)!;
          slopes.forEach((slope, k) => {
            const what = `${name}[${k}]: ${mean[k]} ± ${standardError[k]}, exactly ${slope}`;
            expect(Math.abs(mean[k] - slope), what).toBeLessThan(4 * standardError[k] + 1e-6);
          });
        }
      };
      for (const { rule, samples, steps } of rules) {
        const text = withRule(code, rule);
        if (text === undefined) continue;
        check(await modelOf(text), samples, steps);
        await expectSame(text, table, samples);
      }
    },
  );
});

test('what lies between the values of a coin does so too where executions take several sides', async () => {
  const coin = (name: string, rule: string) =>
    `sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(param({name: '${name}'}))}), gradient: '${rule}'})`;
  const code = `var model = function() {
    var a = ${coin('a', 'score')};
    var b = ${coin('b', 'score')};
    var one = (a && ${coin('c', 'muprop')}) || (!b && ${coin('d', 'score')});
    factor(one ? -1 : 0.7);
  }; model`;
  const table = tableOf({ a: 0, b: 0, c: 0.4, d: 0.1 });
  const model = await modelOf(code);
  const [exact] = exactGradient(model, table).get('c')!;
  const { gradients } = gradientMoments(model, table, {}, 4000, { gradients: 'named' });
  const { mean, standardError } = gradients.get('c')!;
  expect(Math.abs(mean[0] - exact)).toBeLessThan(4 * standardError[0]);
});

test('a cost is as smooth side by side as one by one, where data observe other values of a coin', async () => {
  const code = `var model = function() {
    mapData({data: [0.3, -0.2, 1.4]}, function(y) {
      var on = sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}) * y)}), RULE});
      observe(Bernoulli({p: sigmoid(on ? 1 : -1)}), y > 0);
    });
  }; model`;
  await expectSame(withRule(code, 'rebar')!, tableOf({ a: 0.4 }), 1);
});

test.each(['muprop', 'rebar'])('%s: coins of a list are as smooth side by side as one by one', async (rule) => {
  const code = `var model = function() {
    mapData({data: [0.3, 1.4]}, function(y) {
      var coin = function() { return {on: sample(Bernoulli({p: 0.3}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}) * y)}), RULE})}; };
      var xs = repeat(4, coin);
      observe(Gaussian({mu: (xs[0].on ? 1 : 0) + sum(map(function(x) { return x.on ? 1 : 0; }, xs)), sigma: 1}), y);
    });
  }; model`;
  await expectSame(withRule(code, rule)!, tableOf({ a: 0.4 }), 1);
});

/** A few steps side by side and compiled, and one by one, have the same gradients but for the order of sums. */
async function expectSame(text: string, table: ParameterTable, samples: number): Promise<void> {
  const few = (model: () => unknown, steady: boolean): Map<string, Moments> =>
    gradientMoments(model, table, { samples }, 4, { warmUp: 1, steady, gradients: 'named' }).gradients;
  const together = few(await modelOf(text), true);
  for (const [name, { mean }] of few(await modelOf(text, true), false)) {
    mean.forEach((value, k) => {
      expect(together.get(name)!.mean[k], name).toBeCloseTo(value, 6);
    });
  }
}

const COIN = `var model = function() {
  var x = sample(Bernoulli({p: 0.75}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}))}), OPTIONS});
  observe(Gaussian({mu: x ? 2 : 0, sigma: 1}), 0.5);
};`;
const optimised = (options: string, given = ''): string =>
  `${COIN.replace('OPTIONS', options)} Optimize({model: model, steps: 3, checkGradients: false, ${given}})`;

test('enumeration leaves nothing to chance where all choices have it', async () => {
  const text = withRule(RULE_PROGRAMS['recursion inside data'].code, 'enumerate')!;
  const table = tableOf(RULE_PROGRAMS['recursion inside data'].params);
  const { gradients } = gradientMoments(await modelOf(text), table, {}, 20, { gradients: 'named' });
  expect(totalVariance(gradients)).toBeLessThan(1e-20);
});

test('a guide that is certain makes no gradient NaN', async () => {
  const learned = async (rule: string): Promise<number> => {
    const code = `var model = function() {
      var x = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(40 + param({name: 'a', mu: 0, sigma: 0}))}), gradient: '${rule}'});
      observe(Gaussian({mu: x ? 2 : 0, sigma: 1}), 0.5);
    };
    Optimize({model: model, steps: 3, checkGradients: false, optMethod: {sgd: {stepSize: 0.1}}})`;
    return numbersOf((await runProgram(code)).value).a[0];
  };
  expect(await learned('enumerate')).toBeCloseTo(0, 6);
  expect(await learned('measure')).toBeCloseTo(0, 6);
});

test('a value that the program cannot take, and that never comes, is not tried', async () => {
  const code = `var model = function() {
    var k = sample(Discrete({ps: [0.5, 0.5, 0]}), {guide: Discrete({ps: [0.3, 0.7, 0]}), gradient: 'enumerate'});
    var mu = [{mu: 1}, {mu: modelParam({name: 'm'})}][k].mu;
    observe(Gaussian({mu: mu, sigma: 1}), 0.5);
  };
  Optimize({model: model, steps: 5, optMethod: {sgd: {stepSize: 0.1}}})`;
  expect(numbersOf((await runProgram(code)).value).m[0]).toBeGreaterThan(0);
});

describe('what is said', () => {
  const explained = async (options: string, given = ''): Promise<string> => {
    const engine = { explainGuides: true } as Run['engine'];
    return (await runProgram(optimised(options, given), { engine })).warnings.join('\n');
  };

  test('of rules that choices name', async () => {
    expect(await explained("gradient: 'enumerate'")).toContain('(enumeration, as the choice asks)');
    expect(await explained("gradient: 'measure'")).toContain('(measure-valued derivative, as the choice asks)');
    expect(await explained("gradient: 'enumerate'", "gradients: 'paper'")).toContain(
      "(score function, since gradients: 'paper' is asked for)",
    );
    expect(await explained('reparam: false')).toContain('(enumeration, since it has few values)');
    expect(await explained('reparam: false', "gradients: 'named'")).toContain(
      'Bernoulli is guided by Bernoulli (score function)',
    );
  });

  test('of rules that an objective has no use for', async () => {
    const options = "gradient: 'enumerate'";
    expect(await explained(options, 'estimator: {IWAE: {samples: 3}}')).toContain(
      '(score function, compared with the other samples, whatever rule the choice names, since samples are weighed against each other)',
    );
    expect(await explained(options, 'estimator: {RWS: {samples: 3}}')).toContain('(learns to find it as likely');
  });

  test('of a rule that is for data, outside of them', async () => {
    const code = `Optimize(function() {
      sample(Bernoulli({p: 0.3}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}))}), gradient: 'nvil'});
    }, {steps: 2})`;
    const { warnings } = await runProgram(code, { engine: { explainGuides: true } as Run['engine'] });
    expect(warnings.join('\n')).toContain('(score function, since it is no part of data that are a list)');
  });

  test('of values that cannot be tried', async () => {
    const text = withRule(RULE_PROGRAMS['what data return is used'].code, 'enumerate')!;
    const code = `${text.replace(/; model$/, '')}; Optimize(model, {steps: 3})`;
    const engine = { explainBatching: true, explainGuides: true } as Run['engine'];
    const told = (await runProgram(code, { engine })).warnings.join('\n');
    expect(told).toContain(
      'values of choices: drawn, and not tried side by side, because the program uses what the data return',
    );
    expect(told).toContain(
      '(score function, since values cannot be tried side by side: the program uses what the data return)',
    );
  });

  test.each([
    ["gradient: 'leaveOneOut'", 'estimator: {ELBO: {samples: 4}}'],
    [
      "gradient: 'pathwise'",
      "gradient: 'pathwise' needs a guide that is a transform of noise, which Bernoulli is not.",
    ],
    ["gradient: 'enumerat'", "Did you mean 'enumerate'?"],
    ["gradient: 'score', reparm: true", "Did you mean 'reparam'?"],
  ])('of %s', async (options, message) => {
    expect(await failure(optimised(options))).toContain(message);
  });

  test.each([
    ['Poisson({mu: softplus(param())})', 'leaveOneOut'],
    ['Binomial({n: 3, p: sigmoid(param())})', 'enumerate'],
  ])('of %s, which has no two values to compare', async (guide, other) => {
    const code = `var model = function() { sample(Poisson({mu: 2}), {guide: ${guide}, gradient: 'measure'}); }; Optimize(model, {steps: 3})`;
    expect(await failure(code)).toMatch(new RegExp(`^gradient: 'measure' compares .* and this is .*\\. '${other}'`));
  });

  test('of what is impossible, though it was not drawn', async () => {
    const code = `var model = function() {
      var x = sample(Bernoulli({p: 0.7}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}))}), gradient: 'enumerate'});
      condition(x);
    }; Optimize(model, {steps: 3})`;
    expect(await failure(code)).toMatch(
      /^The factor at program\.wppl:\d+:\d+ \(address \S+\) is -Infinity\. Guides cannot learn/,
    );
  });

  const conditioned = (given: string, options = ''): string => `var model = function() {
      mapData({data: [1, 2, 3]}, function(y) {
        var k = sample(RandomInteger({n: 3}), {guide: Discrete({ps: simplex(Vector([y * param({name: 'b'}), 0]))})${options}});
        observe(Gaussian({mu: k, sigma: 1}), y);
      });
      var x = sample(Bernoulli({p: 0.7}), {guide: Bernoulli({p: sigmoid(20 + param({name: 'a'}))})});
      condition(x);
    }; Optimize(model, {steps: 5, ${given}})`;

  test('of values that are impossible, so that choices are drawn; others are not', async () => {
    const engine = { explainGuides: true } as Run['engine'];
    const { warnings, value } = await runProgram(conditioned(''), { engine });
    expect(warnings[0]).toContain('Discrete (enumeration, since it has few values), 3 times');
    expect(warnings[0]).toContain(
      'Bernoulli (score function, since its values are not tried side by side: one of them is impossible, or leads to what is, and was not drawn)',
    );
    // As if this one had named it.
    const named = conditioned("gradients: 'named'", ", gradient: 'enumerate'");
    expect(numbersOf(value)).toEqual(numbersOf((await runProgram(named, { engine })).value));
    const sequential = await runProgram(conditioned(''), { engine: { sequential: true } as Run['engine'] });
    expect(numbersOf(sequential.value).b[0]).toBeCloseTo(numbersOf(value).b[0], 9);
  });

  test('of a loop with more choices than there could be values of', async () => {
    const code = (n: number): string => `var model = function() {
      var xs = mapN(function(i) { return ${'sample(Bernoulli({p: 0.5}))'}; }, ${n});
      factor(sum(map(function(x) { return x ? 1 : 0; }, xs)));
    }; Optimize(model, {steps: 2, estimator: {ELBO: {samples: 2}}})`;
    const engine = { explainGuides: true } as Run['engine'];
    expect((await runProgram(code(300), { engine })).warnings[0]).toContain(
      '(leave one out, since its values are not tried side by side: there would be too many of them), 300 times',
    );
    expect((await runProgram(code(2), { engine })).warnings[0]).toContain(
      '(enumeration, since it has few values), 2 times',
    );
  });

  test.each([
    ['64 lanes of an execution', 6, undefined, 'enumeration, since it has few values'],
    ['more', 7, undefined, 'measure-valued derivative'],
    ['32 of each of a few data', 5, 15, 'enumeration, since it has few values'],
    ['and of each of many', 5, 16, 'measure-valued derivative'],
  ])('of as many values as there is room for: %s', async (_name, coins, data, rule) => {
    const loop = `mapN(function() { return sample(Bernoulli({p: 0.5})); }, ${coins})`;
    const score = 'factor(sum(map(function(x) { return x ? 1 : 0; }, xs)));';
    const body =
      data === undefined
        ? `var xs = ${loop}; ${score}`
        : `mapData({data: _.range(${data})}, function() { var xs = ${loop}; ${score} });`;
    const code = `var model = function() { ${body} }; Optimize(model, {steps: 2})`;
    const engine = { explainGuides: true } as Run['engine'];
    expect((await runProgram(code, { engine })).warnings[0]).toContain(`(${rule}`);
  });

  test('of families that a rule cannot serve', async () => {
    const gaussian = (rule: string): string =>
      `Optimize({model: function() { return sample(Gaussian({mu: 0, sigma: 1}), {gradient: '${rule}'}); }, steps: 1})`;
    expect(await failure(gaussian('enumerate'))).toContain('which Gaussian has not');
    const vector = "sample(MultivariateBernoulli({ps: zeros([100, 1])}), {gradient: 'enumerate'})";
    expect(await failure(`Optimize({model: function() { ${vector}; }, steps: 1})`)).toContain(
      'which MultivariateBernoulli has not',
    );
    expect(await failure(gaussian('measure'))).toContain('this is Gaussian');
    expect(await failure(gaussian('rebar'))).toContain("gradient: 'rebar' compares the value drawn with others");
    expect(await failure(optimised("gradient: 'score'", "gradients: 'papers'"))).toContain(
      "'automatic', 'named', 'paper'",
    );
  });
});

test('the rules of the paper give the numbers they gave, whatever choices name', async () => {
  const learned = async (options: string, given = ''): Promise<unknown> =>
    numbersOf((await runProgram(optimised(options, given))).value);
  const plain = await learned('reparam: false', "gradients: 'named'");
  expect(await learned("gradient: 'enumerate'", "gradients: 'paper'")).toEqual(plain);
  expect(await learned("gradient: 'enumerate'")).not.toEqual(plain);
});

test('what is tried beside the value drawn takes most of the noise away', async () => {
  // A sum: the slope tells what a coin is worth.
  const code = `var model = function() {
    var xs = map(function(w) {
      return w * sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}))}), RULE});
    }, [1, 2, -1, 3]);
    factor(sum(xs));
  }; model`;
  const noise = async (rule: string): Promise<number> => {
    const model = await modelOf(withRule(code, rule)!);
    return totalVariance(gradientMoments(model, tableOf({ a: 0.2 }), {}, 300, { gradients: 'named' }).gradients);
  };
  const drawn = await noise('score');
  expect(await noise('muprop')).toBeLessThan(drawn / 1000);
  expect(await noise('rebar')).toBeLessThan(drawn / 3);
});

describe('values of vectors in lanes are those of one lane', () => {
  // A coin before: its values are lanes, in which the guide's parameters are vectors with a lane axis.
  test.each([
    [
      'MultivariateBernoulli',
      'MultivariateBernoulli({ps: Vector([0.3, 0.6])})',
      'MultivariateBernoulli({ps: sigmoid(T.mul(w, s))})',
    ],
    ['Multinomial', 'Multinomial({n: 2, ps: [0.3, 0.7]})', 'Multinomial({n: 2, ps: softmax(T.mul(w, s))})'],
    [
      'DirichletMultinomial',
      'DirichletMultinomial({n: 2, alpha: Vector([1, 2])})',
      'DirichletMultinomial({n: 2, alpha: softplus(T.mul(w, s))})',
    ],
    ['Discrete', 'Discrete({ps: [0.3, 0.7]})', 'Discrete({ps: softmax(T.mul(w, s))})'],
  ])('%s', async (_name, target, guide) => {
    const code = `var model = function() {
      var on = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(param({name: 'a'}))})});
      var w = param({name: 'w', dims: [2, 1]});
      var s = on ? 1 : 2;
      var x = sample(${target}, {guide: ${guide}});
      factor(on ? 0.3 : 0);
    }; model`;
    const table = tableOf({ a: 0.2, w: [0.4, -0.3] });
    const { gradients, objective } = gradientMoments(await modelOf(code), table, {}, 3, { gradients: 'automatic' });
    expect(totalVariance(gradients)).toBeLessThan(1e-12);
    expect(objective.mean).toBeCloseTo(exactElbo(await modelOf(code), table), 6);
  });
});
