import { describe, expect, it } from 'vitest';
import * as families from '../../src/distributions/index.ts';
import { Tensor, vector } from '../../src/tensor/tensor.ts';
import { draws } from './statistics.ts';
import { ALL, build, label, type Row } from './table.ts';

/** Nothing any family in the table is over, except where it says so. */
const FOREIGN: readonly unknown[] = [
  'x',
  '0.5',
  '',
  null,
  Number.NaN,
  Infinity,
  -Infinity,
  {},
  [],
  ['a'],
  [Number.NaN],
  () => 0.5,
  Symbol('s'),
  10n,
  new Date(0),
  vector([Number.NaN, 0.5]),
  vector([Infinity, 1]),
  new Tensor([1, 1, 2], Float64Array.of(0.5, 0.5)),
  new Tensor([0, 1], new Float64Array(0)),
];

const cases = ALL.flatMap((row) => row.params.map((params) => [label(row, params), row, params] as const));

describe.each(cases)('%s', (_, row: Row, params) => {
  const dist = build<unknown>(row, params);

  it('scores −∞ whatever is not a value of its kind', () => {
    for (const value of FOREIGN) {
      const belongs = row.family === 'Categorical' && value === null;
      if (!belongs) expect([value, dist.score(value)]).toEqual([value, -Infinity]);
    }
    const truth = ['Bernoulli', 'BernoulliLogits', 'Mixture'].includes(row.family);
    if (!truth) expect(dist.score(true)).toBe(-Infinity);
  });

  it('scores −∞ outside its support', () => {
    for (const value of row.outside ?? []) expect([value, dist.score(value)]).toEqual([value, -Infinity]);
  });

  it('asks for the value to score', () => {
    if (!['Delta', 'Categorical', 'Mixture'].includes(row.family)) {
      expect(() => dist.score(undefined)).toThrow(`${row.family}.score needs the value to score.`);
    }
  });

  it('is equal as a value to another of the same parameters', () => {
    expect(build(row, params).valueKey()).toBe(dist.valueKey());
  });

  it('has a short text', () => {
    expect(String(dist)).toMatch(new RegExp(`^${row.family}\\(\\{.*\\}\\)$`));
    expect(String(dist).length).toBeLessThan(200);
  });
});

describe('ends of the support', () => {
  const { Beta, Exponential, HalfNormal, Pareto, Uniform, LogitNormal, Gamma, Bernoulli, Binomial } = families;

  it('are in it where the density is finite there', () => {
    expect(Uniform({ a: 1, b: 3 }).score(1)).toBe(-Math.LN2);
    expect(Uniform({ a: 1, b: 3 }).score(3)).toBe(-Math.LN2);
    expect(Exponential({ a: 2 }).score(0)).toBe(Math.LN2);
    expect(HalfNormal({ sigma: 1 }).score(0)).toBeCloseTo(0.5 * Math.log(2 / Math.PI), 14);
    expect(Pareto({ shape: 2, scale: 3 }).score(3)).toBeCloseTo(Math.log(2 / 3), 14);
  });

  it('are outside for open intervals', () => {
    expect([0, 1].map((x) => Beta({ a: 1, b: 1 }).score(x))).toEqual([-Infinity, -Infinity]);
    expect([2, 5].map((x) => LogitNormal({ mu: 0, sigma: 1, a: 2, b: 5 }).score(x))).toEqual([-Infinity, -Infinity]);
    expect(Gamma({ shape: 1, scale: 1 }).score(0)).toBe(-Infinity);
  });

  it('certain and impossible outcomes', () => {
    const [impossible, certain, sure] = [Bernoulli({ p: 0 }), Bernoulli({ p: 1 }), expect.closeTo(0, 15)];
    expect([true, false].map((v) => impossible.score(v))).toEqual([-Infinity, sure]);
    expect([true, false].map((v) => certain.score(v))).toEqual([sure, -Infinity]);
    expect([0, 1, 2].map((k) => Binomial({ p: 0, n: 2 }).score(k))).toEqual([sure, -Infinity, -Infinity]);
    expect([0, 1, 2].map((k) => Binomial({ p: 1, n: 2 }).score(k))).toEqual([-Infinity, -Infinity, sure]);
  });

  it('Bernoulli scores 0 and 1 as false and true', () => {
    const coin = Bernoulli({ p: 0.3 });
    expect(coin.score(1 as unknown as boolean)).toBe(coin.score(true));
    expect(coin.score(0 as unknown as boolean)).toBe(coin.score(false));
    expect(coin.score(2 as unknown as boolean)).toBe(-Infinity);
  });
});

describe('extreme parameters', () => {
  const { Beta, Gamma, IspNormal, InverseGamma, LogitNormal, LogNormal, Poisson, StudentT, Weibull, Binomial } =
    families;
  const positive = [
    Gamma({ shape: 1e-4, scale: 1 }),
    Gamma({ shape: 1e-4, scale: 1e300 }),
    Gamma({ shape: 1e12, scale: 1e-12 }),
    InverseGamma({ shape: 1e-4, scale: 1 }),
    LogNormal({ mu: 700, sigma: 100 }),
    LogNormal({ mu: -800, sigma: 1 }),
    IspNormal({ mu: -1000, sigma: 1 }),
    IspNormal({ mu: 1e6, sigma: 1 }),
    Weibull({ shape: 1e-3, scale: 1 }),
  ];

  it.each(positive.map((dist) => [String(dist), dist] as const))(
    '%s draws positive numbers that it scores',
    (_, dist) => {
      for (const x of draws(dist, 1000)) {
        expect(x > 0 && x < Infinity && Number.isFinite(dist.score(x))).toBe(true);
      }
    },
  );

  it('draws stay inside bounded intervals', () => {
    for (const dist of [Beta({ a: 1e-4, b: 1e-4 }), Beta({ a: 1e8, b: 1e-3 }), LogitNormal({ mu: 0, sigma: 1e3 })]) {
      for (const x of draws(dist, 1000)) expect(x > 0 && x < 1 && Number.isFinite(dist.score(x))).toBe(true);
    }
    const shifted = LogitNormal({ mu: 0, sigma: 1e3, a: 1e6, b: 1e6 + 1 });
    for (const x of draws(shifted, 1000)) expect(Number.isFinite(shifted.score(x))).toBe(true);
  });

  it('large counts', () => {
    const poisson = Poisson({ mu: 1e9 });
    for (const k of draws(poisson, 200)) expect(Math.abs(k - 1e9)).toBeLessThan(7 * Math.sqrt(1e9));
    const binomial = Binomial({ p: 1e-6, n: 1e12 });
    for (const k of draws(binomial, 200)) expect(Math.abs(k - 1e6)).toBeLessThan(7e3);
  });

  it('heavy tails stay finite', () => {
    for (const x of draws(StudentT({ df: 1e-3, location: 0, scale: 1 }), 1000)) expect(Number.isFinite(x)).toBe(true);
  });
});

describe('ImproperUniform', () => {
  const { ImproperUniform } = families;

  it('scores everything alike', () => {
    const flat = ImproperUniform();
    expect([flat.score(3), flat.score(-1e300)]).toEqual([0, 0]);
    expect(ImproperUniform<Tensor>({}).score(vector([1, 2]))).toBe(0);
    expect(flat.isContinuous).toBe(true);
    expect(flat.support).toBeUndefined();
  });

  it('may be bounded', () => {
    const positive = ImproperUniform({ a: 0 });
    expect([positive.score(3), positive.score(-1)]).toEqual([0, -Infinity]);
    expect(positive.support?.()).toEqual({ lower: 0, upper: Infinity });
    expect(() => ImproperUniform({ a: 1, b: 0 })).toThrow(
      'ImproperUniform: a must be less than b, got a = 1 and b = 0.',
    );
  });

  it('says why it cannot be drawn from', () => {
    expect(() => draws(ImproperUniform(), 1)).toThrow(
      'ImproperUniform cannot be drawn from, because it gives every number the same density. ' +
        "Give the choice a guide or a driftKernel, use MCMC with the kernel 'NUTS' or 'HMC', or use a proper prior such " +
        'as Gaussian({mu: 0, sigma: 100}).',
    );
  });
});
