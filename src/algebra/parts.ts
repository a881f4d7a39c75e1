/** The parts of the values that programs make: items, fields, entries. */
import { hasFields } from '../runtime/values.ts';
import { goInto, goOut } from './endless.ts';

type Fields = Record<PropertyKey, unknown>;

/** Whether something in the value, itself left out, is what is looked for. */
export function somePart(value: object, is: (part: unknown) => boolean): boolean {
  try {
    goInto(value);
    return isSomePart(value, is);
  } finally {
    goOut();
  }
}

function isSomePart(value: object, is: (part: unknown) => boolean): boolean {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (is(value[i])) return true;
    return false;
  }
  if (value instanceof Map) {
    for (const [key, item] of value) if (is(key) || is(item)) return true;
    return false;
  }
  if (value instanceof Set) {
    for (const item of value) if (is(item)) return true;
    return false;
  }
  if (!hasFields(value)) return false;
  for (const key in value) if (is((value as Record<string, unknown>)[key])) return true;
  return false;
}

/** Whether an array has places with nothing in them, which JavaScript's methods pass over: `[1, , 3]`. */
export function hasHoles(list: readonly unknown[]): boolean {
  for (let i = 0; i < list.length; i++) if (list[i] === undefined && !(i in list)) return true;
  return false;
}

/** A copy of the value in which each part is what `of` gives for it. */
export function copied(value: object, of: (part: unknown) => unknown): object {
  try {
    goInto(value);
    return withParts(value, of);
  } finally {
    goOut();
  }
}

function withParts(value: object, of: (part: unknown) => unknown): object {
  if (Array.isArray(value)) return copiedList(value, of);
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [of(key), of(item)]));
  if (value instanceof Set) return new Set([...value].map(of));
  // (A field may be called `__proto__`.)
  const made: Fields = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, of(part)]));
  for (const name of Object.getOwnPropertySymbols(value)) made[name] = of((value as Fields)[name]);
  return Object.getPrototypeOf(value) === null ? Object.setPrototypeOf(made, null) : made;
}

function copiedList(list: readonly unknown[], of: (part: unknown) => unknown): unknown[] {
  const made = Array.from(list, of);
  for (let i = made.indexOf(undefined); i >= 0; i = made.indexOf(undefined, i + 1)) if (!(i in list)) delete made[i];
  return made;
}

/** Gives an array or object the items or fields of another. */
export function refill(object: object, from: object): void {
  if (Array.isArray(object)) object.splice(0, object.length, ...(from as unknown[]));
  else {
    for (const key of Object.keys(object)) delete (object as Record<string, unknown>)[key];
    Object.assign(object, from);
  }
}
