/** Functions that map free numbers into bounds. They take a number, a tensor (entry by entry) or an array. */
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { sigmoid as sigmoidOf, softplus as softplusOf } from '../tensor/special/exponentials.ts';
import { isVector, Tensor } from '../tensor/tensor.ts';
import { softmax as tensorSoftmax } from './tensors/entries.ts';

/** What an activation gives back: the same kind of thing it was given. */
export interface Activation {
  (x: number): number;
  (x: Tensor): Tensor;
  (x: readonly number[]): number[];
}

/** A function of numbers, of tensors entry by entry, and of arrays. */
export function activation(name: string, f: (x: number) => number): Activation {
  function apply(x: number): number;
  function apply(x: Tensor): Tensor;
  function apply(x: readonly number[]): number[];
  function apply(x: unknown): number | Tensor | number[] {
    if (typeof x === 'number') return f(x);
    if (x instanceof Tensor) return new Tensor(x.dims, x.data.map(f));
    if (Array.isArray(x) && x.every((item) => typeof item === 'number')) return x.map((item: number) => f(item));
    throw new WaymarkError(`${name} needs a number, a tensor or an array of numbers, got ${describe(x)}.`);
  }
  return apply;
}

/** 1 / (1 + e⁻ˣ): into (0, 1). */
export const sigmoid: Activation = activation('sigmoid', sigmoidOf);
/** log(1 + eˣ): into (0, ∞). */
export const softplus: Activation = activation('softplus', softplusOf);
/** Into (−1, 1). */
export const tanh: Activation = activation('tanh', Math.tanh);
/** x where it is positive, 0 elsewhere. */
export const relu: Activation = activation('relu', (x) => Math.max(x, 0));

/** A tensor or an array of numbers. */
export interface OnSimplex {
  (x: Tensor): Tensor;
  (x: readonly number[]): number[];
}

function onSimplex(name: string, f: (x: Tensor) => Tensor): OnSimplex {
  function apply(x: Tensor): Tensor;
  function apply(x: readonly number[]): number[];
  function apply(x: unknown): Tensor | number[] {
    if (x instanceof Tensor) return f(x);
    if (Array.isArray(x) && x.every((item) => typeof item === 'number')) {
      return Array.from(f(new Tensor([x.length, 1], Float64Array.from(x as number[]))).data);
    }
    throw new WaymarkError(`${name} needs a vector or an array of numbers, got ${describe(x)}.`);
  }
  return apply;
}

/** exp of each entry over their sum: probabilities. */
export const softmax: OnSimplex = onSimplex('softmax', tensorSoftmax);

/** d free numbers as d + 1 probabilities: the softmax of them with a zero appended. */
export const squishToProbSimplex: OnSimplex = onSimplex('squishToProbSimplex', (x) => {
  if (!isVector(x)) throw new WaymarkError(`squishToProbSimplex needs a vector, got ${describe(x)}.`);
  const data = new Float64Array(x.length + 1);
  data.set(x.data);
  return tensorSoftmax(new Tensor([data.length, 1], data));
});

/** The paper's name for `squishToProbSimplex`. */
export const simplex: OnSimplex = squishToProbSimplex;
