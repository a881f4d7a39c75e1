/**
 * The structure of a graph as a sequence of numbers: operations, attributes, shapes and how they are connected, but no
 * data and no numbers of lanes. Graphs of equal structure share a plan.
 */
import type { LaneSpace } from '../lane-space.ts';
import type { DType, Node } from '../node.ts';

const dtypeNumbers: Readonly<Record<DType, number>> = { f64: 0, f32: 1, i32: 2, bool: 3 };

/** Leaves are marked with this instead of an operation. */
const LEAF = -1;

const attributeNumbers = new Map<string, number>();

function attributeNumber(key: string): number {
  let number = attributeNumbers.get(key);
  if (number === undefined) {
    number = attributeNumbers.size + 1;
    attributeNumbers.set(key, number);
  }
  return number;
}

export interface Structure {
  readonly code: Int32Array;
  readonly hash: number;
  readonly leaves: readonly Node[];
  readonly spaces: readonly LaneSpace[];
}

let buffer = new Int32Array(1024);

/** `order` comes from `topological`, so that each node's `slot` is its position. */
export function structureOf(order: readonly Node[], outputs: readonly Node[]): Structure {
  const leaves: Node[] = [];
  const spaces: LaneSpace[] = [];
  let at = 0;
  for (let i = 0; i < order.length; i++) {
    const node = order[i];
    const { inputs, shape } = node;
    const needed = at + 8 + inputs.length + shape.length;
    if (needed > buffer.length) {
      const larger = new Int32Array(needed * 2);
      larger.set(buffer);
      buffer = larger;
    }
    if (node.data !== null || node.op.kind === 'leaf') {
      leaves.push(node);
      buffer[at++] = LEAF;
    } else {
      buffer[at++] = node.op.id;
      for (let k = 0; k < inputs.length; k++) buffer[at++] = inputs[k].slot;
      if (node.attributes !== null) buffer[at++] = -1 - attributeNumber(node.attributes.key);
    }
    buffer[at++] = shape.length;
    for (let k = 0; k < shape.length; k++) buffer[at++] = shape[k];
    buffer[at++] = dtypeNumbers[node.dtype];
    if (node.space === null) {
      buffer[at++] = -1;
    } else {
      let number = spaces.indexOf(node.space);
      if (number < 0) number = spaces.push(node.space) - 1;
      buffer[at++] = number;
    }
  }
  const code = new Int32Array(at + outputs.length);
  code.set(buffer.subarray(0, at));
  for (let i = 0; i < outputs.length; i++) code[at + i] = outputs[i].slot;
  let hash = 17;
  for (let i = 0; i < code.length; i++) hash = (Math.imul(hash, 0x01000193) ^ code[i]) | 0;
  return { code, hash, leaves, spaces };
}

export function sameCode(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
