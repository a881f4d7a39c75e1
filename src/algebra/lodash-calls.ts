/** Functions of lodash that call others by name (`_.chain`, `_.invoke`): each of these is called by its own rule. */
import type { Fn } from './domain.ts';

type Lodash = Readonly<Record<PropertyKey, unknown>>;

/** How functions are called that know nothing of values which stand for others. */
interface Caller {
  /** A function of lodash. */
  hostMethod(lodash: unknown, name: unknown): Fn;
  /** A method of whatever object. */
  methodOf(object: unknown, key: PropertyKey): Fn;
  look(value: unknown): unknown;
}

type LodashCall = (caller: Caller, lodash: Lodash, args: readonly unknown[]) => unknown;

const VALUE: ReadonlySet<PropertyKey> = new Set(['value', 'valueOf', 'toJSON']);
/** Methods of arrays that chains have too; the first ones go on with the array, the others with what they give. */
const CHANGES: ReadonlySet<PropertyKey> = new Set(['push', 'sort', 'unshift']);
const TAKES: ReadonlySet<PropertyKey> = new Set(['pop', 'shift', 'splice']);

/** `_.chain(value)`. */
function chain(caller: Caller, lodash: Lodash, value: unknown): object {
  const next = (made: unknown): object => chain(caller, lodash, made);
  const get = (_target: object, key: PropertyKey): unknown => {
    if (VALUE.has(key)) return () => value;
    if (key === Symbol.iterator) return () => (value as Iterable<unknown>)[Symbol.iterator]();
    if (key === 'commit') return () => next(value);
    if (CHANGES.has(key) || TAKES.has(key)) {
      return (...args: unknown[]) => {
        const made = caller.methodOf(value, key)(...args);
        return next(CHANGES.has(key) ? value : made);
      };
    }
    if (typeof lodash[key] !== 'function') return undefined;
    return (...args: unknown[]) => next(caller.hostMethod(lodash, key)(value, ...args));
  };
  return new Proxy({}, { get });
}

/** `_.invoke(object, path, …)`. */
function invoke(caller: Caller, lodash: Lodash, [object, path, ...args]: readonly unknown[]): unknown {
  const keys = (lodash.toPath as (path: unknown) => string[])(caller.look(path));
  const owner = keys.slice(0, -1).reduce<unknown>((at, key) => (at as Lodash | undefined)?.[key], object);
  const key = keys[keys.length - 1];
  return (owner as Lodash | null | undefined)?.[key] == null ? undefined : caller.methodOf(owner, key)(...args);
}

const CALLS: Readonly<Record<string, LodashCall>> = {
  chain: (caller, lodash, [value]) => chain(caller, lodash, value),
  invoke,
};

/** How the function of lodash with this name is called, if it calls others. */
export const lodashCallOf = (name: string): LodashCall | undefined =>
  Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
