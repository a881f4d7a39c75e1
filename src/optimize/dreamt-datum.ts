type Fields = Record<PropertyKey, unknown>;

/** A place in the datum that the program has read, and what it found there. */
interface Reading {
  readonly holder: Fields;
  readonly key: PropertyKey;
  readonly seen: unknown;
}

/**
 * A datum while it is being made up. The program is shown the real datum, for its shape and for what it does not
 * observe; what it does observe is replaced where it was read, so that a datum such as `{x: 1, y: 2}` of which only
 * `y` is observed keeps its `x`. Which of several equal numbers is meant is known by watching what was read last.
 */
export class DreamtDatum {
  /** What the program is given. */
  readonly shown: unknown;
  /** The datum as it is so far: a copy of the real one, with dreams in the places of what was observed. */
  value: unknown;
  private readonly readings: Reading[] = [];
  private readonly watched = new WeakMap<object, unknown>();
  private readonly copies = new WeakMap<object, object>();

  constructor(datum: unknown) {
    this.value = copied(datum);
    this.shown = this.watch(this.value);
  }

  /** Whether this is the datum, or a part of it, as the program sees it. */
  has(part: unknown): boolean {
    return typeof part === 'object' && part !== null && this.copies.has(part);
  }

  /** Puts a dream in the place of an observed value. False if the value is no part of this datum. */
  observed(value: unknown, dream: unknown): boolean {
    if (Object.is(value, this.shown)) {
      this.value = dream;
      return true;
    }
    for (let i = this.readings.length - 1; i >= 0; i--) {
      const { holder, key, seen } = this.readings[i];
      if (!Object.is(seen, value)) continue;
      holder[key] = dream;
      this.readings.splice(i, 1);
      return true;
    }
    return false;
  }

  /** The same thing, with reads of it noted; things that are neither arrays nor plain objects are given as they are. */
  private watch(thing: unknown): unknown {
    if (!isContainer(thing)) return thing;
    let watched = this.watched.get(thing);
    if (watched === undefined) {
      watched = new Proxy(thing, {
        get: (holder, key, receiver) => {
          const found = Reflect.get(holder, key, receiver);
          if (typeof key === 'symbol' || !Object.hasOwn(holder, key) || key === 'length') return found;
          const seen = this.watch(found);
          this.readings.push({ holder: holder as Fields, key, seen });
          return seen;
        },
      });
      this.watched.set(thing, watched);
      this.copies.set(watched as object, thing);
    }
    return watched;
  }
}

function isContainer(thing: unknown): thing is object {
  if (typeof thing !== 'object' || thing === null) return false;
  const prototype = Object.getPrototypeOf(thing);
  return Array.isArray(thing) || prototype === Object.prototype || prototype === null;
}

function copied(thing: unknown): unknown {
  if (!isContainer(thing)) return thing;
  if (Array.isArray(thing)) return thing.map(copied);
  return Object.fromEntries(Object.entries(thing).map(([key, field]) => [key, copied(field)]));
}
