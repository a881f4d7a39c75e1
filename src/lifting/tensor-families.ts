/**
 * Families over vectors, matrices and tables of probabilities, recorded as operations on whole tensors. Their plain
 * definitions loop over elements, which as a recording would be a node per element (and reads elements that a node
 * does not have), so that these few are written a second time. `test/lifting/families.test.ts` holds each of
 * them against its plain definition.
 */

import { areCounts } from '../distributions/counts.ts';
import { DirichletMultinomial } from '../distributions/dirichlet-multinomial.ts';
import type { FamilyDefinition } from '../distributions/family.ts';
import { wholeNumbersBelow } from '../distributions/listable.ts';
import { Multinomial } from '../distributions/multinomial.ts';
import { MultivariateBernoulli } from '../distributions/multivariate-bernoulli.ts';
import { isOnSimplex } from '../distributions/simplex.ts';
import { TensorGaussian } from '../distributions/tensor-gaussian.ts';
import { TensorLaplace } from '../distributions/tensor-laplace.ts';
import { settled } from '../runtime/force.ts';
import type { Distribution, Interval } from '../runtime/handler.ts';
import { HALF_LOG_2PI } from '../tensor/constants.ts';
import { Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { sizeOf } from '../tensor/shape.ts';
import { logFactorial } from '../tensor/special/gamma.ts';
import { Tensor } from '../tensor/tensor.ts';
import { log1mExp } from './special.ts';
import { tensorClosedForms } from './tensor-closed-forms.ts';
import { elements } from './tensor-nodes.ts';
import { diagonal, dimsOf, numbers, row, total } from './tensor-operands.ts';

type Params = Record<string, Value>;
type Definition = FamilyDefinition<Record<string, unknown>, unknown>;

const log = (x: Value): Value => ops.log(x);
/** The logarithm of what weights sum to, 0 where a softmax has seen to that. */
const logTotal = (weights: Value): Value => (ops.isNormalised(weights) ? 0 : log(total(weights)));
const squares = (x: Value): Value => total(ops.square(x));

/** The score where a condition holds that only values can tell. */
const within = (condition: Value, score: Value): Value => ops.select(condition, score, -Infinity);

/** One element of a row. */
const item = (x: Node, k: number): Node => ops.reshape(ops.sliceAxis(x, 0, k, k + 1), []);

/** The element whose place is the value; undefined if there is none. */
function itemAt(x: Node, k: unknown): Node | undefined {
  if (k instanceof Node) return ops.gather(x, k);
  return Number.isInteger(k) && (k as number) >= 0 && (k as number) < elements(x) ? item(x, k as number) : undefined;
}

/** The logarithm of the multivariate gamma function of n dimensions, at half the degrees of freedom. */
function logMultiGamma(df: Value, n: number): Value {
  let sum: Value = 0.25 * n * (n - 1) * Math.log(Math.PI);
  for (let i = 0; i < n; i++) sum = ops.add(sum, ops.lgamma(ops.mul(0.5, ops.sub(df, i))));
  return sum;
}

/** The score of a grade between cutpoints, as in the plain definition. */
function gradeScore(eta: Value, cuts: Node, n: number, grade: number): Value {
  const below = grade === 0 ? 0 : ops.softplus(ops.sub(item(cuts, grade - 1), eta));
  const above = grade === n ? 0 : ops.softplus(ops.sub(eta, item(cuts, grade)));
  const both = ops.neg(ops.add(below, above));
  if (grade === 0 || grade === n) return both;
  return ops.add(both, log1mExp(ops.sub(item(cuts, grade - 1), item(cuts, grade))) as Value);
}

/** Whether numbers, of which each lane has its own, are counts that add up to n. */
function ofCounts(counts: Node, n: Value): Value {
  const isCount = ops.select(ops.ge(counts, 0), ops.select(ops.eq(ops.floor(counts), counts), 1, 0), 0);
  return ops.and(ops.eq(total(isCount), elements(counts)), ops.eq(total(counts), n));
}

/** The score of counts, of which each lane has its own. */
function scoreOfCounts(ps: Node, n: Value, counts: Node): Value {
  if (elements(counts) !== elements(ps)) return -Infinity;
  const sum = total(counts);
  const ways = ops.sub(ops.lgamma(ops.add(n, 1)), total(ops.lgamma(ops.add(counts, 1))));
  const occurred = total(ops.mul(counts, ops.select(ops.gt(counts, 0), log(ps), 0)));
  const score = ops.add(ops.sub(occurred, ops.mul(sum, logTotal(ps))), ways);
  return within(ofCounts(counts, n), score);
}

const sameLength = (a: unknown, b: unknown): boolean => elements(numbers(a)) === elements(numbers(b));

/** A value given as numbers is checked as the plain family does; a computed one is in the support by construction. */
const onSimplex = (x: unknown): boolean => {
  const given = numbers(x);
  return !(given instanceof Tensor) || isOnSimplex(given.data);
};

const normalScore = (z: Value, logSigma: Value, n: number): Value =>
  ops.sub(ops.sub(ops.mul(-0.5, squares(z)), logSigma), n * HALF_LOG_2PI);

/** The data of a KDE as rows. */
const rowsOf = (data: unknown): ArrayLike<number>[] =>
  (data as readonly unknown[]).map((point) => (typeof point === 'number' ? [point] : (numbers(point) as Tensor).data));

type Score = (params: Params, value: unknown, prepared: unknown) => Value;

const scores: Record<string, Score> = {
  ImproperUniform({ a, b }, value) {
    if (a === undefined && b === undefined) return 0;
    const x = value as Value;
    const above = a === undefined ? true : ops.ge(x, a);
    const below = b === undefined ? true : ops.le(x, b);
    const inside = ops.and(above, below);
    return within(inside instanceof Node && inside.shape.length > 0 ? ops.prod(inside) : inside, 0);
  },

  TensorGaussian({ mu, sigma, dims }, value) {
    const n = sizeOf(dims as unknown as number[]);
    if (elements(value as Value) !== n) return -Infinity;
    return normalScore(ops.div(ops.sub(row(value), mu), sigma), ops.mul(n, log(sigma)), n);
  },

  TensorLaplace({ location, scale, dims }, value) {
    const n = sizeOf(dims as unknown as number[]);
    if (elements(value as Value) !== n) return -Infinity;
    const distance = total(ops.abs(ops.sub(row(value), location)));
    return ops.sub(ops.neg(ops.div(distance, scale)), ops.mul(n, log(ops.mul(2, scale))));
  },

  DiagCovGaussian({ mu, sigma }, value) {
    if (!sameLength(value, mu)) return -Infinity;
    const z = ops.div(ops.sub(row(value), row(mu)), row(sigma));
    return normalScore(z, total(log(row(sigma))), elements(mu));
  },

  MultivariateGaussian({ mu, cov }, value) {
    if (!sameLength(value, mu)) return -Infinity;
    const factor = ops.cholesky(cov as Node);
    const z = ops.triangularSolve(factor, ops.sub(row(value), row(mu)) as Node);
    return normalScore(z, total(log(diagonal(factor))), elements(mu));
  },

  MultivariateGaussianFactor({ mu, factor }, value) {
    if (!sameLength(value, mu)) return -Infinity;
    const z = ops.triangularSolve(factor as Node, ops.sub(row(value), row(mu)) as Node);
    return normalScore(z, total(log(diagonal(factor))), elements(mu));
  },

  MultivariateGaussianPrecision({ mu, precision }, value) {
    if (!sameLength(value, mu)) return -Infinity;
    const factor = ops.cholesky(precision as Node);
    const distance = ops.reshape(ops.sub(row(value), row(mu)) as Node, [1, elements(mu)]);
    return normalScore(ops.matmul(distance, factor), ops.neg(total(log(diagonal(factor)))), elements(mu));
  },

  MultivariateStudentT({ df, mu, scale }, value) {
    if (!sameLength(value, mu)) return -Infinity;
    const n = elements(mu);
    const factor = ops.cholesky(scale as Node);
    const z = ops.triangularSolve(factor, ops.sub(row(value), row(mu)) as Node);
    const half = ops.mul(0.5, ops.add(df, n));
    const constant = ops.sub(ops.lgamma(half), ops.lgamma(ops.mul(0.5, df)));
    const spread = ops.add(ops.mul(0.5 * n, log(ops.mul(Math.PI, df))), total(log(diagonal(factor))));
    return ops.sub(ops.sub(constant, spread), ops.mul(half, ops.log1p(ops.div(squares(z), df))));
  },

  OrderedLogistic({ eta, cutpoints }, k) {
    const cuts = row(cutpoints);
    const n = elements(cutpoints);
    if (k instanceof Node) {
      const grades = Array.from({ length: n + 1 }, (_, grade) => gradeScore(eta, cuts, n, grade));
      return grades.reduce((rest, score, grade) => ops.select(ops.eq(k, grade), score, rest), -Infinity as Value);
    }
    const grade = k as number;
    return grade < 0 || grade > n ? -Infinity : gradeScore(eta, cuts, n, grade);
  },

  DirichletMultinomial({ alpha, n }, value) {
    const counts = numbers(value);
    if (counts instanceof Tensor && !areCounts(counts.data, elements(alpha), n as number)) return -Infinity;
    const a = row(alpha);
    const x = row(counts);
    const sum = total(a);
    const whole = ops.sub(ops.lgamma(sum), ops.lgamma(ops.add(sum, n)));
    const ways = ops.sub(ops.lgamma(ops.add(n, 1)), total(ops.lgamma(ops.add(x, 1))));
    const each = total(ops.sub(ops.lgamma(ops.add(a, x)), ops.lgamma(a)));
    const score = ops.add(ops.add(whole, ways), each);
    return counts instanceof Tensor ? score : within(ofCounts(counts as Node, n), score);
  },

  Dirichlet({ alpha }, value) {
    if (!sameLength(value, alpha) || !onSimplex(value)) return -Infinity;
    const a = row(alpha);
    const weighed = total(ops.mul(ops.sub(a, 1), log(row(value))));
    return ops.add(ops.sub(weighed, total(ops.lgamma(a))), ops.lgamma(total(a)));
  },

  LogisticNormal({ mu, sigma }, value) {
    const n = elements(mu);
    if (elements(numbers(value)) !== n + 1 || !onSimplex(value)) return -Infinity;
    const logs = log(row(value)) as Node;
    const ratios = ops.sub(ops.sliceAxis(logs, 0, 0, n), ops.sliceAxis(logs, 0, n, n + 1));
    const z = ops.div(ops.sub(ratios, row(mu)), row(sigma));
    return ops.sub(normalScore(z, total(log(row(sigma))), n), total(logs));
  },

  LKJCholesky({ dim, eta }, value) {
    const n = dim as number;
    if (dimsOf(value)[0] !== n) return -Infinity;
    let score: Value = 0;
    const logs = log(diagonal(value as Node)) as Node;
    for (let k = 2; k <= n; k++) {
      // As in the plain definition: (1 − |x|²)ᵐ over the unit ball of k − 1 dimensions.
      const m = ops.add(eta, 0.5 * (n - k) - 1);
      const half = 0.5 * (k - 1);
      const normaliser = ops.sub(ops.lgamma(ops.add(m, 1)), ops.lgamma(ops.add(m, 1 + half)));
      const weighed = ops.mul(ops.mul(2, m), ops.reshape(ops.sliceAxis(logs, 0, k - 1, k), []));
      score = ops.add(score, ops.sub(ops.sub(weighed, half * Math.log(Math.PI)), normaliser));
    }
    return score;
  },

  Wishart({ df, scale }, value) {
    const n = dimsOf(scale)[0];
    if (dimsOf(value)[0] !== n) return -Infinity;
    const factor = ops.cholesky(scale as Node);
    const root = ops.cholesky(value as Node);
    const trace = squares(ops.triangularSolve(factor, root));
    const half = (x: Node): Value => total(log(diagonal(x)));
    const power = ops.mul(ops.sub(df, n + 1), half(root));
    const spread = ops.add(ops.mul(0.5, trace), ops.mul(df, ops.add(half(factor), 0.5 * n * Math.LN2)));
    return ops.sub(ops.sub(power, spread), logMultiGamma(df, n));
  },

  InverseWishart({ df, scale }, value) {
    const n = dimsOf(scale)[0];
    if (dimsOf(value)[0] !== n) return -Infinity;
    const factor = ops.cholesky(scale as Node);
    const root = ops.cholesky(value as Node);
    const trace = squares(ops.triangularSolve(root, factor));
    const half = (x: Node): Value => total(log(diagonal(x)));
    const spread = ops.sub(ops.mul(df, half(factor)), ops.mul(ops.add(df, n + 1), half(root)));
    const rest = ops.add(ops.mul(0.5, trace), ops.mul(df, 0.5 * n * Math.LN2));
    return ops.sub(ops.sub(spread, rest), logMultiGamma(df, n));
  },

  DiscreteLogits({ logits }, k) {
    const chosen = itemAt(row(logits), k);
    return chosen === undefined ? -Infinity : ops.sub(chosen, ops.logsumexp(row(logits)));
  },

  Discrete({ ps }, k) {
    const weight = itemAt(row(ps), k);
    return weight === undefined ? -Infinity : ops.sub(log(weight), logTotal(row(ps)));
  },

  Multinomial({ ps, n }, value) {
    if (value instanceof Node) return scoreOfCounts(row(ps), n, row(value));
    const counts = numbers(value) as Tensor;
    if (!areCounts(counts.data, elements(ps), n as number)) return -Infinity;
    let ways = logFactorial(n as number);
    for (const count of counts.data) ways -= logFactorial(count);
    // An outcome that did not occur adds nothing, whatever its probability.
    const occurred = ops.select(ops.gt(row(counts), 0), log(row(ps)), 0);
    return ops.add(ops.sub(total(ops.mul(row(counts), occurred)), ops.mul(n, logTotal(row(ps)))), ways);
  },

  MultivariateBernoulli({ ps }, value) {
    const x = value instanceof Node ? value : (numbers(value) as Tensor);
    if (elements(x) !== elements(ps)) return -Infinity;
    if (x instanceof Tensor && !x.data.every((bit) => bit === 0 || bit === 1)) return -Infinity;
    const p = row(ps);
    return total(ops.select(ops.gt(row(x), 0), log(p), ops.log1p(ops.neg(p))));
  },

  // Its data are never lifted; its width may be, and then nothing is prepared.
  KDE({ data, width }, value, prepared) {
    const { rows, widths } = (prepared ?? { rows: rowsOf(data) }) as {
      rows: readonly ArrayLike<number>[];
      widths?: readonly number[];
    };
    const d = rows[0].length;
    if (elements(value as Value) !== d) return -Infinity;
    const centres = new Tensor([rows.length, d], Float64Array.from(rows.flatMap((centre) => Array.from(centre))));
    const given = widths === undefined ? width : new Tensor([d], Float64Array.from(widths));
    const scale = ops.mul(
      ops.reshape(given as Node, [1, elements(given)]),
      new Tensor([1, d], new Float64Array(d).fill(1)),
    );
    const point = typeof value === 'number' ? value : ops.reshape(numbers(value) as Node, [1, d]);
    const z = ops.div(ops.sub(point, centres), scale);
    const nearness = ops.mul(-0.5, ops.sum(ops.square(z) as Node, 1));
    const logWidths = ops.add(total(log(scale)), d * HALF_LOG_2PI);
    return ops.sub(ops.sub(ops.logsumexp(nearness as Node), Math.log(rows.length)), logWidths);
  },
};

const shifted = (centre: Value, scale: Value, noise: Value): Value => ops.add(centre, ops.mul(scale, noise));
const standardNormal = (dims: readonly number[]): Distribution<Tensor> => TensorGaussian({ mu: 0, sigma: 1, dims });

interface Reparameterisation {
  base(params: Params): Distribution<Tensor>;
  transform(params: Params, noise: Value): Value;
}

const reparameterisations: Record<string, Reparameterisation> = {
  TensorGaussian: {
    base: ({ dims }) => standardNormal(dims as unknown as number[]),
    transform: ({ mu, sigma }, noise) => shifted(mu, sigma, noise),
  },
  TensorLaplace: {
    base: ({ dims }) => TensorLaplace({ location: 0, scale: 1, dims: dims as unknown as number[] }),
    transform: ({ location, scale }, noise) => shifted(location, scale, noise),
  },
  DiagCovGaussian: {
    base: ({ mu }) => standardNormal(dimsOf(mu)),
    transform: ({ mu, sigma }, noise) => shifted(mu, ops.reshape(sigma as Node, dimsOf(mu)), noise),
  },
  MultivariateGaussian: {
    base: ({ mu }) => standardNormal(dimsOf(mu)),
    transform({ mu, cov }, noise) {
      const column = ops.reshape(noise as Node, [elements(mu), 1]);
      return ops.add(mu, ops.reshape(ops.matmul(ops.cholesky(cov as Node), column), dimsOf(mu)));
    },
  },
  MultivariateGaussianFactor: {
    base: ({ mu }) => standardNormal(dimsOf(mu)),
    transform({ mu, factor }, noise) {
      const column = ops.reshape(noise as Node, [elements(mu), 1]);
      return ops.add(mu, ops.reshape(ops.matmul(factor as Node, column), dimsOf(mu)));
    },
  },
  MultivariateGaussianPrecision: {
    base: ({ mu }) => standardNormal(dimsOf(mu)),
    transform({ mu, precision }, noise) {
      const factor = ops.cholesky(precision as Node);
      return ops.add(mu, ops.reshape(ops.triangularSolve(factor, row(noise), true), dimsOf(mu)));
    },
  },
  LogisticNormal: {
    base: ({ mu }) => standardNormal([elements(mu), 1]),
    transform({ mu, sigma }, noise) {
      const logs = ops.pad(shifted(row(mu), row(sigma), row(noise)) as Node, [0], [1]);
      return ops.reshape(ops.softmax(logs), [elements(mu) + 1, 1]);
    },
  },
};

/** In place of a vector of the graph, of which only the size matters. */
const likeIt = (vector: Value): Tensor => new Tensor(dimsOf(vector), new Float64Array(elements(vector)).fill(0.5));

const supports: Record<string, (params: Params) => Interval | readonly unknown[]> = {
  MultivariateBernoulli: ({ ps }) => MultivariateBernoulli({ ps: likeIt(ps) }).support!(),
  Multinomial: ({ ps, n }) => Multinomial({ ps: likeIt(ps), n: settled(n) as number }).support!(),
  DirichletMultinomial: ({ alpha, n }) =>
    DirichletMultinomial({ alpha: likeIt(alpha), n: settled(n) as number }).support!(),
  Discrete: ({ ps }) => wholeNumbersBelow(elements(ps), 'Discrete'),
  DiscreteLogits: ({ logits }) => wholeNumbersBelow(elements(logits), 'DiscreteLogits'),
  OrderedLogistic: ({ cutpoints }) => wholeNumbersBelow(elements(cutpoints) + 1, 'OrderedLogistic'),
  ImproperUniform: ({ a = -Infinity, b = Infinity }) => ({ lower: a as number, upper: b as number }),
};

/** Plain definitions look into tensors, and would find nothing there, or lose gradients. */
const NO_CLOSED_FORMS = {
  mean: undefined,
  variance: undefined,
  entropy: undefined,
  cdf: undefined,
  quantile: undefined,
};

/** What takes the place of the lifted text of a family's definition. */
export const tensorFamilies: ReadonlyMap<string, Partial<Definition>> = new Map(
  Object.entries(scores).map(([name, score]) => [
    name,
    {
      score,
      prepare: undefined,
      ...NO_CLOSED_FORMS,
      ...tensorClosedForms[name],
      ...(name in reparameterisations && { reparameterisation: reparameterisations[name] }),
      ...(name in supports && { support: supports[name] }),
    } as unknown as Partial<Definition>,
  ]),
);
