/** A new rule for choices is a file and a row: lanes and compiled steps need nothing more. A new objective is a row. */
import { expect, test, vi } from 'vitest';
import type { SiteRule } from '../../src/optimize/sites/rule.ts';

const counted = vi.hoisted(() => ({ drawn: 0 }));

vi.mock('../../src/optimize/sites/rules.ts', async (original) => {
  const rules = await original<typeof import('../../src/optimize/sites/rules.ts')>();
  const { scoreFunction } = await import('../../src/optimize/sites/score-function.ts');
  const { mul, sub } = await import('../../src/tensor/ops.ts');
  // The score function with a weight that is off by a constant: another estimate of the same gradient.
  const rule: SiteRule = {
    ...scoreFunction,
    name: 'off by a constant',
    suits: ({ target, given }) => given === undefined && target.name === 'Bernoulli',
    draw(site) {
      counted.drawn++;
      return scoreFunction.draw(site);
    },
    loss: ({ logGuide, logTarget }, weight) => sub(mul(logGuide, sub(weight, 0.5)), logTarget),
  };
  return { ...rules, ruleFor: (site: never) => (rule.suits(site) ? rule : rules.ruleFor(site)) };
});

vi.mock('../../src/optimize/estimators.ts', async (original) => {
  const { estimators } = await original<typeof import('../../src/optimize/estimators.ts')>();
  return { estimators: { ...estimators, warm: { ...estimators.ELBO, objective: 'warm ELBO' } } };
});

const { exactElbo, exactGradient } = await import('../optimize/exact-elbo.ts');
const { gradientMoments, modelOf, tableOf } = await import('../optimize/gradient-samples.ts');
const { loadProgram } = await import('../../src/program/load.ts');
const { machine } = await import('../../src/runtime/machine.ts');
const { quietRun } = await import('../program/quiet-run.ts');

const CODE = `var model = function() {
  mapData({data: [0.5, 1.5, 1]}, function(y) {
    var b = sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(param({name: 'm'}))})});
    observe(Gaussian({mu: b ? 2 : 0, sigma: 1}), y);
  });
}; model`;

test.each([
  ['step by step', true],
  ['side by side and compiled', false],
])('a new rule, %s', async (_, plain) => {
  const model = await modelOf(CODE, plain);
  const table = tableOf({ m: 0.3 });
  const exact = exactGradient(model, table);
  const elbo = exactElbo(model, table);
  counted.drawn = 0;
  const steps = 500;
  const { gradients, objective } = gradientMoments(model, table, {}, steps, { steady: !plain });
  // Compiled steps draw without the program, and so without the rule.
  if (plain) expect(counted.drawn).toBeGreaterThanOrEqual(steps);
  else expect(counted.drawn).toBeLessThan(100);
  expect(Math.abs(objective.mean - elbo)).toBeLessThan(4 * objective.standardError);
  for (const [name, [slope]] of exact) {
    const { mean, standardError } = gradients.get(name)!;
    expect(Math.abs(mean[0] - slope), name).toBeLessThan(4 * standardError[0]);
  }
});

test('a new objective', async () => {
  const code = (estimator: string): string =>
    `var model = function() { var m = gaussian(0, 1); observe(Gaussian({mu: m, sigma: 1}), 2); return m; };
     Optimize({model: model, estimator: ${estimator}, steps: 20, verbose: false, optMethod: {adam: {stepSize: 0.1}}})`;
  const learned = async (estimator: string): Promise<unknown[]> => {
    const run = quietRun(4);
    (await loadProgram({ code: code(estimator) })).run(run);
    return Object.entries(machine.params.toObject()).map(([name, { data }]) => [name, [...data]]);
  };
  expect(await learned('{warm: {samples: 3}}')).toEqual(await learned('{ELBO: {samples: 3}}'));
  await expect(learned('{warn: {}}')).rejects.toThrow("'RWS', 'wakeSleep', 'warm'");
});
