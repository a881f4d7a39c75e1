/**
 * Kinds of distribution parameters: what they accept, how an error names them, and the domain from which
 * automatic guides derive a transform (section 7.1 of the paper).
 */
import { isVector, Tensor } from '../tensor/tensor.ts';

/** How a free real number is mapped into a parameter's domain; `fixed` parameters are copied from the target. */
export type Domain =
  | { readonly kind: 'real'; readonly lower: number; readonly upper: number }
  | { readonly kind: 'vector'; readonly lower: number; readonly upper: number }
  | { readonly kind: 'tensor'; readonly lower: number; readonly upper: number }
  | { readonly kind: 'simplex' }
  | { readonly kind: 'fixed' };

export interface Parameter<T> {
  /** Completes "… must be". */
  readonly expected: string;
  readonly domain: Domain;
  readonly optional?: boolean;
  accepts(value: unknown): value is T;
}

function parameter<T>(expected: string, domain: Domain, accepts: (value: unknown) => boolean): Parameter<T> {
  return { expected, domain, accepts: accepts as (value: unknown) => value is T };
}

const isReal = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

export const real = parameter<number>('a finite number', { kind: 'real', lower: -Infinity, upper: Infinity }, isReal);

export const positive = parameter<number>(
  'a finite number greater than 0',
  { kind: 'real', lower: 0, upper: Infinity },
  (value) => isReal(value) && value > 0,
);

export const probability = parameter<number>(
  'a number from 0 to 1',
  { kind: 'real', lower: 0, upper: 1 },
  (value) => isReal(value) && value >= 0 && value <= 1,
);

/** An integer of at least `least`. */
export function integerFrom(least: number): Parameter<number> {
  return parameter(
    `an integer of at least ${least}`,
    { kind: 'fixed' },
    (value) => Number.isInteger(value) && (value as number) >= least,
  );
}

const allOf = (data: ArrayLike<number>, holds: (x: number) => boolean): boolean => {
  for (let i = 0; i < data.length; i++) if (!holds(data[i])) return false;
  return true;
};

export const realVector = parameter<Tensor>(
  'a vector of finite numbers',
  { kind: 'vector', lower: -Infinity, upper: Infinity },
  (value) => isVector(value) && allOf(value.data, Number.isFinite),
);

export const positiveVector = parameter<Tensor>(
  'a vector of finite numbers greater than 0',
  { kind: 'vector', lower: 0, upper: Infinity },
  (value) => isVector(value) && allOf(value.data, (x) => x > 0 && x < Infinity),
);

export const realTensor = parameter<Tensor>(
  'a tensor of finite numbers',
  { kind: 'tensor', lower: -Infinity, upper: Infinity },
  (value) => value instanceof Tensor && allOf(value.data, Number.isFinite),
);

/** The same parameter, which may be left out. */
export function optional<T>(given: Parameter<T>): Parameter<T | undefined> {
  return { ...given, optional: true, accepts: (value): value is T | undefined => given.accepts(value) };
}

export const anything = parameter<unknown>('any value', { kind: 'fixed' }, () => true);
