import { Node, type Value } from '../node.ts';
import type { Tensor } from '../tensor.ts';

/** What an operation gives for operands of type T: a node if one may be a node, else a tensor or number. */
export type Result<T> = T extends Node ? Node : Tensor | number;

/** The recorded node, or its value at once if no operand was a node. */
export function settle<T extends Value>(node: Node, ...operands: readonly T[]): Result<T> {
  for (const operand of operands) if (operand instanceof Node) return node as Result<T>;
  return node.value() as Result<T>;
}
