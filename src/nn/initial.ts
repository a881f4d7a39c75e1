/** Initial values of weights. They are drawn when a parameter is made, from a stream that belongs to its name. */
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { machine } from '../runtime/machine.ts';
import { sizeOf } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';

/** Where a parameter starts, given its dims. */
export type Init = (dims: readonly number[]) => Tensor;

function gaussian(dims: readonly number[], sigma: number): Tensor {
  const random = machine.stream.begin();
  const data = new Float64Array(sizeOf(dims));
  for (let i = 0; i < data.length; i++) data[i] = sigma * random.gaussian();
  return new Tensor([...dims], data);
}

/** Inputs and outputs of a matrix [out, in], or of filters [out, in, height, width]. */
function fans(owner: string, dims: readonly number[]): { fanIn: number; fanOut: number } {
  if (!Array.isArray(dims) || dims.length < 2) {
    throw new WaymarkError(`${owner} makes matrices, dims such as [out, in]; got ${describe(dims)}.`);
  }
  const field = sizeOf(dims.slice(2));
  return { fanIn: dims[1] * field, fanOut: dims[0] * field };
}

/** Glorot & Bengio 2010: keeps the spread of signals through layers with tanh or sigmoid. */
export const xavier: Init = (dims) => {
  const { fanIn, fanOut } = fans('xavier', dims);
  return gaussian(dims, Math.sqrt(2 / (fanIn + fanOut)));
};

/** He, Zhang, Ren & Sun 2015: the same for layers with relu. */
export const he: Init = (dims) => gaussian(dims, Math.sqrt(2 / fans('he', dims).fanIn));

export const filled =
  (value: number): Init =>
  (dims) =>
    new Tensor([...dims], new Float64Array(sizeOf(dims)).fill(value));
