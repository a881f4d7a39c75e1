import { constant } from '../tensor/leaves.ts';
import type { Node } from '../tensor/node.ts';
import { reshape } from '../tensor/ops.ts';
import type { Tensor } from '../tensor/tensor.ts';

/** The parameters met in one step, as leaves of the graph that gradients are taken with respect to. */
export class LeafTable {
  private readonly byName = new Map<string, { leaf: Node; seen: Node; tensor: Tensor }>();

  /** The parameter as the program sees it: a number if it was declared without dims. */
  leaf(name: string, tensor: Tensor, scalar: boolean): Node {
    let entry = this.byName.get(name);
    if (entry === undefined) {
      const leaf = constant(tensor.data, tensor.dims);
      entry = { leaf, seen: scalar ? reshape(leaf, []) : leaf, tensor };
      this.byName.set(name, entry);
    }
    return entry.seen;
  }

  get names(): string[] {
    return [...this.byName.keys()];
  }

  get leaves(): Node[] {
    return [...this.byName.values()].map(({ leaf }) => leaf);
  }

  tensor(name: string): Tensor {
    return this.byName.get(name)!.tensor;
  }
}
