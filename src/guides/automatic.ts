/**
 * Mean-field guides for choices without a guide of their own (section 7.1 and appendix A of the paper): a family
 * that can be reparameterised where the target is continuous, with a free parameter for each of its parameters,
 * squashed into that parameter's domain. Parameters start at 0 and are named after the choice.
 */
import * as families from '../distributions/index.ts';
import { definitionOf, drawnDims } from '../distributions/of-family.ts';
import { type Domain, elementsOf, type Parameter } from '../distributions/parameter.ts';
import {
  correlationFactors,
  covariances,
  probabilityVectors,
  reals,
  type ValueKind,
} from '../distributions/value-kind.ts';
import { givenDims } from '../distributions/value-size.ts';
import type { Address } from '../runtime/address.ts';
import type { Distribution, Interval } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import * as ops from '../tensor/ops.ts';
import { sizeOf } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';
import { type Free, freeAt, POSITIVE } from './free-parameters.ts';
import { NoAutomaticGuide } from './guide-of.ts';
import { jointGuide } from './joint/joint-guide.ts';

type AnyDistribution = Distribution<unknown>;
type Params = Record<string, unknown>;
type Make = (params: object) => AnyDistribution;

/** Makes the guide of one target; `free` declares its parameters. */
type Rule = (target: AnyDistribution, free: Free) => AnyDistribution;

const make = (name: string, params: Params): AnyDistribution =>
  (families as unknown as Record<string, Make>)[name](params);

const gaussian: Rule = (_target, free) =>
  make('Gaussian', { mu: free.number('mu'), sigma: free.number('sigma', POSITIVE) });

const positive: Rule = (_target, free) =>
  make('IspNormal', { mu: free.number('mu'), sigma: free.number('sigma', POSITIVE) });

/** On a half-line that ends where the target's does. */
const beyond: Rule = (target, free) => {
  const { lower, upper } = target.support!() as Interval;
  const end = upper === Infinity ? { a: lower } : { b: upper };
  return make('IspNormal', { mu: free.number('mu'), sigma: free.number('sigma', POSITIVE), ...end });
};

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

const onSimplex: Rule = (target, free) => {
  const dims = [sizeOf(drawnDims(target)!) - 1, 1];
  return make('LogisticNormal', { mu: free.tensor('mu', dims), sigma: free.tensor('sigma', dims, POSITIVE) });
};

/** A choice with a single possible value has that value. */
const certain = (v: unknown): AnyDistribution => make('Delta', { v });

/** Over finitely many values: as many probabilities, without a redundant one; those of impossible values are 0. */
const listed: Rule = (target, free) => {
  const values = target.support!() as readonly unknown[];
  const possible = Float64Array.from(values, (value) => (target.score(value) === -Infinity ? 0 : 1));
  const count = possible.reduce((sum, one) => sum + one, 0);
  if (count === 1) return certain(values[possible.indexOf(1)]);
  const all = free.simplex('ps', values.length);
  const ps = count === values.length ? all : ops.mul(all, new Tensor([values.length, 1], possible));
  const numbered = values.every((value, i) => value === i);
  return numbered ? make('Discrete', { ps }) : make('Categorical', { ps, vs: values });
};

/** A Discrete whose probabilities are nodes: all of its values count as possible. */
const discrete: Rule = (target, free) => {
  const { ps } = target.params as Params;
  const known = Array.isArray(ps) || ps instanceof Tensor;
  return known ? listed(target, free) : make('Discrete', { ps: free.simplex('ps', sizeOf(givenDims(ps)!)) });
};

/** Values beyond which a Binomial gets a Binomial for its guide, instead of a table of them. */
const LONGEST_TABLE = 100;

const binomial: Rule = (target, free) => {
  const { n } = target.params as { n: number };
  return n <= LONGEST_TABLE ? listed(target, free) : sameFamily(target, free);
};

const bernoulli: Rule = (target, free) => {
  const { p } = target.params as Params;
  return p === 0 || p === 1 ? certain(p === 1) : sameFamily(target, free);
};

const geometric: Rule = (target, free) => ((target.params as Params).p === 1 ? certain(0) : sameFamily(target, free));

/** Bits that are certainly 0 or 1 are so in the guide. */
const bits: Rule = (target, free) => {
  const { ps } = target.params as Params;
  const own = Array.isArray(ps) ? ps : ps instanceof Tensor ? [...ps.data] : [];
  if (!own.some((p) => p === 0 || p === 1)) return sameFamily(target, free);
  const column = (of: (p: number) => number): Tensor =>
    new Tensor([own.length, 1], Float64Array.from(own as number[], of));
  const open = column((p) => (p === 0 || p === 1 ? 0 : 1));
  const fixed = column((p) => (p === 1 ? 1 : 0));
  const guessed = free.tensor('ps', [own.length, 1], { lower: 0, upper: 1 });
  return make(target.name, { ps: ops.add(ops.mul(open, guessed), fixed) });
};

/**
 * From its own lower bound on. It starts with a tail that falls fast: with a heavy one, gradients have no variance, and one
 * of them that is huge keeps an optimiser from moving for long.
 */
const pareto: Rule = (target, free) =>
  make('Pareto', { ...target.params, shape: ops.softplus(ops.add(free.number('shape'), LIGHT_TAIL)) });
const LIGHT_TAIL = 4;

/** For a density that is smoothed over data, which are numbers or vectors. */
const smoothed: Rule = (target, free) => {
  const [first] = (target.params as { data: readonly unknown[] }).data;
  if (typeof first === 'number') return gaussian(target, free);
  const d = Array.isArray(first) ? first.length : sizeOf(givenDims(first)!);
  return independentGaussians(() => [d, 1])(target, free);
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
      return free.tensor(name, givenDims(own)!, domain);
    case 'simplex':
      return free.simplex(name, sizeOf(givenDims(own)!));
    default:
      return own;
  }
}

const paramDims =
  (name: string) =>
  (target: AnyDistribution): readonly number[] =>
    givenDims((target.params as Params)[name])!;

const refuse =
  (advice: string): Rule =>
  (target) => {
    throw new NoAutomaticGuide(`${target.name} has no automatic guide. ${advice}`);
  };

/** What to do for a matrix, whose elements cannot be guided one by one. */
const OF_A_MATRIX = "Optimize with autoGuide: 'fullRank', which has one, or give it a guide.";

/** Which guide each family gets; for those that are not listed see `ruleFor`. */
const RULES: Readonly<Record<string, Rule>> = {
  Uniform: between,
  LogitNormal: between,
  HalfNormal: positive,
  HalfCauchy: positive,
  Weibull: positive,
  TensorGaussian: independentGaussians((target) => (target.params as { dims: number[] }).dims),
  MultivariateGaussian: independentGaussians(paramDims('mu')),
  Bernoulli: bernoulli,
  MultivariateBernoulli: bits,
  Geometric: geometric,
  Discrete: discrete,
  RandomInteger: listed,
  Binomial: binomial,
  Pareto: pareto,
  Categorical: listed,
  Marginal: listed,
  SampleBasedMarginal: listed,
  ImproperUniform: refuse('Give it a guide: Delta at a parameter for a point estimate, which is what modelParam does.'),
  Delta: refuse('It has one value only; use the value itself.'),
  MultivariateGaussianFactor: independentGaussians(paramDims('mu')),
  MultivariateGaussianPrecision: independentGaussians(paramDims('mu')),
  BetaBinomial: binomial,
  BinomialLogits: binomial,
  OrderedLogistic: listed,
  DirichletMultinomial: refuse('Make its draws one by one with Discrete, or give it a guide.'),
  Multinomial: refuse('Make its draws one by one with Discrete, or give it a guide.'),
  KDE: smoothed,
  Mixture: madeOfOthers,
  Truncated: madeOfOthers,
  ZeroInflated: madeOfOthers,
  Censored: refuse('Values at its ends have a probability, those between them a density. It is for what is observed.'),
};

/** For targets of no particular family. */
function madeOfOthers(target: AnyDistribution, free: Free): AnyDistribution {
  if (target.isContinuous) return byBounds(target)(target, free);
  if (Array.isArray(target.support?.())) return listed(target, free);
  return refuse('Its values cannot be listed. Give it a guide.')(target, free);
}

/** For continuous targets over numbers. */
function byBounds(target: AnyDistribution): Rule {
  const { lower = -Infinity, upper = Infinity } = (target.support?.() ?? {}) as Partial<Interval>;
  if (lower === -Infinity && upper === Infinity) return gaussian;
  if (lower === 0 && upper === Infinity) return positive;
  // (An end that moves has a gradient, which a comparison would lose.)
  return lower !== -Infinity && upper !== Infinity ? between : beyond;
}

/** By values that are no numbers; those that are not listed are tensors of any numbers. */
const BY_KIND = new Map<ValueKind<unknown>, Rule>([
  [probabilityVectors, onSimplex],
  [covariances, refuse(OF_A_MATRIX)],
  [correlationFactors, refuse(OF_A_MATRIX)],
]);

const ofTensors = independentGaussians((target) => drawnDims(target)!);

/** The rule of a target: that of its family, or its own family, or, where that cannot be reparameterised, what its values ask for. */
function ruleFor(target: AnyDistribution): Rule {
  if (Object.hasOwn(RULES, target.name)) return RULES[target.name];
  const { values, reparameterisation } = definitionOf(target) ?? {};
  if (!target.isContinuous || values === undefined || reparameterisation !== undefined) return sameFamily;
  return values === reals ? byBounds(target) : (BY_KIND.get(values) ?? ofTensors);
}

export function automaticGuide<V>(target: Distribution<V>, address: Address): Distribution<V> {
  const joint = jointGuide(target as AnyDistribution, address);
  if (joint !== undefined) return joint as unknown as Distribution<V>;
  const free = freeAt(address.relativeTo(machine.base), target.name);
  return ruleFor(target as AnyDistribution)(target as AnyDistribution, free) as Distribution<V>;
}

/** What the guide of a rule depends on, besides the name of its choice: targets that agree in all of it have one guide. */
const MATTERS = new Map<Rule, (target: AnyDistribution) => readonly unknown[]>([
  [gaussian, () => []],
  [positive, () => []],
  [between, boundsOf],
  [listed, possibleValues],
  [discrete, possibleValues],
  [binomial, (target) => Object.values(target.params as Params)],
  [bernoulli, ({ params }) => certainty([(params as Params).p])],
  [geometric, ({ params }) => [(params as Params).p === 1]],
  [sameFamily, dimsAndFixed],
  [onSimplex, dimsAndFixed],
  [RULES.MultivariateGaussian, dimsAndFixed],
  [bits, ({ params }) => certainty(elementsOf((params as Params).ps as never) as ArrayLike<unknown>)],
]);

function boundsOf(target: AnyDistribution): readonly unknown[] {
  const { lower, upper } = target.support!() as Interval;
  return [lower, upper];
}

function possibleValues(target: AnyDistribution): readonly unknown[] {
  const values = target.support!() as readonly unknown[];
  return values.flatMap((value) => [value, target.score(value) === -Infinity]);
}

const certainty = (ps: ArrayLike<unknown>): readonly unknown[] =>
  Array.from(ps, (p) => (p === 0 || p === 1 ? p : null));

/** Dims of parameters that are tensors, and the values of those that stay as they are. */
function dimsAndFixed(target: AnyDistribution): readonly unknown[] {
  const kinds = (target as { family?: { params: Record<string, Parameter<unknown>> } }).family?.params;
  if (kinds === undefined) return [target];
  return Object.entries(kinds).map(([name, { domain }]) => {
    const own = (target.params as Params)[name];
    if (own === undefined || domain.kind === 'real') return own === undefined;
    return domain.kind === 'fixed' ? own : givenDims(own)?.join();
  });
}

/** Whether two targets are known to have the same guide at one choice. */
export function areAlike(one: AnyDistribution, other: AnyDistribution): boolean {
  if (one.name !== other.name) return false;
  if (one === other) return true;
  const matters = MATTERS.get(ruleFor(one));
  if (matters === undefined) return false;
  const [a, b] = [matters(one), matters(other)];
  return a.length === b.length && a.every((part, i) => Object.is(part, b[i]));
}
