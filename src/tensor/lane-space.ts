import type { Node } from './node.ts';
import { ShapeError } from './shape.ts';

/**
 * The executions that run side by side as one. A value that belongs to a space has a leading *lane axis* of the
 * space's size. Except for a root, every lane of a space comes from a lane of the parent, given by `map`; a value
 * of an ancestor is used in a descendant by gathering through the composed map.
 */
export class LaneSpace {
  readonly depth: number;
  private composed: Map<LaneSpace, Int32Array> | null = null;
  /** Ancestors, each followed by the node that holds the map to it (`lane-gather.ts`). */
  readonly mapNodes: (LaneSpace | Node)[] = [];
  /** The node that computes the map, where every run of a plan finds out which lanes there are (`partition.ts`). */
  partition: Node | null = null;

  constructor(
    readonly size: number,
    readonly parent: LaneSpace | null = null,
    readonly map: Int32Array | null = null,
    /** Whether a plan finds out which lanes there are, and how many, when it runs. */
    readonly isOpen: boolean = false,
  ) {
    this.depth = parent === null ? 0 : parent.depth + 1;
    if ((parent === null) !== (map === null) || (map !== null && map.length !== size)) {
      throw new ShapeError(
        `A lane space of ${size} lanes needs a map of ${size} entries into its parent, or neither map nor parent.`,
      );
    }
  }

  /** The nearest space around, or this one, whose lanes are the same in every run of a plan. */
  get closed(): LaneSpace {
    let at: LaneSpace = this;
    while (at.isOpen) at = at.parent as LaneSpace;
    return at;
  }

  descendsFrom(other: LaneSpace): boolean {
    let at: LaneSpace | null = this;
    while (at !== null && at.depth > other.depth) at = at.parent;
    return at === other;
  }

  /** For each lane, the lane of `ancestor` it comes from. */
  mapTo(ancestor: LaneSpace): Int32Array {
    if (this.parent === ancestor) return this.map as Int32Array;
    const known = this.composed?.get(ancestor);
    if (known !== undefined) return known;
    if (this.parent === null || !this.descendsFrom(ancestor)) {
      throw new ShapeError('A lane space can only be mapped to one it descends from.');
    }
    const out = (this.map as Int32Array).slice();
    // A loop, because resampling makes a space per step. Spaces on the way often know the rest of it.
    for (let at: LaneSpace = this.parent; at !== ancestor; at = at.parent as LaneSpace) {
      const rest = at.composed?.get(ancestor);
      const upper = rest ?? (at.map as Int32Array);
      for (let i = 0; i < out.length; i++) out[i] = upper[out[i]];
      if (rest !== undefined) break;
    }
    this.composed ??= new Map();
    this.composed.set(ancestor, out);
    return out;
  }
}

/** The space in which values of two spaces meet: the descendant. */
export function meetingSpace(operation: string, a: LaneSpace | null, b: LaneSpace | null): LaneSpace | null {
  if (a === b || b === null) return a;
  if (a === null) return b;
  if (a.descendsFrom(b)) return a;
  if (b.descendsFrom(a)) return b;
  throw new ShapeError(
    `${operation}: the operands belong to lane spaces of ${a.size} and ${b.size} lanes, neither of which descends from the other.`,
  );
}
