/** When the values of a graph are needed for the last time. */
import type { Node } from './node.ts';

interface LastUses {
  /** By position in the order: the first of the nodes last used there, or −1. */
  readonly first: Int32Array;
  /** By position: the next one that is last used in the same place, or −1. */
  readonly next: Int32Array;
}

/** For a graph in its order, where each node's `slot` is its position; nodes that have data, and `roots`, last. */
export function lastUses(roots: readonly Node[], order: readonly Node[]): LastUses {
  const count = order.length;
  // Positions are noted now, because evaluating a composite walks over the graph again.
  const last = new Int32Array(count);
  const first = new Int32Array(count).fill(-1);
  const next = new Int32Array(count).fill(-1);
  for (let i = 0; i < count; i++) {
    const { data, inputs } = order[i];
    if (data !== null) last[i] = count;
    else for (let k = 0; k < inputs.length; k++) if (last[inputs[k].slot] < i) last[inputs[k].slot] = i;
  }
  for (const { slot } of roots) last[slot] = count;
  for (let i = 0; i < count; i++) {
    if (last[i] === count) continue;
    next[i] = first[last[i]];
    first[last[i]] = i;
  }
  return { first, next };
}
