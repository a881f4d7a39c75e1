/**
 * A result that was found for some objects, for others of the same contents: where it holds objects that it was given, it
 * now holds those that are at the same places of the others, in objects of its own. A function that returns its argument returns
 * this one, and not an equal one of an earlier call.
 */

import { Marginal } from '../distributions/marginal.ts';
import { makingOf } from '../runtime/made-functions.ts';
import { hasFields, isObject } from '../runtime/values.ts';
import { Tensor } from '../tensor/tensor.ts';

/** Objects that are looked at among those that were given; where there are more, the result is for these alone. */
const MOST_OBJECTS = 50_000;
/** And parts within parts of the result. */
const DEEPEST = 1000;

/** A place among what was given: part `key` of the object at a place; of the list of all where there is none. */
interface Place {
  readonly of: Place | null;
  readonly key: string;
}

/** What can be reached from an object, by keys; functions hold the values around them. Undefined if that cannot be known. */
function partsOf(object: object): Readonly<Record<string, unknown>> | undefined {
  const parts =
    typeof object === 'function'
      ? makingOf(object)?.captured()
      : object instanceof Marginal
        ? object.support()
        : Array.isArray(object) || hasFields(object)
          ? object
          : undefined;
  return parts as Record<string, unknown> | undefined;
}

/** The places of all objects that were given; null if there are too many. */
function placesIn(given: readonly unknown[]): Map<object, Place[]> | null {
  const places = new Map<object, Place[]>();
  const waiting: { readonly place: Place; readonly object: object }[] = [];
  const meet = (part: unknown, place: Place): void => {
    if (!isObject(part)) return;
    const known = places.get(part);
    if (known !== undefined) known.push(place);
    else {
      places.set(part, [place]);
      waiting.push({ place, object: part });
    }
  };
  given.forEach((value, key) => {
    meet(value, { of: null, key: String(key) });
  });
  for (let i = 0; i < waiting.length; i++) {
    if (waiting.length > MOST_OBJECTS) return null;
    const { place, object } = waiting[i];
    const parts = partsOf(object) ?? {};
    for (const key of Object.keys(parts)) meet(parts[key], { of: place, key });
  }
  return places;
}

function partAt(place: Place, given: readonly unknown[]): unknown {
  return place.of === null ? given[Number(place.key)] : partsOf(partAt(place.of, given) as object)?.[place.key];
}

/** The objects of its arguments that a result holds, found when first asked for. */
interface Look {
  /** The objects that were given and are in the result, with their places. */
  readonly shared: ReadonlyMap<object, readonly Place[]>;
  /** Objects of the result that hold some of these. */
  readonly holders: ReadonlySet<object>;
}

export class ForObjects {
  /** Undefined before the first look, null if the result may hold what was given in ways that cannot be seen. */
  private look: Look | null | undefined = undefined;

  constructor(
    /** What the result holds. */
    readonly held: readonly unknown[],
    /** The values that it was found for. */
    readonly around: readonly unknown[],
  ) {}

  /** Whether these are the very values that it was found for. */
  areThose(values: readonly unknown[]): boolean {
    return values.every((value, i) => value === this.around[i] || !isObject(value));
  }

  /** Whether nothing that was given is in it. */
  get isApart(): boolean {
    if (this.look === undefined) this.look = this.first();
    return this.look !== null && this.look.shared.size === 0;
  }

  /** What it holds, for these values of the same contents; undefined if that has to be found anew. */
  heldFor(values: readonly unknown[]): readonly unknown[] | undefined {
    if (this.areThose(values)) return this.held;
    if (this.look === undefined) this.look = this.first();
    if (this.look === null) return undefined;
    const { shared, holders } = this.look;
    if (shared.size === 0) return this.held;
    const now = new Map<object, unknown>();
    for (const [object, places] of shared) {
      const part = partAt(places[0], values);
      // One object in two places, where there are two now: which of them it was is not known.
      if (places.some((place) => partAt(place, values) !== part)) return undefined;
      now.set(object, part);
    }
    const put = (value: unknown): unknown => {
      if (!isObject(value)) return value;
      if (now.has(value)) return now.get(value);
      if (!holders.has(value)) return value;
      const made: object = Array.isArray(value) ? new Array(value.length) : Object.create(Object.getPrototypeOf(value));
      now.set(value, made);
      for (const [key, part] of Object.entries(value)) {
        Object.defineProperty(made, key, { writable: true, enumerable: true, configurable: true, value: put(part) });
      }
      return made;
    };
    return this.held.map(put);
  }

  private first(): Look | null {
    const places = placesIn(this.around);
    if (places === null) return null;
    const shared = new Map<object, readonly Place[]>();
    const holders = new Set<object>();
    const looked = new Map<object, boolean>();
    let clear = true;
    /** Whether a value is, or holds, something that was given. */
    const holds = (value: unknown, depth: number): boolean => {
      if (!isObject(value)) return false;
      if (depth > DEEPEST) clear = false;
      const known = looked.get(value);
      if (known !== undefined) return known;
      const given = places.get(value);
      if (given !== undefined) shared.set(value, given);
      let found = given !== undefined;
      looked.set(value, found);
      if (found) return true;
      if (clear && (Array.isArray(value) || hasFields(value))) {
        for (const part of Object.values(value)) found = holds(part, depth + 1) || found;
        if (found) holders.add(value);
        looked.set(value, found);
      } else if (!(value instanceof Tensor)) clear = false;
      return found;
    };
    for (const value of this.held) holds(value, 0);
    return clear ? { shared, holders } : null;
  }
}

/** Whether a value is or holds a function, but for those in objects that were given: it would be another if it were made again. */
export function makesFunctions(value: unknown, given: readonly unknown[]): boolean {
  if (!isObject(value)) return false;
  const met = new Set<object>(given.filter(isObject));
  const waiting: object[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (met.has(next)) continue;
    if (typeof next === 'function') return true;
    met.add(next);
    const parts: readonly unknown[] = Array.isArray(next) || hasFields(next) ? Object.values(next) : [];
    for (const part of parts) if (isObject(part)) waiting.push(part);
  }
  return false;
}
