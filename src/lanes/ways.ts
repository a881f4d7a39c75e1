/**
 * The ways that lanes have taken through a program: a tree of the conditionals met, in the order in which they are met, and
 * of what is met on each of their sides. A step is recorded for all ways that are known, with open lanes
 * (`optimize/open-steps.ts`).
 */

import type { Address } from '../runtime/address.ts';

/** The conditionals that are met from a point on, up to the end of the side it is on. */
class Point {
  readonly forks: Fork[] = [];

  /** All that is met, for a checkpoint: a point in brackets, a side that none has taken as a dash. */
  get text(): string {
    return `(${this.forks.map(({ sides }) => sides.map((side) => side?.text ?? '-').join('')).join('')})`;
  }

  /** The point that has this text. */
  static from(text: string): Point {
    let at = 0;
    const side = (): Point | null => {
      if (text[at++] === '-') return null;
      const point = new Point();
      while (text[at] !== ')') point.forks.push({ sides: [side(), side()] });
      at++;
      return point;
    };
    return side() ?? new Point();
  }
}

/** A conditional: where its sides lead to, if any lane has taken them. */
interface Fork {
  /** If it does not hold, and if it does. */
  readonly sides: [Point | null, Point | null];
}

/** What is run where the condition holds, and where it does not. */
export interface Sides {
  yes: () => unknown;
  no: () => unknown;
  /** True where there are data for either side, whether or not any has been looked at. */
  readonly both?: boolean;
}

/** All ways that were taken so far. */
export class Ways {
  private readonly roots = new Map<Address, Point>();
  /** From a checkpoint, by the path of the place, until it is met. */
  private restored = new Map<string, string>();
  /** How many points are known. */
  size = 0;

  /** Addresses are relative to `base` in checkpoints. */
  constructor(private readonly base: Address) {}

  /** Where lanes begin at some place in the program. */
  from(place: Address): Way {
    let root = this.roots.get(place);
    if (root === undefined) {
      const path = this.restored.size === 0 ? '' : place.relativeTo(this.base);
      const known = this.restored.get(path);
      this.restored.delete(path);
      root = known === undefined ? new Point() : Point.from(known);
      this.roots.set(place, root);
    }
    return new Way(this, root);
  }

  /** As texts by the path of the place. */
  save(): ReadonlyMap<string, string> {
    const met = Array.from(this.roots, ([place, root]) => [place.relativeTo(this.base), root.text] as const);
    return new Map([...this.restored, ...met]);
  }

  /** Replaces all ways by these, which were saved. */
  restore(saved: ReadonlyMap<string, string>): void {
    this.roots.clear();
    this.restored = new Map(saved);
    // (The points where lanes begin are not counted.)
    this.size = [...saved.values()].reduce((sum, text) => sum + text.split('(').length - 2, 0);
  }
}

/** Where lanes are on their way. */
export class Way {
  private next = 0;

  constructor(
    private readonly ways: Ways,
    private point: Point,
  ) {}

  private fork(): Fork {
    const { forks } = this.point;
    forks[this.next] ??= { sides: [null, null] };
    return forks[this.next++];
  }

  /**
   * They have come to a conditional: its sides are changed to go along the way to each. Gives those that any lane has taken
   * before: if it does not hold, and if it does.
   */
  met(sides: Sides): readonly [(() => unknown) | null, (() => unknown) | null] {
    const { yes, no } = sides;
    const fork = this.fork();
    sides.yes = () => this.along(fork, true, yes);
    sides.no = () => this.along(fork, false, no);
    if (sides.both) return [sides.no, sides.yes];
    const [without, within] = fork.sides;
    return [without && sides.no, within && sides.yes];
  }

  /** Goes along a side of it, and comes back. */
  private along<T>(fork: Fork, holds: boolean, side: () => T): T {
    const { point, next } = this;
    const which = holds ? 1 : 0;
    let to = fork.sides[which];
    if (to === null) {
      to = new Point();
      fork.sides[which] = to;
      this.ways.size++;
    }
    this.point = to;
    this.next = 0;
    try {
      return side();
    } finally {
      this.point = point;
      this.next = next;
    }
  }
}
