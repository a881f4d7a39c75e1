/**
 * Which object a value is, where what the program holds is not that very object: one merged from those of several sides of a
 * conditional, a copy for one execution, a wrapper of a host function.
 */

import { isObject } from '../runtime/values.ts';
import { copied, somePart } from './parts.ts';

const origins = new WeakMap<object, unknown>();
/** The same where finding it looks at a value: it is found when first asked for. */
const finders = new WeakMap<object, () => unknown>();

/** Remembers what `made` stands for: an object, or a value of the domain that stands for several. */
export function keepOrigin<T extends object>(made: T, origin: unknown): T {
  origins.set(made, origin);
  return made;
}

/** The same for what `find` tells. */
export function keepOriginToFind<T extends object>(made: T, find: () => unknown): T {
  finders.set(made, find);
  return made;
}

/** Whether the value is not the object that it is compared as. */
export const hasOrigin = (value: unknown): boolean => originOf(value) !== value;

/** The object, or the several, that the value is to be compared as; the value itself if it is its own. */
export function originOf(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (origins.has(value)) return origins.get(value);
  const find = finders.get(value);
  if (find === undefined) return value;
  const origin = find();
  origins.set(value, origin);
  return origin;
}

const copiedObjects = new WeakSet<object>();

/** Notes that there is something which was made from the object, and does not see its changes. */
export const noteCopied = (object: object): unknown => copiedObjects.add(object);

export const isCopied = (object: object): boolean => copiedObjects.has(object);

/** Objects of one execution that were made from those of all: an object is the same wherever it is met. */
export class Copies {
  /** (Most executions have nothing to copy.) */
  private made: Map<object, object> | null = null;
  private given: Map<object, object> | null = null;

  /** The copy of `value`, which is the object `source`. */
  of(value: object, source: object, copy: () => object): object {
    let made = this.made?.get(source);
    if (made === undefined) {
      made = keepOrigin(copy(), source);
      noteCopied(source);
      this.made ??= new Map();
      this.made.set(source, made);
      this.given ??= new Map();
      this.given.set(made, value);
    }
    return made;
  }

  /** The copy made here of the object that the value is an earlier copy of; the value itself if there is none. */
  same(value: unknown): unknown {
    const source = originOf(value);
    if (source === value || !isObject(source)) return value;
    const made = this.made?.get(source);
    if (made !== undefined) return made;
    this.made ??= new Map();
    this.made.set(source, value as object);
    return value;
  }

  /** A value that a function picked or passed on, with the originals in place of copies. */
  restored(value: unknown): unknown {
    if (this.given === null || !isObject(value)) return value;
    const original = this.given.get(value);
    if (original !== undefined) return original;
    return this.holdsCopy(value) ? copied(value, (part) => this.restored(part)) : value;
  }

  private readonly holdsCopy = (value: unknown): boolean =>
    isObject(value) && (this.given!.has(value) || somePart(value, this.holdsCopy));
}

export const isIdentical = (a: unknown, b: unknown): boolean => originOf(a) === originOf(b);
// biome-ignore lint/suspicious/noDoubleEquals: this is what programs write
export const isLooselyEqual = (a: unknown, b: unknown): boolean => originOf(a) == originOf(b);
