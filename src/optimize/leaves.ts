import type { Lanes } from '../lanes/lanes.ts';
import { changeable, recording } from '../lanes/rerun.ts';
import { machine } from '../runtime/machine.ts';
import { constant } from '../tensor/leaves.ts';
import type { Node } from '../tensor/node.ts';
import { gather, reshape, stack } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import type { Tensor } from '../tensor/tensor.ts';

/** The parameters met in one step, as leaves of the graph that gradients are taken with respect to. */
export class LeafTable {
  private readonly byName = new Map<string, { leaf: Node; seen: Node; tensor: Tensor }>();

  /** The parameter as the program sees it: a number if it was declared without dims. */
  leaf(name: string, tensor: Tensor, scalar: boolean): Node {
    let entry = this.byName.get(name);
    if (entry === undefined) {
      const fixed = constant(tensor.data, tensor.dims);
      const leaf = recording.current === null ? fixed : changeable(fixed);
      const table = machine.params;
      recording.current?.changing(leaf, () => table.get(name)!.data);
      entry = { leaf, seen: scalar ? reshape(leaf, []) : leaf, tensor };
      this.byName.set(name, entry);
    }
    return entry.seen;
  }

  /** Parameters that the lanes have each their own of, as one value with a lane axis. */
  laneLeaf(names: readonly string[], tensors: readonly Tensor[], scalar: boolean, lanes: Lanes): Node {
    if (lanes.changing)
      recording.current?.obstruct('data have parameters of their own, and each step looks at other data');
    const parts = names.map((name, i) => this.leaf(name, tensors[i], scalar));
    const table = stack(parts) as Node;
    return gather(
      table,
      constant(
        Int32Array.from(names, (_, i) => i),
        SCALAR,
        lanes.space,
      ),
    ) as Node;
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
