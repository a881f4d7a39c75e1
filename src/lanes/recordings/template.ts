/** How values of the program are made of recorded numbers: constant parts are kept, and the numbers put in. */
import { goInto, goOut } from '../../algebra/endless.ts';
import { OneByOne } from '../../runtime/signals.ts';
import type { Data } from '../../tensor/node.ts';

/** Makes a value from numbers; objects that were `made` of these numbers are not made twice. */
export type Template = (numbers: ArrayLike<number | Data>, made?: Map<object, unknown>) => unknown;

/** What holds recorded values inside and can be made again with others. */
export interface Rebuilt {
  /** Its parts, in which recorded values may be. */
  readonly parts: unknown;
  /** The same with other parts. */
  rebuild(parts: unknown): unknown;
  /** Whether that is the same object for the same parts, so that it need not be noted. */
  readonly isKept?: boolean;
}

/** What stands for numbers in a way of recording. */
export interface Kind<N> {
  /** The number that a value stands for, and what it is to the program; undefined for other values. */
  leaf(value: unknown): { readonly node: N; make(number: number | Data): unknown } | undefined;
  /** Whether a value, or something in it, stands for a number, or cannot be seen into. */
  holds(value: unknown): boolean;
  /** Whether the program may change the value, or something in it, before it is made again: it is wanted as it is now. */
  mayChange?(value: unknown): boolean;
  /** What knows how to make the value again; undefined if its parts are to be seen. */
  rebuiltOf(value: unknown): Rebuilt | undefined;
}

/** Whether a value has to be made again, and is not just handed on. */
const isMade = <N>(value: unknown, kind: Kind<N>): boolean => kind.holds(value) || kind.mayChange?.(value) === true;

/** How to make the value from the numbers of its recorded parts, which are added to `leaves`. */
export function templateOf<N>(value: unknown, kind: Kind<N>, leaves: N[]): Template {
  const leaf = kind.leaf(value);
  if (leaf !== undefined) {
    const place = leaves.push(leaf.node) - 1;
    return (numbers) => leaf.make(numbers[place]);
  }
  const known = kind.rebuiltOf(value);
  if (known === undefined && typeof value === 'function')
    throw new OneByOne('value', 'a function may depend on choices');
  if (!isMade(value, kind)) return () => value;
  if (known?.isKept === true) return rebuilding(known, kind, leaves);
  const make = known === undefined ? objectTemplate(value as object, kind, leaves) : rebuilding(known, kind, leaves);
  return (numbers, made = new Map()) => {
    if (!made.has(value as object)) made.set(value as object, make(numbers, made));
    return made.get(value as object);
  };
}

type Make = (numbers: ArrayLike<number | Data>, made: Map<object, unknown>) => unknown;

function rebuilding<N>(value: Rebuilt, kind: Kind<N>, leaves: N[]): Template {
  const inner = templateOf(value.parts, kind, leaves);
  return (numbers, made) => value.rebuild(inner(numbers, made));
}

function objectTemplate<N>(value: object, kind: Kind<N>, leaves: N[]): Make {
  try {
    goInto(value);
    return withParts(value, kind, leaves);
  } finally {
    goOut();
  }
}

function withParts<N>(value: object, kind: Kind<N>, leaves: N[]): Make {
  if (Array.isArray(value)) {
    const items = value.map((item) => templateOf(item, kind, leaves));
    return (numbers, made) => items.map((item) => item(numbers, made));
  }
  if (!kind.holds(value) && (value instanceof Map || value instanceof Set)) {
    const copy = value instanceof Map ? new Map(value) : new Set(value);
    return () => copy;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new OneByOne('value', 'a Map, a Set or an object of a class holds values that depend on choices');
  }
  return recordTemplate(value as Record<string, unknown>, kind, leaves);
}

/** Copies an object with the constant fields, which is several times faster than making it field by field. */
function recordTemplate<N>(given: Record<string, unknown>, kind: Kind<N>, leaves: N[]): Make {
  // As it is now: the program may change it.
  const value = Object.getPrototypeOf(given) === null ? Object.assign(Object.create(null), given) : { ...given };
  const varying = Object.entries(value)
    .filter(([, field]) => isMade(field, kind))
    .map(([key, field]) => ({ key, field: templateOf(field, kind, leaves) }));
  const hasPrototype = Object.getPrototypeOf(value) !== null;
  // (A field of that name would be the prototype of a copy.)
  if (!hasPrototype || Object.hasOwn(value, '__proto__')) {
    return (numbers, known) => {
      const own = Object.entries(value).map(([key, field]) => [key, field] as [string, unknown]);
      for (const { key, field } of varying) own.find(([name]) => name === key)![1] = field(numbers, known);
      const made = Object.fromEntries(own);
      return hasPrototype ? made : Object.setPrototypeOf(made, null);
    };
  }
  return (numbers, known) => {
    const made = { ...value };
    for (let i = 0; i < varying.length; i++) made[varying[i].key] = varying[i].field(numbers, known);
    return made;
  };
}
