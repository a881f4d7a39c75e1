/** What the functions of `T` accept. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { isVector, Tensor } from '../../tensor/tensor.ts';

/** Checks that a value is a tensor, saying what to do with what is taken for one most often. */
export function checkTensor(caller: string, value: unknown): asserts value is Tensor {
  if (value instanceof Tensor) return;
  const remedy = Array.isArray(value) ? ' Make a vector of it with Vector(array).' : '';
  throw new WaymarkError(`T.${caller} needs a tensor, got ${describe(value)}.${remedy}`);
}

/** Whether entries correspond one to one: equal dims, or vectors of one length ([n] and [n, 1] are both vectors). */
export function correspond(a: Tensor, b: Tensor): boolean {
  if (a.length !== b.length) return false;
  if (isVector(a) && isVector(b)) return true;
  return a.rank === b.rank && a.dims.every((d, i) => d === b.dims[i]);
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
