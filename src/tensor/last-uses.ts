/** When the values of a graph are needed for the last time. */
import type { Node } from './node.ts';

/** What is to become of the data of a node that is evaluated. */
export const NOT_OURS = 0;
/** Nobody else has the array once it is not needed. */
export const OWN_ARRAY = 1;
/** The array is that of another node, or may be. */
export const SHARED_ARRAY = 2;
/** The value is what was asked for. */
export const ASKED_FOR = 3;

export interface LastUses {
  /** By position in the order: the first of the nodes last used there, or −1. After all others, those that last to the end. */
  readonly first: Int32Array;
  /** By position: the next one that is last used in the same place, or −1. */
  readonly next: Int32Array;
  readonly state: Uint8Array;
}

/** For a graph in its order, where each node's `slot` is its position; nodes that have data are leaves. */
export function lastUses(roots: readonly Node[], order: readonly Node[]): LastUses {
  const count = order.length;
  // Positions are noted now, because evaluating a composite walks over the graph again.
  const last = new Int32Array(count).fill(-1);
  const first = new Int32Array(count + 1).fill(-1);
  const next = new Int32Array(count).fill(-1);
  const state = new Uint8Array(count);
  for (const { slot } of roots) {
    last[slot] = count;
    state[slot] = ASKED_FOR;
  }
  for (let i = count - 1; i >= 0; i--) {
    const { data, op, inputs } = order[i];
    if (data !== null) {
      state[i] = NOT_OURS;
      continue;
    }
    const shares = op.kind === 'view' || op.kind === 'composite';
    // What shares its array with an input needs that for as long as it is needed itself.
    const until = shares ? Math.max(i, last[i]) : i;
    for (let k = 0; k < inputs.length; k++) if (last[inputs[k].slot] < until) last[inputs[k].slot] = until;
    if (state[i] === ASKED_FOR) continue;
    state[i] = shares || last[i] === count ? SHARED_ARRAY : OWN_ARRAY;
    next[i] = first[last[i]];
    first[last[i]] = i;
  }
  return { first, next, state };
}
