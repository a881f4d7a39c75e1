/**
 * Objects and functions that stand for several. A program reads their fields as ever, and gets values that stand for the
 * fields of all. Where something cannot be said of all at once, they part.
 */
import { OneByOne } from '../runtime/signals.ts';
import { isRecord } from '../runtime/values.ts';

type Of = (value: unknown) => unknown;

export interface Several {
  /** All values that it may have, also those of executions that do not run now. */
  readonly values: readonly unknown[];
  /** A value that stands for the results of `of`, one for each. */
  derive(of: Of): unknown;
  /** What is so for all executions that run now; they part where it is not the same. */
  agree(of: Of): unknown;
  field(key: PropertyKey): unknown;
  call(self: unknown, args: unknown[]): unknown;
  /** Assigns to a field of the object that each has; false where that cannot be done for all at once. */
  put?(key: PropertyKey, value: unknown): boolean;
  /** The very object that the program changes; left out where each has another one. */
  changed?(): object;
}

/** A symbol by which JavaScript asks what it does with a value, and none of these answers. */
export const isForeign = (key: PropertyKey, values: readonly unknown[]): boolean =>
  typeof key === 'symbol' && !values.some((value) => Object.hasOwn(Object(value) as object, key));

/** The number or text that JavaScript makes of a value; the value itself for the hint `itself`, which is Waymark's own. */
export function primitiveOf(value: unknown, hint: string): unknown {
  if (hint === 'itself' || ((typeof value !== 'object' || value === null) && typeof value !== 'function')) return value;
  if (hint === 'string') return String(value);
  const own = (value as Record<symbol, unknown>)[Symbol.toPrimitive];
  if (typeof own === 'function') return own.call(value, hint);
  const answer: unknown = value.valueOf();
  return typeof answer === 'object' && answer !== null ? String(value) : answer;
}

/** The object or function that programs get for several. */
export function standIn(several: Several): object {
  const { values } = several;
  const target = values.every(Array.isArray) ? [] : values.some((value) => typeof value === 'function') ? call : {};
  return new Proxy(target, trapsOf(several));
}

/** What programs find when they read it. */
export function trapsOf(
  several: Several,
): Required<Pick<ProxyHandler<object>, 'get' | 'has' | 'ownKeys' | 'getOwnPropertyDescriptor'>> & ProxyHandler<object> {
  const changed = (): object => {
    if (several.changed !== undefined) return several.changed();
    throw new OneByOne('state', 'a field of an object is assigned that is not the same for all');
  };
  return {
    get: (_target, key) => {
      if (key === Symbol.iterator) return () => iterate(several);
      if (key === Symbol.toPrimitive) return (hint: string) => primitiveOf(several.agree(itself), hint);
      return several.field(key);
    },
    has: (_target, key) => several.agree((value) => key in Object(value)) === true,
    ownKeys: () => keysOf(several),
    getOwnPropertyDescriptor: (_target, key) => ownField(several, key),
    set: (_target, key, value) => several.put?.(key, value) === true || Reflect.set(changed(), key, value),
    deleteProperty: (_target, key) => Reflect.deleteProperty(changed(), key),
    apply: (_target, self, args) => several.call(self, args),
  };
}

const call = (): undefined => undefined;
const itself: Of = (value) => value;

/** Lists item by item, where they are of one length. */
function* iterate(several: Several): Generator<unknown> {
  if (!several.values.every(Array.isArray)) {
    yield* several.derive((value) => [...(value as [])]) as unknown[];
    return;
  }
  // To read the first items, the number of items need not be known.
  const isThere = (i: number): boolean => several.agree((list) => i < (list as unknown[]).length) === true;
  for (let i = 0; isThere(i); i++) yield several.field(String(i));
}

const keyText: Of = (value) =>
  Reflect.ownKeys(value as object)
    .map(String)
    .join('\n');

/** The keys that all objects have, in the same order. */
function keysOf(several: Several): (string | symbol)[] {
  const { values } = several;
  if (!values.every(isRecord)) return Reflect.ownKeys(Object(several.agree(itself)) as object);
  const text = several.agree(keyText);
  return Reflect.ownKeys(values.find((value) => keyText(value) === text) as object);
}

/** The descriptor of a field. */
function ownField(several: Several, key: PropertyKey): PropertyDescriptor | undefined {
  if (!several.values.every(isRecord)) {
    const own = Reflect.getOwnPropertyDescriptor(Object(several.agree(itself)) as object, key);
    // (JavaScript demands that a proxy's target has the fields that cannot be configured: of these there is only the
    // length of a list.)
    return key === 'length' && several.values.every(Array.isArray) ? own : own && { ...own, configurable: true };
  }
  if (several.agree((value) => Object.hasOwn(value as object, key)) !== true) return undefined;
  return { value: several.field(key), writable: true, enumerable: true, configurable: true };
}
