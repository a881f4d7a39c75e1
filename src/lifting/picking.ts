/** `object[index]` in lifted text. An index that is a node picks entries of tensors and items of lists in the graph. */
import { pickingOver } from '../algebra/picking.ts';
import { gatherItems } from '../lanes/gathering.ts';
import { recording } from '../lanes/recording.ts';
import { itemsOfResults } from '../lanes/results.ts';
import { derived } from '../lanes/value.ts';
import { variedOf } from '../lanes/varied.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { fieldOf } from '../runtime/throwing.ts';
import { isRecord } from '../runtime/values.ts';
import { isVectorShape } from '../tensor/broadcast.ts';
import { toNode } from '../tensor/leaves.ts';
import { isTruth, Node, shapeOf } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { isWithin, outsideText, row, rowDims } from '../tensor/rows.ts';
import { Tensor } from '../tensor/tensor.ts';
import { graphDomain } from './graph-domain.ts';
import { plain } from './looking.ts';
import { field } from './tensor-members.ts';
import { entry } from './tensor-nodes.ts';

export const get = pickingOver({
  ...graphDomain,
  isNumber: (value) => value instanceof Node,
  isTruth,
  isPlace: (index) => index instanceof Node && !isTruth(index),
  // A value that neither differs nor is to be recorded is picked by its plain value.
  gathers: (_list, index) => (index as Node).space !== null || recording.current?.obstacle === null,
  gather: (list, index) => itemsOfResults(list, index as Node) ?? gatherItems(list, index as Node),
  tensors: {
    has: (object) => object instanceof Node || object instanceof Tensor,
    entry: (tensor, index) => entryOf(tensor as Node | Tensor, isTruth(index) ? plain(index) : index),
  },
  ofEach(object, index) {
    const named = variedOf(index);
    if (named === undefined || !isRecord(object) || variedOf(object) !== undefined) return undefined;
    return { value: derived(named, (key) => fieldOf(object, key)) };
  },
});

function entryOf(tensor: Node | Tensor, index: unknown): unknown {
  const dims = shapeOf(tensor);
  // A number has nothing in it.
  if (tensor instanceof Node && dims.length === 0) return field(tensor, plain(index) as string);
  if (index instanceof Node) {
    if (isVectorShape(dims)) return entry(tensor as Node, index);
    return ops.reshape(ops.gather(toNode(tensor), index), rowDims(dims));
  }
  if (typeof index !== 'number') return field(tensor, plain(index) as string);
  if (!isWithin(index, dims)) throw new WaymarkError(outsideText(describe(index), dims));
  if (isVectorShape(dims)) return tensor instanceof Tensor ? tensor.data[index] : entry(tensor, index);
  return tensor instanceof Tensor
    ? row(tensor, index)
    : ops.reshape(ops.sliceAxis(tensor, 0, index, index + 1), rowDims(dims));
}
