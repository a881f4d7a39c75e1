import { gatherItems } from '../lanes/indexing.ts';
import { itemsOfResults } from '../lanes/results.ts';
import { variedOf } from '../lanes/value.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { force } from '../runtime/force.ts';
import { Node } from '../tensor/node.ts';
import { isVector, Tensor } from '../tensor/tensor.ts';
import { entry } from './tensors.ts';

/** `object[index]`. A vector has its numbers as elements; an index that is a node picks them in the graph. */
export function get(object: unknown, index: unknown): unknown {
  if (index instanceof Node) {
    if (object instanceof Node || isVector(object)) return entry(object as Node, index);
    if (index.space !== null && Array.isArray(object) && variedOf(object) === undefined)
      return itemsOfResults(object, index) ?? gatherItems(object, index);
    return get(object, force(index));
  }
  if (typeof index !== 'number' || !(object instanceof Node || object instanceof Tensor)) {
    return (object as Record<PropertyKey, unknown>)[index as PropertyKey];
  }
  const dims = object instanceof Node ? object.shape : object.dims;
  if (dims.length > 1 && !(dims.length === 2 && dims[1] === 1)) {
    throw new WaymarkError(
      `A tensor of dims [${dims.join(', ')}] cannot be indexed with one number, only vectors can. Use T.get or T.toScalars.`,
    );
  }
  const length = dims.reduce((size, n) => size * n, 1);
  if (!Number.isInteger(index) || index < 0 || index >= length) {
    throw new WaymarkError(`Index ${describe(index)} is outside a vector of length ${length}.`);
  }
  return object instanceof Tensor ? object.data[index] : entry(object, index);
}
