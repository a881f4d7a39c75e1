/** Kinds of values that distributions are over. Scoring a value of another kind gives −∞, before any arithmetic. */
import { isVector, Tensor } from '../tensor/tensor.ts';

export interface ValueKind<V> {
  readonly continuous: boolean;
  contains(value: unknown): value is V;
}

function kind<V>(continuous: boolean, contains: (value: unknown) => boolean): ValueKind<V> {
  return { continuous, contains: contains as (value: unknown) => value is V };
}

const allFinite = (data: ArrayLike<unknown>): boolean => {
  for (let i = 0; i < data.length; i++) if (!Number.isFinite(data[i])) return false;
  return true;
};

export const reals = kind<number>(true, (value) => typeof value === 'number' && Number.isFinite(value));

export const wholeNumbers = kind<number>(false, (value) => Number.isInteger(value));

/** Data files often hold 0 and 1 for false and true, so these are scored alike. */
export const truthValues = kind<boolean>(
  false,
  (value) => value === true || value === false || value === 1 || value === 0,
);

export const tensors = kind<Tensor>(true, (value) => value instanceof Tensor && allFinite(value.data));

/** Vectors, for which arrays of numbers are scored too: read them with `elementsOf`. */
export const vectors = kind<Tensor>(
  true,
  (value) => (isVector(value) && allFinite(value.data)) || (Array.isArray(value) && allFinite(value)),
);

/** Vectors of numbers that add up to 1, which scoring itself has to look at. */
export const probabilityVectors: ValueKind<Tensor> = { ...vectors };

/** Square matrices. */
const matrices = kind<Tensor>(
  true,
  (value) => value instanceof Tensor && value.rank === 2 && value.dims[0] === value.dims[1] && allFinite(value.data),
);

/** Covariance matrices, and Cholesky factors of correlation matrices: scoring itself looks whether they are. */
export const covariances: ValueKind<Tensor> = { ...matrices };
export const correlationFactors: ValueKind<Tensor> = { ...matrices };

/** Vectors with whole numbers as elements. */
export const countVectors = kind<Tensor>(
  false,
  (value) => (isVector(value) || Array.isArray(value)) && allFinite(Array.isArray(value) ? value : value.data),
);

/** Arrays of counts; vectors are scored too. */
export const countArrays = kind<number[]>(
  false,
  (value) => (isVector(value) || Array.isArray(value)) && allFinite(Array.isArray(value) ? value : value.data),
);

/** Whatever programs compute with. */
export const anyValue = kind<unknown>(false, () => true);

/** Whether a tensor has these dims; a vector [n] is also like a vector [n, 1]. */
export function hasDims(x: Tensor, dims: readonly number[]): boolean {
  if (x.rank === dims.length) return x.dims.every((d, i) => d === dims[i]);
  return isVector(x) && x.length === dims[0] && (dims.length === 1 || (dims.length === 2 && dims[1] === 1));
}

/** Equal dims; a vector [n] is also like a vector [n, 1]. */
export function sameShape(a: Tensor, b: Tensor): boolean {
  return hasDims(a, b.dims);
}
