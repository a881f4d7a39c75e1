import { WaymarkError } from '../runtime/errors.ts';
import { combinedDims } from '../tensor/broadcast.ts';
import { Node, type Value } from '../tensor/node.ts';
import { reshape } from '../tensor/ops.ts';
import { type Shape, sizeOf } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';

/** The dims of a tensor, or of a node that is one; null for numbers. */
function dimsOf(value: Value): Shape | null {
  if (value instanceof Node) return value.shape.length === 0 ? null : value.shape;
  return value instanceof Tensor ? value.dims : null;
}

/**
 * An operation of the graph on operands as `tensor/broadcast.ts` combines them: vectors [n] and [n, 1] correspond, which
 * to the graph would be a row and a column. `misfit` says what is wrong with operands that do not fit.
 */
export function combining(
  record: (a: Value, b: Value) => Value,
  misfit: (a: Shape, b: Shape) => string,
): (a: Value, b: Value) => Value {
  return (a, b) => {
    const [dimsA, dimsB] = [dimsOf(a), dimsOf(b)];
    if (dimsA === null || dimsB === null) return record(a, b);
    const dims = combinedDims(dimsA, dimsB);
    if (dims === null) throw new WaymarkError(misfit(dimsA, dimsB));
    const corresponds = dims === dimsA && dimsB.length !== dimsA.length && sizeOf(dimsA) === sizeOf(dimsB);
    return record(a, corresponds ? (reshape(b as Node, dimsA) as Value) : b);
  };
}
