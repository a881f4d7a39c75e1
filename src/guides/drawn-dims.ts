/** The sizes of vectors, matrices and tensors that distributions draw, as far as their parameters say. */
import type { Distribution } from '../runtime/handler.ts';

type Params = Readonly<Record<string, unknown>>;

/** The shape of a tensor, of a node of the graph, or of a list; undefined for anything else. */
export function shapeOf(value: unknown): readonly number[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return [value.length];
  const { dims, shape } = value as { dims?: unknown; shape?: unknown };
  // (Those of nodes with lanes count these among their dims.)
  const found = Array.isArray(shape) ? shape : dims;
  if (!Array.isArray(found) || !found.every((n) => typeof n === 'number')) return undefined;
  // A vector is a column.
  return found.length === 2 && found[1] === 1 ? [found[0]] : found;
}

/** By family: the parameter that has the shape of what is drawn, or what gives it. */
const SHAPES: Readonly<Record<string, string | ((params: Params) => readonly number[] | undefined)>> = {
  DiagCovGaussian: 'mu',
  MultivariateGaussian: 'mu',
  MultivariateGaussianFactor: 'mu',
  MultivariateGaussianPrecision: 'mu',
  MultivariateStudentT: 'mu',
  Dirichlet: 'alpha',
  DirichletMultinomial: 'alpha',
  Multinomial: 'ps',
  MultivariateBernoulli: 'ps',
  Wishart: 'scale',
  InverseWishart: 'scale',
  LKJCholesky: ({ dim }) => (typeof dim === 'number' ? [dim, dim] : undefined),
  // The last probability is what the others leave.
  LogisticNormal: ({ mu }) => shapeOf(mu)?.map((n) => n + 1),
  TensorGaussian: ({ dims }) => shapeOf({ dims }),
  TensorLaplace: ({ dims }) => shapeOf({ dims }),
  Flow: ({ base }) => dimsOf(base as Distribution<unknown>),
};

export function dimsOf({ name, params }: Distribution<unknown>): readonly number[] | undefined {
  if (!Object.hasOwn(SHAPES, name)) return undefined;
  const shape = SHAPES[name];
  return typeof shape === 'string' ? shapeOf((params as Params)[shape]) : shape(params as Params);
}

/** Dims as messages say them. */
export function shownDims(dims: readonly number[]): string {
  if (dims.length === 1) return `vectors of length ${dims[0]}`;
  return dims.length === 2 ? `matrices of dims [${dims.join(', ')}]` : `tensors of dims [${dims.join(', ')}]`;
}
