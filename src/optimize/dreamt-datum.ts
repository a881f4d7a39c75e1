import { hasFields, sameValue } from '../runtime/values.ts';
import type { ObservedPlaces } from './observed-places.ts';

type Fields = Record<PropertyKey, unknown>;

/** A part of a datum that the program has read. */
interface Part {
  readonly holder: Fields;
  readonly key: string;
}

/** Places are paths from the datum: the keys, each with this in front. The place of the datum itself is ''. */
const STEP = '\u0000';

/**
 * A datum while it is being made up. The program is shown a datum, for its shape and for what it does not observe; what
 * it does observe is replaced where it was read, so that a datum such as `{x: 1, y: 2}` of which only `y` is observed
 * keeps its `x`.
 */
export class DreamtDatum {
  /** What the program is given. */
  readonly shown: unknown;
  /** The datum as it is so far: a copy, with dreams in the places of what was observed. */
  value: unknown;
  /** The keys to where the last dream was put. */
  lastPlace: readonly string[] = [];
  /** What was made up, by the place it has. */
  private readonly dreams = new Map<string, unknown>();
  /** Parts by the value they had when they were read, the latest last. */
  private readonly readings = new Map<unknown, Map<string, Part>>();
  private readonly watched = new WeakMap<object, unknown>();
  private readonly copies = new WeakSet<object>();

  /** `earlier` is what was made up of the same datum before, and is to be looked at again. */
  constructor(
    datum: unknown,
    private readonly places: ObservedPlaces,
    earlier?: DreamtDatum,
  ) {
    const copy = { datum: copied(datum) };
    for (const [place, dream] of earlier?.dreams ?? []) put(copy, `datum${place}`, copied(dream));
    this.value = copy.datum;
    this.shown = this.watch(this.value, '');
  }

  /** Whether this is the datum, or a part of it, as the program sees it. */
  has(part: unknown): boolean {
    return typeof part === 'object' && part !== null && this.copies.has(part);
  }

  /** Puts a dream in the place of what is observed at a site. False if the value is no part of this datum. */
  observed(value: unknown, dream: unknown, site: string): boolean {
    if (Object.is(value, this.shown)) {
      if (this.dreams.size > 0) return false;
      this.value = dream;
      this.dreams.set('', dream);
      this.lastPlace = [];
      return true;
    }
    const read = this.readings.get(value);
    if (read === undefined) return false;
    const open = [...read.keys()].filter((place) => !this.dreams.has(place));
    const place = this.places.choose(site, [...read.keys()], open);
    if (place === undefined) return false;
    const { holder, key } = read.get(place)!;
    holder[key] = dream;
    this.dreams.set(place, dream);
    this.lastPlace = place.split(STEP).slice(1);
    return true;
  }

  /** Whether the same was made up. */
  agrees(other: DreamtDatum): boolean {
    if (this.dreams.size !== other.dreams.size) return false;
    for (const [place, dream] of this.dreams) {
      if (!other.dreams.has(place) || !sameValue(dream, other.dreams.get(place))) return false;
    }
    return true;
  }

  /** The same thing, with reads of it noted; things that are neither arrays nor plain objects are given as they are. */
  private watch(thing: unknown, at: string): unknown {
    if (!isContainer(thing)) return thing;
    let watched = this.watched.get(thing);
    if (watched === undefined) {
      watched = new Proxy(thing, {
        get: (holder, key, receiver) => {
          const found = Reflect.get(holder, key, receiver);
          if (typeof key === 'symbol' || !Object.hasOwn(holder, key) || key === 'length') return found;
          const place = at + STEP + key;
          const seen = this.watch(found, place);
          this.note(seen, place, { holder: holder as Fields, key });
          return seen;
        },
      });
      this.watched.set(thing, watched);
      this.copies.add(watched as object);
    }
    return watched;
  }

  private note(seen: unknown, place: string, part: Part): void {
    let parts = this.readings.get(seen);
    if (parts === undefined) {
      parts = new Map();
      this.readings.set(seen, parts);
    }
    parts.delete(place);
    parts.set(place, part);
  }
}

function put(holder: Fields, place: string, value: unknown): void {
  const keys = place.split(STEP);
  const inner = keys.slice(0, -1).reduce((at, key) => at[key] as Fields, holder);
  inner[keys[keys.length - 1]] = value;
}

function isContainer(thing: unknown): thing is object {
  return Array.isArray(thing) || hasFields(thing);
}

function copied(thing: unknown): unknown {
  if (!isContainer(thing)) return thing;
  if (Array.isArray(thing)) return thing.map(copied);
  return Object.fromEntries(Object.entries(thing).map(([key, field]) => [key, copied(field)]));
}
