/** The sizes of vectors, matrices and tensors that distributions draw, as far as their parameters say. */
import type { Distribution } from '../runtime/handler.ts';
import { type Shape, sizeOf } from '../tensor/shape.ts';

type Params = Readonly<Record<string, unknown>>;

/** Dims of a tensor, of a node of the graph, or of a list, which counts as a column; undefined for anything else. */
export function givenDims(value: unknown): Shape | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return [value.length, 1];
  const { dims, shape } = value as { dims?: unknown; shape?: unknown };
  // (Those of nodes with lanes count these among their dims.)
  const found = Array.isArray(shape) ? shape : dims;
  // Dims that differ between lanes are no dims of a tensor.
  return Array.isArray(found) && found.every((n) => typeof n === 'number') ? found : undefined;
}

/** A vector is a column. */
const asVector = (dims: Shape | undefined): Shape | undefined =>
  dims?.length === 2 && dims[1] === 1 ? [dims[0]] : dims;

export const shapeOf = (value: unknown): Shape | undefined => asVector(givenDims(value));

/** A column with as many elements as the value, and `more`. */
function columnLike(value: unknown, more: number): Shape | undefined {
  const dims = givenDims(value);
  return dims && [sizeOf(dims) + more, 1];
}

/** By family of tensors: the parameter that has the dims of what is drawn, or what gives them. */
const DIMS: Readonly<Record<string, string | ((params: Params) => Shape | undefined)>> = {
  DiagCovGaussian: 'mu',
  MultivariateGaussian: 'mu',
  MultivariateGaussianFactor: 'mu',
  MultivariateGaussianPrecision: 'mu',
  MultivariateStudentT: 'mu',
  Dirichlet: ({ alpha }) => columnLike(alpha, 0),
  DirichletMultinomial: 'alpha',
  Multinomial: 'ps',
  MultivariateBernoulli: 'ps',
  Wishart: 'scale',
  InverseWishart: 'scale',
  LKJCholesky: ({ dim }) => givenDims({ dims: [dim, dim] }),
  // The last probability is what the others leave.
  LogisticNormal: ({ mu }) => columnLike(mu, 1),
  TensorGaussian: givenDims,
  TensorLaplace: givenDims,
};

/** Whether a family draws tensors of dims that its parameters say. */
export const drawsTensors = (family: string): boolean => Object.hasOwn(DIMS, family);

/** The dims of what a distribution draws, with a vector as a column; undefined if it draws no tensors, or they are not known. */
export function drawnDims({ name, params }: Distribution<unknown>): Shape | undefined {
  if (!drawsTensors(name)) return undefined;
  const dims = DIMS[name];
  return typeof dims === 'string' ? givenDims((params as Params)[dims]) : dims(params as Params);
}

export function dimsOf(distribution: Distribution<unknown>): Shape | undefined {
  const { base } = distribution.params as { base?: Distribution<unknown> };
  return distribution.name === 'Flow' ? base && dimsOf(base) : asVector(drawnDims(distribution));
}

/** Dims as messages say them. */
export function shownDims(dims: readonly number[]): string {
  if (dims.length === 1) return `vectors of length ${dims[0]}`;
  return dims.length === 2 ? `matrices of dims [${dims.join(', ')}]` : `tensors of dims [${dims.join(', ')}]`;
}
