import { beforeEach, describe, expect, test } from 'vitest';
import '../../src/lifting/linkage.ts';
import * as families from '../../src/distributions/index.ts';
import { Optimize } from '../../src/optimize/front.ts';
import { schedules } from '../../src/optimize/schedules.ts';
import type { StepSize } from '../../src/optimize/update-rules.ts';
import { WaymarkError } from '../../src/runtime/errors.ts';
import { settled } from '../../src/runtime/force.ts';
import type { Distribution } from '../../src/runtime/handler.ts';
import { startRun } from '../../src/runtime/machine.ts';
import { sample } from '../../src/runtime/primitives.ts';
import * as table from '../distributions/table.ts';
import { quietRun } from '../program/quiet-run.ts';

const CASES = table.ALL.flatMap((row) =>
  row.params.map((params, i): [string, Distribution<unknown>] => [`${row.family} ${i}`, table.build(row, params)]),
);

/** The objectives of a few steps of an optimisation of a single choice. */
function historyOf(target: Distribution<unknown>, steps = 20, stepSize: StepSize = 0.01): readonly number[] {
  let history: readonly number[] = [];
  Optimize(() => sample(target), {
    steps,
    optMethod: { adam: { stepSize } },
    onFinish: (result: { history: readonly number[] }) => {
      history = result.history;
    },
  });
  return history;
}

/** Families for which a mean-field guide makes no sense. */
const REFUSED = [
  ...['Delta', 'ImproperUniform', 'Multinomial', 'DirichletMultinomial', 'Wishart', 'InverseWishart', 'LKJCholesky'],
  'Censored',
];

/** Distributions made of others whose values cannot be listed. */
function isRefused(target: Distribution<unknown>): boolean {
  if (!['Truncated', 'ZeroInflated'].includes(target.name)) return false;
  return !target.isContinuous && !Array.isArray(target.support?.());
}

beforeEach(() => startRun(quietRun(5)));

describe('automatic guides', () => {
  test('there is a row for every family', () => {
    const known = new Set([
      ...table.ALL.map((row) => row.family),
      'ImproperUniform',
      'Marginal',
      'SampleBasedMarginal',
    ]);
    const names = Object.keys(families).filter((name) => name !== 'InverseSoftplusNormal');
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  test.each(CASES)('%s: a finite ELBO, or a clear refusal', (_name, target) => {
    if (REFUSED.includes(target.name) || isRefused(target)) {
      expect(() => historyOf(target)).toThrow(WaymarkError);
      expect(() => historyOf(target)).toThrow(`${target.name} has no automatic guide. `);
      return;
    }
    const history = historyOf(target);
    expect(history).toHaveLength(20);
    expect(history.every(Number.isFinite)).toBe(true);
  });
});

test('a half-line that does not begin at 0 has a guide on it', () => {
  const history = historyOf(families.Truncated(families.Gaussian({ mu: 0, sigma: 1 }), -Infinity, -1));
  expect(history.every(Number.isFinite)).toBe(true);
});

/** The guide that a target has after some steps, by what it draws. */
function drawn(target: Distribution<unknown>): unknown[] {
  const values: unknown[] = [];
  Optimize(
    () => {
      const value = sample(target);
      values.push(settled(value));
    },
    { steps: 200, optMethod: { adam: { stepSize: 0.1 } } },
  );
  return values;
}

describe('automatic guides keep to the support of their targets', () => {
  test('LogitNormal keeps its bounds', () => {
    const values = drawn(families.LogitNormal({ mu: 1, sigma: 0.5, a: -3, b: 7 })) as number[];
    expect(Math.min(...values)).toBeGreaterThan(-3);
    expect(Math.max(...values)).toBeLessThan(7);
    expect(Math.max(...values) - Math.min(...values)).toBeGreaterThan(1);
  });

  test('Pareto keeps its lower bound', () => {
    const values = drawn(families.Pareto({ shape: 3, scale: 4 })) as number[];
    expect(Math.min(...values)).toBeGreaterThanOrEqual(4);
  });

  test('what is impossible is not drawn', () => {
    expect(new Set(drawn(families.Discrete({ ps: [1, 0, 1, 0] })))).toEqual(new Set([0, 2]));
    expect(new Set(drawn(families.Categorical({ vs: ['a', 'b', 'c'], ps: [0, 1, 1] })))).toEqual(new Set(['b', 'c']));
    expect(new Set(drawn(families.Bernoulli({ p: 1 })))).toEqual(new Set([true]));
  });

  test('of marginals: the values they have', () => {
    const marginal = families.Marginal.fromScores([
      { value: { x: 1 }, score: Math.log(0.3) },
      { value: { x: 2 }, score: Math.log(0.7) },
    ]);
    expect(new Set(drawn(marginal).map((value) => JSON.stringify(value)))).toEqual(new Set(['{"x":1}', '{"x":2}']));
  });
});

/** What optimisation finds where the target is in reach of the guide: the target itself, at an ELBO of 0. */
const EXACT: [string, Distribution<unknown>][] = [
  ['Gaussian', families.Gaussian({ mu: 2, sigma: 0.5 })],
  ['Bernoulli', families.Bernoulli({ p: 0.2 })],
  ['Discrete', families.Discrete({ ps: [1, 0, 2, 5] })],
  ['Cauchy', families.Cauchy({ location: 1, scale: 2 })],
  ['Exponential', families.Exponential({ a: 3 })],
  ['LogNormal', families.LogNormal({ mu: 0.5, sigma: 0.4 })],
  ['Pareto', families.Pareto({ shape: 3, scale: 4 })],
  ['TensorGaussian', families.TensorGaussian({ mu: 1, sigma: 0.5, dims: [3, 1] })],
  ['LogisticNormal', families.LogisticNormal({ mu: [0.5, -0.5], sigma: [0.5, 1] })],
];

describe('automatic guides find targets that they can equal', () => {
  test.each(EXACT)('%s', (_name, target) => {
    const history = historyOf(target, 2000, schedules.cosine({ from: 0.05, to: 1e-5, steps: 1700 }));
    const late = history.slice(-300);
    const mean = late.reduce((sum, x) => sum + x, 0) / late.length;
    expect(Math.abs(mean)).toBeLessThan(0.02);
  });
});

test('a choice whose number of values changes has a guide for each', () => {
  const { RandomInteger, Bernoulli } = families;
  const params = Optimize(
    () => {
      // What a compiled program would do where it looks at a value.
      const n = settled(sample(Bernoulli({ p: 0.5 }))) ? 3 : 5;
      sample(RandomInteger({ n }));
    },
    { steps: 30 },
  );
  const sizes = Object.entries(params)
    .filter(([name]) => name.includes('RandomInteger'))
    .map(([, { length }]) => length);
  expect(sizes.sort()).toEqual([2, 4]);
});
