import { gatherItems } from '../lanes/indexing.ts';
import { recording } from '../lanes/recording.ts';
import { itemsOfResults } from '../lanes/results.ts';
import { derived } from '../lanes/value.ts';
import { variedOf } from '../lanes/varied.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { force } from '../runtime/force.ts';
import { isRecord } from '../runtime/values.ts';
import { isVectorShape } from '../tensor/broadcast.ts';
import { toNode } from '../tensor/leaves.ts';
import { Node } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { isWithin, outsideText, row, rowDims } from '../tensor/rows.ts';
import type { Shape } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';
import { entry } from './tensor-nodes.ts';

/** `object[index]`: an entry of a vector, a row of any other tensor. An index that is a node picks them in the graph. */
export function get(object: unknown, index: unknown): unknown {
  // A truth value is no index, but the name of a field.
  if (index instanceof Node && index.dtype === 'bool') return get(object, force(index));
  if (index instanceof Node) {
    if (object instanceof Node || object instanceof Tensor) {
      const dims = dimsOf(object);
      if (isVectorShape(dims)) return entry(object as Node, index);
      return ops.reshape(ops.gather(toNode(object), index), rowDims(dims));
    }
    if (
      (index.space !== null || recording.current?.obstacle === null) &&
      Array.isArray(object) &&
      variedOf(object) === undefined
    )
      return itemsOfResults(object, index) ?? gatherItems(object, index);
    return get(object, force(index));
  }
  const named = variedOf(index);
  if (named !== undefined && isRecord(object) && variedOf(object) === undefined)
    return derived(named, (key) => (object as Record<PropertyKey, unknown>)[key as PropertyKey]);
  if (typeof index !== 'number' || !(object instanceof Node || object instanceof Tensor)) {
    return (object as Record<PropertyKey, unknown>)[index as PropertyKey];
  }
  const dims = dimsOf(object);
  if (!isWithin(index, dims)) throw new WaymarkError(outsideText(describe(index), dims));
  if (isVectorShape(dims)) return object instanceof Tensor ? object.data[index] : entry(object, index);
  return object instanceof Tensor
    ? row(object, index)
    : ops.reshape(ops.sliceAxis(object, 0, index, index + 1), rowDims(dims));
}

const dimsOf = (object: Node | Tensor): Shape => (object instanceof Node ? object.shape : object.dims);
