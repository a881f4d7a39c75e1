/** What the functions of `T` accept. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { numberFor } from '../arguments.ts';

/** Checks that a value is a tensor, saying what to do with what is taken for one most often. */
export function checkTensor(caller: string, value: unknown): asserts value is Tensor {
  if (value instanceof Tensor) return;
  const remedy = Array.isArray(value) ? ' Make a vector of it with Vector(array).' : '';
  throw new WaymarkError(`T.${caller} needs a tensor, got ${describe(value)}.${remedy}`);
}

/** Booleans count as 0 and 1, so that a vector of coin flips is one. */
export const entry = (caller: string, value: unknown): number => numberFor(caller, value, 'numbers as its entries');

/** What to say of a second operand that does not fit. */
export function misfit(name: string, dims: readonly number[], got: string): string {
  return (
    `T.${name} needs as its second operand a number, or a tensor of dims [${dims.join(', ')}] or with 1 where they ` +
    `differ, got ${got}.`
  );
}

/** Rows and columns; [n] counts as one column. */
export function matrixShape(caller: string, tensor: Tensor): [rows: number, columns: number] {
  checkTensor(caller, tensor);
  if (tensor.rank === 1) return [tensor.length, 1];
  if (tensor.rank === 2) return [tensor.dims[0], tensor.dims[1]];
  throw new WaymarkError(`T.${caller} needs a matrix or vector, got ${describe(tensor)}.`);
}

/** The side of a square matrix. */
export function squareSize(caller: string, tensor: Tensor): number {
  const [rows, columns] = matrixShape(caller, tensor);
  if (rows !== columns) throw new WaymarkError(`T.${caller} needs a square matrix, got ${describe(tensor)}.`);
  return rows;
}
