/**
 * Values with the same contents. Programs that keep no state make a new object for each state of the world they think of,
 * and reason about equal ones again and again. `Likeness` finds for each value the first that was like it, so that
 * what is known of one can be found for the other.
 */

/** Parts of one value that are looked at; a value with more is like itself only. */
const MOST_PARTS = 10_000;
/** And what lies deeper than this in one is like itself only. */
const DEEPEST = 200;

/** Stands for −0, which maps do not tell from 0. */
const NEGATIVE_ZERO: unique symbol = Symbol('-0');

/** Objects by their parts, one after the other. */
interface Branch {
  first: object | undefined;
  next: Map<unknown, Branch> | undefined;
}

const newBranch = (): Branch => ({ first: undefined, next: undefined });

export class Likeness {
  /** What was found for an object: contents do not change where this is used. */
  private readonly found = new WeakMap<object, unknown>();
  private readonly arrays: Branch = newBranch();
  private readonly records: Branch = newBranch();
  private parts = 0;
  private depth = 0;

  /** The first value of these contents that was asked about. Like each other only are arrays, plain objects and primitive values. */
  of(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? NEGATIVE_ZERO : value;
    this.parts = 0;
    return this.ofObject(value);
  }

  private ofPart(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? NEGATIVE_ZERO : value;
    return this.ofObject(value);
  }

  private ofObject(value: object): unknown {
    const known = this.found.get(value);
    if (known !== undefined) return known;
    if (this.parts >= MOST_PARTS || this.depth >= DEEPEST) return value;
    this.depth++;
    const first = this.firstLike(value);
    this.depth--;
    this.found.set(value, first);
    return first;
  }

  private firstLike(value: object): object {
    const prototype = Object.getPrototypeOf(value);
    let branch: Branch;
    if (prototype === Array.prototype) {
      const items = value as readonly unknown[];
      this.parts += items.length + 1;
      branch = stepTo(this.arrays, items.length);
      for (let i = 0; i < items.length && this.parts < MOST_PARTS; i++) {
        const item = items[i];
        if (item === undefined && !(i in items)) return value;
        branch = stepTo(branch, this.ofPart(item));
      }
    } else if (prototype === Object.prototype || prototype === null) {
      branch = stepTo(this.records, prototype);
      const names = Object.keys(value);
      this.parts += names.length + 1;
      // In their order, which programs can see.
      for (let i = 0; i < names.length && this.parts < MOST_PARTS; i++) {
        branch = stepTo(branch, names[i]);
        branch = stepTo(branch, this.ofPart((value as Record<string, unknown>)[names[i]]));
      }
    } else {
      return value;
    }
    if (this.parts >= MOST_PARTS) return value;
    branch.first ??= value;
    return branch.first;
  }
}

function stepTo(branch: Branch, key: unknown): Branch {
  branch.next ??= new Map();
  let next = branch.next.get(key);
  if (next === undefined) {
    next = newBranch();
    branch.next.set(key, next);
  }
  return next;
}
