/**
 * Closed forms of families over vectors, matrices and tables of probabilities, recorded as operations on whole
 * tensors: see `tensor-families.ts`.
 */

import { Discrete } from '../distributions/discrete.ts';
import { DiscreteLogits } from '../distributions/discrete-logits.ts';
import { KDE } from '../distributions/kde.ts';
import { OrderedLogistic } from '../distributions/ordered-logistic.ts';
import { settled } from '../runtime/force.ts';
import { HALF_LOG_2PI } from '../tensor/constants.ts';
import type { Node, Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { sizeOf } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';
import { column, elements } from './tensor-nodes.ts';
import { diagonal, dimsOf, row, total } from './tensor-operands.ts';

type Params = Record<string, Value>;

/** By the names they have in definitions of families. */
interface ClosedForms {
  mean?(params: Params): Value;
  variance?(params: Params): Value;
  entropy?(params: Params): Value;
  cdf?(params: Params, x: Value): Value;
  quantile?(params: Params, p: Value): Value;
}

const dimsIn = ({ dims }: Params): readonly number[] => dims as unknown as readonly number[];
const ones = (dims: readonly number[]): Tensor => new Tensor(dims, new Float64Array(sizeOf(dims)).fill(1));
const square = (x: Value): Value => ops.square(x);

/** The whole numbers from 0, one for each probability. */
const places = (ps: Value): Tensor =>
  new Tensor(
    [elements(ps)],
    Float64Array.from({ length: elements(ps) }, (_, k) => k),
  );
const shares = (ps: Value): Value => ops.div(row(ps), total(row(ps)));
const meanPlace = (ps: Value): Value => total(ops.mul(shares(ps), places(ps)));

/** For each element of a matrix the product of the two elements of the diagonal in its row and its column. */
function endProducts(matrix: Value): Value {
  const n = dimsOf(matrix)[0];
  const ends = diagonal(matrix);
  return ops.mul(ops.reshape(ends, [n, 1]), ops.reshape(ends, [1, n]));
}

/** p log p, and nothing of what has no probability. */
const unsurprising = (p: Value): Value => ops.select(ops.gt(p, 0), ops.mul(p, ops.log(p)), 0);

export const tensorClosedForms: Readonly<Record<string, ClosedForms>> = {
  TensorGaussian: {
    mean: (params) => ops.mul(params.mu, ones(dimsIn(params))),
    variance: (params) => ops.mul(square(params.sigma), ones(dimsIn(params))),
    entropy: (params) => ops.mul(sizeOf(dimsIn(params)), ops.add(0.5 + HALF_LOG_2PI, ops.log(params.sigma))),
  },

  TensorLaplace: {
    mean: (params) => ops.mul(params.location, ones(dimsIn(params))),
    variance: (params) => ops.mul(ops.mul(2, square(params.scale)), ones(dimsIn(params))),
    entropy: (params) => ops.mul(sizeOf(dimsIn(params)), ops.add(1, ops.log(ops.mul(2, params.scale)))),
  },

  DiagCovGaussian: {
    mean: ({ mu }) => mu,
    variance: ({ sigma }) => square(sigma),
    entropy: ({ sigma }) => ops.add(total(ops.log(row(sigma))), elements(sigma) * (0.5 + HALF_LOG_2PI)),
  },

  MultivariateGaussian: {
    mean: ({ mu }) => mu,
    variance: ({ mu, cov }) => ops.reshape(diagonal(cov), dimsOf(mu)),
    entropy: ({ mu, cov }) =>
      ops.add(total(ops.log(diagonal(ops.cholesky(cov as Node)))), elements(mu) * (0.5 + HALF_LOG_2PI)),
  },

  Dirichlet: {
    mean: ({ alpha }) => column(ops.div(row(alpha), total(row(alpha)))),
    variance({ alpha }) {
      const a = row(alpha);
      const sum = total(a);
      return column(ops.div(ops.mul(a, ops.sub(sum, a)), ops.mul(square(sum), ops.add(sum, 1))));
    },
    entropy({ alpha }) {
      const a = row(alpha);
      const sum = total(a);
      const whole = ops.sub(ops.mul(ops.sub(sum, elements(alpha)), ops.digamma(sum)), ops.lgamma(sum));
      return ops.add(whole, total(ops.sub(ops.lgamma(a), ops.mul(ops.sub(a, 1), ops.digamma(a)))));
    },
  },

  Wishart: {
    mean: ({ df, scale }) => ops.mul(df, scale),
    variance: ({ df, scale }) => ops.mul(df, ops.add(square(scale), endProducts(scale))),
  },

  MultivariateGaussianFactor: {
    mean: ({ mu }) => mu,
    variance: ({ mu, factor }) => ops.reshape(ops.sum(square(factor) as Node, 1), dimsOf(mu)),
    entropy: ({ mu, factor }) => ops.add(total(ops.log(diagonal(factor))), elements(mu) * (0.5 + HALF_LOG_2PI)),
  },

  MultivariateGaussianPrecision: {
    mean: ({ mu }) => mu,
    variance: ({ mu, precision }) => ops.reshape(diagonal(ops.inverse(precision as Node)), dimsOf(mu)),
    entropy: ({ mu, precision }) =>
      ops.sub(elements(mu) * (0.5 + HALF_LOG_2PI), total(ops.log(diagonal(ops.cholesky(precision as Node))))),
  },

  MultivariateStudentT: {
    mean: ({ mu }) => mu,
    variance: ({ df, mu, scale }) =>
      ops.reshape(ops.mul(ops.div(df, ops.sub(df, 2)), diagonal(scale)) as Node, dimsOf(mu)),
  },

  InverseWishart: {
    mean: ({ df, scale }) => ops.div(scale, ops.sub(df, dimsOf(scale)[0] + 1)),
    variance({ df, scale }) {
      const left = ops.sub(df, dimsOf(scale)[0]);
      const own = ops.mul(ops.add(left, 1), square(scale));
      const ends = ops.mul(ops.sub(left, 1), endProducts(scale));
      const under = ops.mul(ops.mul(left, square(ops.sub(left, 1))), ops.sub(left, 3));
      return ops.div(ops.add(own, ends), under);
    },
  },

  OrderedLogistic: {
    mean: ({ eta, cutpoints }) => total(ops.sigmoid(ops.sub(eta, row(cutpoints)))),
    variance({ eta, cutpoints }) {
      const beyond = ops.sigmoid(ops.sub(eta, row(cutpoints)));
      const squares = total(ops.mul(ops.add(ops.mul(2, places(cutpoints)), 1), beyond));
      return ops.sub(squares, square(total(beyond)));
    },
    quantile: ({ eta, cutpoints }, p) =>
      OrderedLogistic({ eta: settled(eta), cutpoints: settled(cutpoints) } as never).quantile(settled(p) as number),
    cdf({ eta, cutpoints }, x) {
      const reached = ops.sigmoid(ops.sub(row(cutpoints), eta));
      const isIt = ops.eq(places(cutpoints), ops.floor(x));
      return ops.add(total(ops.select(isIt, reached, 0)), ops.select(ops.ge(x, elements(cutpoints)), 1, 0));
    },
  },

  DirichletMultinomial: {
    mean: ({ alpha, n }) => column(ops.mul(n, shares(alpha))),
    variance({ alpha, n }) {
      const sum = total(row(alpha));
      const spread = ops.div(ops.add(n, sum), ops.add(1, sum));
      return column(ops.mul(ops.mul(n, spread), ops.mul(shares(alpha), ops.sub(1, shares(alpha)) as Value)));
    },
  },

  DiscreteLogits: {
    cdf: ({ logits }, x) => total(ops.select(ops.le(places(logits), x), ops.softmax(row(logits)), 0)),
    quantile: ({ logits }, p) => DiscreteLogits({ logits: settled(logits) as Tensor }).quantile(settled(p) as number),
    mean: ({ logits }) => meanPlace(ops.softmax(row(logits))),
    variance({ logits }) {
      const ps = ops.softmax(row(logits));
      return total(ops.mul(ps, square(ops.sub(places(ps), meanPlace(ps)))));
    },
    entropy({ logits }) {
      const ps = ops.softmax(row(logits));
      return ops.sub(ops.logsumexp(row(logits)), total(ops.mul(ps, row(logits))));
    },
  },

  Discrete: {
    mean: ({ ps }) => meanPlace(ps),
    variance: ({ ps }) => total(ops.mul(shares(ps), square(ops.sub(places(ps), meanPlace(ps))))),
    entropy: ({ ps }) => ops.neg(total(unsurprising(shares(ps))) as Node),
    cdf: ({ ps }, x) => total(ops.select(ops.le(places(ps), x), shares(ps), 0)),
    // It jumps from one whole number to the next, and is flat between: there is no slope to record.
    quantile: ({ ps }, p) => Discrete({ ps: settled(ps) as Tensor }).quantile(settled(p) as number),
  },

  Multinomial: {
    mean: ({ ps, n }) => column(ops.mul(n, shares(ps))),
    variance: ({ ps, n }) => column(ops.mul(n, ops.mul(shares(ps), ops.sub(1, shares(ps)) as Value))),
  },

  MultivariateBernoulli: {
    mean: ({ ps }) => ps,
    variance: ({ ps }) => ops.mul(ps, ops.sub(1, ps)),
    entropy({ ps }) {
      const p = row(ps);
      return ops.neg(total(ops.add(unsurprising(p), unsurprising(ops.sub(1, p)))) as Node);
    },
  },

  // Gaussians about the data: their spread adds to that of the data.
  KDE: {
    mean: ({ data, width }) => KDE({ data: settled(data), width: settled(width) } as never).mean(),
    variance({ data, width }) {
      const spread = KDE({ data: settled(data), width: 1 } as never).variance() as Value;
      return ops.add(ops.sub(spread, 1), square(width));
    },
  },
};
