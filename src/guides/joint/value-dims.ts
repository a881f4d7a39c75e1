import type { Distribution } from '../../runtime/handler.ts';
import type { Shape } from '../../tensor/shape.ts';

type Params = Record<string, unknown>;

/** Dims of a tensor, a node or an array of numbers. */
export function dimsOf(value: unknown): Shape {
  if (Array.isArray(value)) return [value.length, 1];
  const { shape, dims } = value as { shape?: Shape; dims?: Shape };
  return shape ?? dims!;
}

const count = (dims: Shape): number => dims.reduce((product, n) => product * n, 1);

/** Families of tensors: the dims of their values. */
const DIMS: Readonly<Record<string, (params: Params) => Shape>> = {
  Dirichlet: ({ alpha }) => [count(dimsOf(alpha)), 1],
  LogisticNormal: ({ mu }) => [count(dimsOf(mu)) + 1, 1],
  TensorGaussian: ({ dims }) => dims as Shape,
  TensorLaplace: ({ dims }) => dims as Shape,
  DiagCovGaussian: ({ mu }) => dimsOf(mu),
  MultivariateGaussian: ({ mu }) => dimsOf(mu),
  MultivariateGaussianFactor: ({ mu }) => dimsOf(mu),
  MultivariateGaussianPrecision: ({ mu }) => dimsOf(mu),
  MultivariateStudentT: ({ mu }) => dimsOf(mu),
  Wishart: ({ scale }) => dimsOf(scale),
  InverseWishart: ({ scale }) => dimsOf(scale),
  LKJCholesky: ({ dim }) => [dim as number, dim as number],
};

/** What is a number for each of the lanes cannot be the dims of anything. */
const isKnown = (dims: Shape): boolean => dims.every((n) => typeof n === 'number');

/** Distributions whose values are neither numbers with a density nor tensors of them. */
const OTHERS = new Set(['ImproperUniform', 'Delta', 'Censored', 'Flow', 'Marginal', 'SampleBasedMarginal']);

/** The dims of the values of a continuous distribution, none for numbers; undefined if they are not known. */
export function valueDims(target: Distribution<unknown>): Shape | undefined {
  if (!target.isContinuous || OTHERS.has(target.name)) return undefined;
  const params = target.params as Params;
  const { dists, data } = params as { dists?: readonly Distribution<unknown>[]; data?: readonly unknown[] };
  if (target.name === 'Mixture') return Array.isArray(dists) ? valueDims(dists[0]) : undefined;
  if (target.name === 'KDE') return typeof data?.[0] === 'number' ? [] : undefined;
  const dims = Object.hasOwn(DIMS, target.name) ? DIMS[target.name](params) : [];
  return isKnown(dims) ? dims : undefined;
}
