/** `tensor[i]` in programs: an entry of a vector, a row of anything else. */
import { isVectorShape } from './broadcast.ts';
import type { Shape } from './shape.ts';
import { Tensor } from './tensor.ts';

/** The dims of a row: that of a matrix is a vector. */
export function rowDims(dims: Shape): Shape {
  return dims.length === 2 ? [dims[1], 1] : dims.slice(1);
}

export function row(tensor: Tensor, index: number): Tensor {
  const size = tensor.length / tensor.dims[0];
  return new Tensor(rowDims(tensor.dims), tensor.data.slice(index * size, (index + 1) * size));
}

/** What to say of an index that names nothing; `index` as a person would read it. */
export function outsideText(index: string, dims: Shape): string {
  if (isVectorShape(dims)) return `Index ${index} is outside a vector of length ${dims[0]}.`;
  return `Index ${index} is outside the ${dims[0] ?? 0} rows of a tensor of dims [${dims.join(', ')}].`;
}

/** Whether a number names an entry of a vector, or a row. */
export function isWithin(index: number, dims: Shape): boolean {
  return Number.isInteger(index) && index >= 0 && index < (dims[0] ?? 0);
}
