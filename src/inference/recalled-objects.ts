/**
 * Objects of results that are recalled. Two inferences of the same give two objects, also where the second was recalled. While an
 * inference goes on, comparing them is noticed (`contents.ts`). What it gives at the end may be compared by any code: if one value
 * holds an object in two places that may have come of two inferences, all is done again with a copy for each.
 */
import { Marginal } from '../distributions/marginal.ts';
import { hasFields } from '../runtime/values.ts';

/** A result that was taken up: what it holds, and the values it was made from. */
export interface Taken {
  readonly held: readonly unknown[];
  readonly around: readonly unknown[];
}

/** Objects that are looked at; results with more are taken to be right. */
const MOST_OBJECTS = 200_000;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Visits objects that can be reached from values, each once unless `visit` says to go into it again. */
function walk(values: Iterable<unknown>, visit: (object: object) => boolean): void {
  const waiting: unknown[] = [...values];
  for (let looked = 0; waiting.length > 0 && looked < MOST_OBJECTS; looked++) {
    const next = waiting.pop();
    if (!isObject(next) || !visit(next)) continue;
    for (const part of partsOf(next)) if (isObject(part)) waiting.push(part);
  }
}

/** What an object holds, as far as a program may have put it there. */
function partsOf(object: object): readonly unknown[] {
  if (object instanceof Marginal) return object.support();
  return Array.isArray(object) || hasFields(object) ? Object.values(object) : [];
}

function reachedFrom(values: Iterable<unknown>): Set<object> {
  const reached = new Set<object>();
  walk(values, (object) => !reached.has(object) && reached.add(object) !== undefined);
  return reached;
}

/** Whether one of the values holds, in two places, an object that was made for one of the results taken up. */
export function holdsTwice(values: readonly unknown[], taken: Iterable<Taken>): boolean {
  if (!values.some(isObject)) return false;
  const results = [...taken];
  const others = reachedFrom(results.flatMap(({ held }) => held));
  const twice = new Set<object>();
  for (const value of values) {
    const met = new Set<object>();
    walk([value], (object) => {
      if (!met.has(object)) return met.add(object) !== undefined;
      if (others.has(object)) twice.add(object);
      return false;
    });
  }
  if (twice.size === 0) return false;
  // One that was there before the inference is one object, however often it is found.
  return results.some(({ held, around }) => {
    const inside = reachedFrom(held);
    const outside = [...twice].some((object) => inside.has(object)) ? reachedFrom(around) : null;
    return outside !== null && [...twice].some((object) => inside.has(object) && !outside.has(object));
  });
}

/** Objects that two results of the same inference have in common: they were there before. */
export function common(first: Marginal<unknown>, second: Marginal<unknown>): ReadonlySet<object> {
  const inSecond = reachedFrom(second.support());
  return new Set([...reachedFrom(first.support())].filter((object) => inSecond.has(object)));
}

/**
 * The result with objects of its own, but for those outside it and those that it was found for; undefined if it holds some that cannot be
 * made again.
 */
export function copyOf<V>(
  result: Marginal<V>,
  common: ReadonlySet<object>,
  around: readonly unknown[],
): Marginal<V> | undefined {
  const given = reachedFrom(around);
  const outside = { has: (object: object) => common.has(object) || given.has(object) };
  const copies = new Map<object, object>();
  let possible = true;
  const copy = (value: unknown): unknown => {
    if (!isObject(value) || outside.has(value)) {
      // (A function that was made anew cannot be copied.)
      possible &&= typeof value !== 'function';
      return value;
    }
    const known = copies.get(value);
    if (known !== undefined) return known;
    if (!Array.isArray(value) && !hasFields(value)) {
      possible = false;
      return value;
    }
    const made: object = Array.isArray(value) ? new Array(value.length) : Object.create(Object.getPrototypeOf(value));
    copies.set(value, made);
    for (const [key, part] of Object.entries(value)) Object.defineProperty(made, key, { ...OPEN, value: copy(part) });
    return made;
  };
  const values = result.support().map((value) => copy(value) as V);
  return possible ? result.withValues(values) : undefined;
}

const OPEN = { writable: true, enumerable: true, configurable: true };
