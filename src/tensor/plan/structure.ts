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

/** Numbers are given anew from here on: no sequence made before may be compared with one made later. */
export function forgetAttributes(): void {
  attributeNumbers.clear();
}

export interface Structure {
  /** Length of the sequence, which stays in a buffer that the next call overwrites; `codeOf` copies it. */
  readonly length: number;
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
  if (at + outputs.length > buffer.length) {
    const larger = new Int32Array((at + outputs.length) * 2);
    larger.set(buffer);
    buffer = larger;
  }
  for (let i = 0; i < outputs.length; i++) buffer[at++] = outputs[i].slot;
  let hash = 17;
  for (let i = 0; i < at; i++) hash = (Math.imul(hash, 0x01000193) ^ buffer[i]) | 0;
  return { length: at, hash, leaves, spaces };
}

/** A copy of the sequence of the last call of `structureOf`. */
export function codeOf(structure: Structure): Int32Array {
  return buffer.slice(0, structure.length);
}

/** Whether the last call of `structureOf` gave this sequence. */
export function hasCode(structure: Structure, code: Int32Array): boolean {
  if (code.length !== structure.length) return false;
  for (let i = 0; i < code.length; i++) if (buffer[i] !== code[i]) return false;
  return true;
}
