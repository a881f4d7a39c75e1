/**
 * Mean-field guides for choices without a guide of their own (section 7.1 and appendix A of the paper): a family
 * that can be reparameterised where the target is continuous, with a free parameter for each of its parameters,
 * squashed into that parameter's domain. Parameters start at 0 and are named after the choice.
 */
import * as families from '../distributions/index.ts';
import type { Domain, Parameter } from '../distributions/parameter.ts';
import type { Address } from '../runtime/address.ts';
import type { Distribution, Interval } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import type { Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { Tensor } from '../tensor/tensor.ts';
import { NoAutomaticGuide } from './guide-of.ts';
import { param } from './param.ts';

type AnyDistribution = Distribution<unknown>;
type Params = Record<string, unknown>;
type Make = (params: object) => AnyDistribution;

/** Makes the guide of one target; `free` declares its parameters. */
type Rule = (target: AnyDistribution, free: Free) => AnyDistribution;

/** Free parameters of one choice. */
class Free {
  constructor(private readonly prefix: string) {}

  number(name: string, domain: Interval = { lower: -Infinity, upper: Infinity }): Value {
    return squash(param({ name: this.prefix + name, mu: 0, sigma: 0 }), domain);
  }

  tensor(name: string, dims: readonly number[], domain: Interval = { lower: -Infinity, upper: Infinity }): Value {
    const values = param({
      name: this.prefix + name,
      dims,
      init: (d) => new Tensor([...d], new Float64Array(size(d))),
    });
    return squash(values, domain);
  }

  /** n probabilities from n − 1 free numbers: a zero appended, then softmax (the paper's `simplex`). */
  simplex(name: string, n: number): Value {
    if (n === 1) return new Tensor([1, 1], Float64Array.of(1));
    const free = ops.reshape(this.tensor(name, [n - 1, 1]) as Tensor, [n - 1]);
    return ops.reshape(ops.softmax(ops.pad(free, [0], [1])), [n, 1]) as Value;
  }
}

const size = (dims: readonly number[]): number => dims.reduce((product, n) => product * n, 1);
const POSITIVE: Interval = { lower: 0, upper: Infinity };

/** Section 3.2: softplus for half-lines, sigmoid for intervals. */
function squash(free: Value, { lower, upper }: Interval): Value {
  if (lower === -Infinity && upper === Infinity) return free;
  if (upper === Infinity) return ops.add(ops.softplus(free), lower);
  if (lower === -Infinity) return ops.sub(upper, ops.softplus(free));
  return ops.add(lower, ops.mul(upper - lower, ops.sigmoid(free)));
}

const make = (name: string, params: Params): AnyDistribution =>
  (families as unknown as Record<string, Make>)[name](params);

const gaussian: Rule = (_target, free) =>
  make('Gaussian', { mu: free.number('mu'), sigma: free.number('sigma', POSITIVE) });

const positive: Rule = (_target, free) =>
  make('IspNormal', { mu: free.number('mu'), sigma: free.number('sigma', POSITIVE) });

/** Between the target's own bounds, which stay where they are. */
const between: Rule = (target, free) => {
  const { lower, upper } = target.support!() as Interval;
  return make('LogitNormal', {
    mu: free.number('mu'),
    sigma: free.number('sigma', POSITIVE),
    a: lower,
    b: upper,
  });
};

const independentGaussians =
  (dimsOf: (target: AnyDistribution) => readonly number[]): Rule =>
  (target, free) => {
    const dims = dimsOf(target);
    return make('DiagCovGaussian', { mu: free.tensor('mu', dims), sigma: free.tensor('sigma', dims, POSITIVE) });
  };

const onSimplex =
  (length: (target: AnyDistribution) => number): Rule =>
  (target, free) => {
    const dims = [length(target) - 1, 1];
    return make('LogisticNormal', { mu: free.tensor('mu', dims), sigma: free.tensor('sigma', dims, POSITIVE) });
  };

/** Over finitely many values: as many probabilities, without a redundant one. */
const listed: Rule = (target, free) => {
  const values = target.support!() as readonly unknown[];
  const ps = free.simplex('ps', values.length);
  const numbered = values.every((value, i) => value === i);
  return numbered ? make('Discrete', { ps }) : make('Categorical', { ps, vs: values });
};

/** The target's own family, a free parameter in place of each of its own. */
const sameFamily: Rule = (target, free) => {
  const kinds = (target as unknown as { family: { params: Record<string, Parameter<unknown>> } }).family.params;
  const params: Params = {};
  for (const [name, kind] of Object.entries(kinds)) {
    const own = (target.params as Params)[name];
    params[name] = own === undefined ? own : freeLike(own, name, kind.domain, free);
  }
  return make(target.name, params);
};

function freeLike(own: unknown, name: string, domain: Domain, free: Free): unknown {
  switch (domain.kind) {
    case 'real':
      return free.number(name, domain);
    case 'vector':
    case 'tensor':
      return free.tensor(name, dimsOf(own), domain);
    case 'simplex':
      return free.simplex(name, size(dimsOf(own)));
    default:
      return own;
  }
}

/** Dims of a tensor, a node or an array of numbers. */
function dimsOf(value: unknown): readonly number[] {
  if (Array.isArray(value)) return [value.length, 1];
  const { shape, dims } = value as { shape?: readonly number[]; dims?: readonly number[] };
  return shape ?? dims!;
}

const paramDims =
  (name: string) =>
  (target: AnyDistribution): readonly number[] =>
    dimsOf((target.params as Params)[name]);

const refuse =
  (advice: string): Rule =>
  (target) => {
    throw new NoAutomaticGuide(`${target.name} has no automatic guide. ${advice}`);
  };

/** Which guide each family gets; families that are not listed get their own. */
const RULES: Readonly<Record<string, Rule>> = {
  Uniform: between,
  Beta: between,
  VonMises: between,
  LogitNormal: between,
  Gamma: positive,
  InverseGamma: positive,
  ChiSquared: positive,
  HalfNormal: positive,
  HalfCauchy: positive,
  Weibull: positive,
  StudentT: gaussian,
  Dirichlet: onSimplex((target) => size(paramDims('alpha')(target))),
  TensorGaussian: independentGaussians((target) => (target.params as { dims: number[] }).dims),
  MultivariateGaussian: independentGaussians(paramDims('mu')),
  Discrete: (target, free) => make('Discrete', { ps: free.simplex('ps', size(paramDims('ps')(target))) }),
  RandomInteger: listed,
  Binomial: listed,
  Categorical: listed,
  Marginal: listed,
  SampleBasedMarginal: listed,
  ImproperUniform: refuse('Give it a guide: Delta at a parameter for a point estimate, which is what modelParam does.'),
  Delta: refuse('It has one value only; use the value itself.'),
  Multinomial: refuse('Make its draws one by one with Discrete, or give it a guide.'),
  Wishart: refuse('Give it a guide, or build the matrix from a Cholesky factor with choices of its own.'),
  LKJCholesky: refuse('Give it a guide.'),
  KDE: gaussian,
  Mixture: (target, free) => (target.isContinuous ? byBounds(target, free) : listed(target, free)),
};

/** For continuous targets of no particular family. */
function byBounds(target: AnyDistribution, free: Free): AnyDistribution {
  const { lower = -Infinity, upper = Infinity } = (target.support?.() ?? {}) as Partial<Interval>;
  if (lower === -Infinity && upper === Infinity) return gaussian(target, free);
  if (lower === 0 && upper === Infinity) return positive(target, free);
  if (lower > -Infinity && upper < Infinity) return between(target, free);
  return refuse('Give it a guide with its own bounds.')(target, free);
}

export function automaticGuide<V>(target: Distribution<V>, address: Address): Distribution<V> {
  const rule = Object.hasOwn(RULES, target.name) ? RULES[target.name] : sameFamily;
  const free = new Free(`${address.relativeTo(machine.base)}$mf$${target.name}$`);
  return rule(target as AnyDistribution, free) as Distribution<V>;
}
