/**
 * Operations on gathered rows are done on the table before gathering, if the table has fewer rows than there are lanes:
 * `softmax(topics[z])` computes a softmax per topic, not per lane, and a later index reads single elements of it.
 */
import { Node } from './node.ts';
import { sizeOf } from './shape.ts';

/** Rows of a shared table named by one index per lane; see `ops/indexing.ts`. */
export function isGatheredRow(node: Node): boolean {
  return node.shape.length > 0 && sizeOf(node.shape) > 1 && isGathered(node);
}

/** A number of a shared table named by one index per lane. */
export function isGatheredScalar(node: Node): boolean {
  return node.shape.length === 0 && isGathered(node);
}

function isGathered(node: Node): boolean {
  if (!node.op.gathersRows || node.data !== null || node.space === null || node.inputs.length !== 2) return false;
  const [table, index] = node.inputs;
  return index.shape.length === 0 && table.space === null && table.shape[0] <= node.space.size;
}

/** The same rows of another table. */
export function regather(row: Node, table: Node): Node {
  return new Node(row.op, [table, row.inputs[1]], row.attributes, table.shape.slice(1), table.dtype, row.space);
}
