/**
 * Kinds of distribution parameters: what they accept, how an error names them, and the domain from which
 * automatic guides derive a transform (section 7.1 of the paper).
 */
import { describe } from '../runtime/describe.ts';
import { isVector, Tensor, vector } from '../tensor/tensor.ts';

/**
 * How a free real number is mapped into a parameter's domain; `fixed` parameters are copied from the target. Scores
 * have a gradient in those that are `smooth`, and under gradients these may be nodes.
 */
export type Domain =
  | { readonly kind: 'real'; readonly lower: number; readonly upper: number }
  | { readonly kind: 'vector'; readonly lower: number; readonly upper: number }
  | { readonly kind: 'tensor'; readonly lower: number; readonly upper: number }
  | { readonly kind: 'simplex' }
  | { readonly kind: 'fixed'; readonly smooth?: boolean };

/** A parameter of type `T`, which a program may also give in the forms of `Given`. */
export interface Parameter<T, Given = T> {
  /** Completes "… must be". */
  readonly expected: string;
  readonly domain: Domain;
  readonly optional?: boolean;
  /** True if it is a number, always. */
  readonly scalar?: true;
  accepts(value: unknown): value is Given;
  /** Completes "got …", where more can be said than what the value is. */
  explain?(value: unknown): string;
  /** Makes a `T` of what was accepted. Absent where they are the same. */
  convert?(value: Given): T;
}

/** A parameter of whatever type. */
export interface AnyParameter {
  readonly expected: string;
  readonly domain: Domain;
  readonly optional?: boolean;
  readonly scalar?: true;
  accepts(value: unknown): boolean;
  explain?(value: unknown): string;
  convert?(value: never): unknown;
}

/** Numbers in a row, as programs give them. */
export type Numbers = Tensor | readonly number[];

function parameter<T>(expected: string, domain: Domain, accepts: (value: unknown) => boolean): Parameter<T> {
  return { expected, domain, accepts: accepts as (value: unknown) => value is T };
}

const scalar = (expected: string, domain: Domain, accepts: (value: unknown) => boolean): Parameter<number> => ({
  ...parameter<number>(expected, domain, accepts),
  scalar: true,
});

const isReal = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

export const real = scalar('a finite number', { kind: 'real', lower: -Infinity, upper: Infinity }, isReal);

export const positive = scalar(
  'a finite number greater than 0',
  { kind: 'real', lower: 0, upper: Infinity },
  (value) => isReal(value) && value > 0,
);

export const probability = scalar(
  'a number from 0 to 1',
  { kind: 'real', lower: 0, upper: 1 },
  (value) => typeof value === 'number' && value >= 0 && value <= 1,
);

/** A probability that is not 0: of an event that is waited for. */
export const positiveProbability = scalar(
  'a number greater than 0 and at most 1',
  { kind: 'real', lower: 0, upper: 1 },
  (value) => typeof value === 'number' && value > 0 && value <= 1,
);

/** An end of an interval, which a guide leaves where it is. */
export const bound = scalar('a finite number', { kind: 'fixed', smooth: true }, isReal);

/** An integer of at least `least`. */
export function integerFrom(least: number): Parameter<number> {
  return scalar(
    `an integer of at least ${least}`,
    { kind: 'fixed' },
    (value) => Number.isSafeInteger(value) && (value as number) >= least,
  );
}

/** The numbers of a vector or array; nothing if it is neither. */
export function elementsOf(value: unknown): ArrayLike<number> | undefined {
  if (isVector(value)) return value.data;
  return Array.isArray(value) ? value : undefined;
}

/** Where the first element is that does not hold, or −1. */
function firstBad(data: ArrayLike<unknown>, holds: (x: number) => boolean): number {
  for (let i = 0; i < data.length; i++) {
    const x = data[i];
    if (typeof x !== 'number' || !holds(x)) return i;
  }
  return -1;
}

function explainElements(value: unknown, data: ArrayLike<unknown> | undefined, holds: (x: number) => boolean): string {
  if (data === undefined) return describe(value);
  if (data.length === 0) return 'an empty one';
  const place = firstBad(data, holds);
  return place < 0 ? describe(value) : `${describe(data[place])} at index ${place}`;
}

/** A vector, or a tensor of any dims, for which an array of numbers may be given. */
function numbersIn(
  kind: 'vector' | 'tensor',
  elements: string,
  lower: number,
  upper: number,
  holds: (x: number) => boolean,
): Parameter<Tensor, Numbers> {
  const numbersOf = (value: unknown) => (kind === 'tensor' && value instanceof Tensor ? value.data : elementsOf(value));
  return {
    expected: `a ${kind} (or array) of ${elements}`,
    domain: { kind, lower, upper },
    accepts(value): value is Numbers {
      const data = numbersOf(value);
      return data !== undefined && data.length > 0 && firstBad(data, holds) < 0;
    },
    explain: (value) => explainElements(value, numbersOf(value), holds),
    convert: (value) => (value instanceof Tensor ? value : vector(value)),
  };
}

const isFinitePositive = (x: number): boolean => x > 0 && x < Infinity;
const isProbability = (x: number): boolean => x >= 0 && x <= 1;

export const realVector = numbersIn('vector', 'finite numbers', -Infinity, Infinity, Number.isFinite);
export const positiveVector = numbersIn('vector', 'finite numbers greater than 0', 0, Infinity, isFinitePositive);
export const probabilityVector = numbersIn('vector', 'numbers from 0 to 1', 0, 1, isProbability);

export const realTensor = numbersIn('tensor', 'finite numbers', -Infinity, Infinity, Number.isFinite);
export const positiveTensor = numbersIn('tensor', 'finite numbers greater than 0', 0, Infinity, isFinitePositive);

const isWeight = (x: number): boolean => x >= 0 && x < Infinity;

function hasWeight(data: ArrayLike<number>): boolean {
  for (let i = 0; i < data.length; i++) if (data[i] > 0) return true;
  return false;
}

/** Probabilities up to a common factor, kept as given. */
export const weights: Parameter<Numbers> = {
  expected: 'an array or vector of non-negative numbers, not all 0',
  domain: { kind: 'simplex' },
  accepts(value): value is Numbers {
    const data = elementsOf(value);
    return data !== undefined && firstBad(data, isWeight) < 0 && hasWeight(data);
  },
  explain(value) {
    const data = elementsOf(value);
    const allZero = data !== undefined && data.length > 0 && firstBad(data, isWeight) < 0;
    return allZero ? 'only zeros' : explainElements(value, data, isWeight);
  },
};

/** A square matrix; that it is symmetric and positive definite is found out when it is factored. */
export const squareMatrix = parameter<Tensor>(
  'a square matrix of finite numbers',
  { kind: 'fixed', smooth: true },
  (value) =>
    value instanceof Tensor &&
    value.rank === 2 &&
    value.dims[0] === value.dims[1] &&
    firstBad(value.data, Number.isFinite) < 0,
);

/** The Cholesky factor of a covariance matrix. */
export const lowerTriangle = parameter<Tensor>(
  'a lower-triangular matrix of finite numbers with a positive diagonal',
  { kind: 'fixed', smooth: true },
  (value) => squareMatrix.accepts(value) && isLowerTriangle(value),
);

function isLowerTriangle({ data, dims: [n] }: Tensor): boolean {
  return data.every((x, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return i > j || (i === j ? x > 0 : x === 0);
  });
}

/** Dimensions of a tensor. */
export const dimensions = parameter<readonly number[]>(
  'an array of integers of at least 1, such as [2, 3]',
  { kind: 'fixed' },
  (value) => Array.isArray(value) && value.length > 0 && value.every((d) => Number.isSafeInteger(d) && d >= 1),
);

/** The same parameter, which may be left out. */
export function optional<T, Given>(given: Parameter<T, Given>): Parameter<T | undefined, Given | undefined> {
  return {
    ...given,
    optional: true,
    scalar: undefined,
    accepts: (value): value is Given | undefined => value === undefined || given.accepts(value),
    convert: given.convert && ((value) => (value === undefined ? undefined : given.convert!(value))),
  };
}

/** A parameter that is copied as it is, for families with needs of their own. */
export function fixed<T>(expected: string, accepts: (value: unknown) => boolean, smooth = false): Parameter<T> {
  return parameter(expected, { kind: 'fixed', smooth }, accepts);
}

export const anything = fixed<unknown>('any value', () => true);
