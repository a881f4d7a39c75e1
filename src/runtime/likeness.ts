/**
 * Values with the same contents. Programs that keep no state make a new object for each state of the world they think of,
 * and reason about equal ones again and again. `Likeness` finds for each value the first that was like it, so that
 * what is known of one can be found for the other. Functions are like each other if they were made from the same text with
 * like values around them (`made-functions.ts`); they may refer to each other, in circles too.
 */
import { makingOf } from './made-functions.ts';

/** Parts of one value that are looked at; a value with more is like itself only. */
const MOST_PARTS = 10_000;
/** And what lies deeper than this in one is like itself only. */
const DEEPEST = 200;

/** Stands for −0, which maps do not tell from 0. */
const NEGATIVE_ZERO: unique symbol = Symbol('-0');

/**
 * Marks in the table of contents, which no program has as values: the beginning of something, and something met before, by
 * number.
 */
const ARRAY: unique symbol = Symbol('array');
const RECORD: unique symbol = Symbol('record');
const BARE_RECORD: unique symbol = Symbol('record without prototype');
const FUNCTION: unique symbol = Symbol('function');
const EARLIER: symbol[] = [];

/** What an object, which may be an instance of a class, is a copy of: it is like that. Noted on the object itself, since there are many of them. */
export const ORIGINAL: unique symbol = Symbol('original');

interface Copy {
  readonly [ORIGINAL]?: object;
}

/** Values by their parts, one after the other. */
class Branch {
  first: object | undefined = undefined;
  private next: Map<unknown, Branch> | undefined = undefined;

  /** Branches made, anywhere. */
  static made = 0;

  to(key: unknown): Branch {
    this.next ??= new Map();
    let next = this.next.get(key);
    if (next === undefined) {
      next = new Branch();
      Branch.made++;
      this.next.set(key, next);
    }
    return next;
  }
}

export class Likeness {
  /** What was found for an object: contents do not change where this is used. */
  private readonly found = new WeakMap<object, unknown>();
  /** Whether objects hold functions. */
  private readonly holders = new WeakMap<object, boolean>();
  private readonly root = new Branch();
  private readonly before = Branch.made;
  private parts = 0;
  private depth = 0;
  /** The functions met on a walk through one and what it sees, in this order; null where there is none. */
  private walked: Map<object, number> | null = null;
  /** Whether a function was met that sees a variable without a value, which may yet be given one. */
  private unfinished = false;

  /** How many parts of values are kept to compare others with. */
  get size(): number {
    return Branch.made - this.before;
  }

  /** The first value of these contents that was asked about. Instances of classes are like themselves only. */
  of(value: unknown): unknown {
    if (isPrimitive(value)) return Object.is(value, -0) ? NEGATIVE_ZERO : value;
    this.parts = 0;
    this.depth = 0;
    this.unfinished = false;
    this.walked = null;
    return this.ofObject(value);
  }

  private ofObject(value: object): unknown {
    const known = this.found.get(value);
    if (known !== undefined) return known;
    const original = (value as Copy)[ORIGINAL];
    if (original !== undefined) return this.ofObject(original);
    const outer = this.walked;
    // What functions see may lead back to them: of a walk through one only the whole is compared.
    if (typeof value === 'function') this.walked = new Map();
    const end = this.walk(value, this.root);
    this.walked = outer;
    if (end !== null) end.first ??= value;
    const first = end?.first ?? value;
    if (!this.unfinished) this.found.set(value, first);
    return first;
  }

  /** Follows the parts of an object from a branch on; null if it is like itself only. */
  private walk(value: object, from: Branch): Branch | null {
    if (this.parts >= MOST_PARTS || this.depth >= DEEPEST) return null;
    this.depth++;
    const end = this.walkParts(value, from);
    this.depth--;
    return this.parts >= MOST_PARTS ? null : end;
  }

  private walkParts(value: object, from: Branch): Branch | null {
    if (typeof value === 'function') return this.walkFunction(value, from);
    const prototype = Object.getPrototypeOf(value);
    if (prototype === Array.prototype) {
      const items = value as readonly unknown[];
      this.parts += items.length + 1;
      let branch: Branch = from.to(ARRAY).to(items.length);
      for (let i = 0; i < items.length && this.parts < MOST_PARTS; i++) {
        const item = items[i];
        if (item === undefined && !(i in items)) return null;
        branch = this.step(item, branch);
      }
      return branch;
    }
    if (prototype !== Object.prototype && prototype !== null) return null;
    const names = Object.keys(value);
    this.parts += names.length + 1;
    let branch = from.to(prototype === null ? BARE_RECORD : RECORD).to(names.length);
    // In their order, which programs can see.
    for (let i = 0; i < names.length && this.parts < MOST_PARTS; i++) {
      branch = this.step((value as Record<string, unknown>)[names[i]], branch.to(names[i]));
    }
    return branch;
  }

  private walkFunction(fn: object, from: Branch): Branch | null {
    const making = makingOf(fn);
    if (making === undefined) return null;
    this.walked!.set(fn, this.walked!.size);
    let values: readonly unknown[];
    try {
      values = making.captured();
    } catch (thrown) {
      if (!(thrown instanceof ReferenceError)) throw thrown;
      // A variable of TypeScript that is not there yet.
      this.unfinished = true;
      return null;
    }
    this.parts += values.length + 1;
    let branch = from.to(FUNCTION).to(making.text);
    for (let i = 0; i < values.length && this.parts < MOST_PARTS; i++) {
      if (values[i] === undefined) this.unfinished = true;
      branch = this.step(values[i], branch);
    }
    return branch;
  }

  /** Goes on by one part of something larger. */
  private step(part: unknown, branch: Branch): Branch {
    if (isPrimitive(part)) return branch.to(Object.is(part, -0) ? NEGATIVE_ZERO : part);
    const { walked } = this;
    if (walked === null) return branch.to(this.ofObject(part));
    if (typeof part !== 'function' && !this.holdsFunction(part)) {
      this.walked = null;
      const like = this.ofObject(part);
      this.walked = walked;
      return branch.to(like);
    }
    // Functions, and objects that hold some, are walked through each time: they may lead back to where the walk began.
    const earlier = walked.get(part);
    if (earlier !== undefined) return branch.to(earlierOne(earlier));
    return this.walk(part, branch) ?? branch.to(part);
  }

  private holdsFunction(value: object, depth = 0): boolean {
    const known = this.holders.get(value);
    if (known !== undefined) return known;
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Array.prototype && prototype !== Object.prototype && prototype !== null) return false;
    const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    this.parts += parts.length;
    // Too much to look at: it may hold one.
    if (this.parts >= MOST_PARTS || depth >= DEEPEST) return true;
    const holds = parts.some(
      (part) => typeof part === 'function' || (!isPrimitive(part) && this.holdsFunction(part, depth + 1)),
    );
    this.holders.set(value, holds);
    return holds;
  }
}

function earlierOne(number: number): symbol {
  while (EARLIER.length <= number) EARLIER.push(Symbol('earlier'));
  return EARLIER[number];
}

function isPrimitive(value: unknown): value is string | number | boolean | null | undefined | bigint | symbol {
  return (typeof value !== 'object' || value === null) && typeof value !== 'function';
}
