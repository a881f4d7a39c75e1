/** Inputs and parameters of the graph of a training step. */
import { input } from '../tensor/leaves.ts';
import type { DType, Node } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';

/** Inputs by name, in the order in which they were asked for. */
export class Inputs {
  readonly nodes: Node[] = [];
  readonly names: string[] = [];

  of(name: string, shape: readonly number[], dtype: DType = 'f32'): Node {
    const known = this.names.indexOf(name);
    if (known >= 0) return this.nodes[known];
    const node = input([...shape], dtype);
    this.nodes.push(node);
    this.names.push(name);
    return node;
  }
}

/** Parameters by name. */
export type Weights = (name: string) => Node;

export const tableRows = (table: Node, index: Node): Node => ops.gather(table, index) as Node;

/** The h-th block of columns. */
export const part = (matrix: Node, h: number, width: number): Node =>
  ops.sliceAxis(matrix, 1, h * width, (h + 1) * width) as Node;
