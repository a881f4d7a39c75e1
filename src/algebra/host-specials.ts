/** Functions of JavaScript and lodash that pass some arguments on as they are, and look at the rest. */
import { isSignal, OneByOne } from '../runtime/signals.ts';
import { isOwnThrow } from '../runtime/throwing.ts';
import { isRecord } from '../runtime/values.ts';
import { type Domain, type Fn, settle } from './domain.ts';
import { GivenMap, GivenSet } from './keyed-collections.ts';
import { copied } from './parts.ts';

type Special = (domain: Domain, args: readonly unknown[], fn: Fn) => unknown;

/** Values that can be iterated over. */
const asList = (domain: Domain, given: unknown): unknown =>
  domain.isMine(given) && domain.kindOf(given) !== 'list' ? domain.look(given) : given;

/** `Array.from`: items are handed on, a length is looked at. */
const from: Special = (domain, [given, ...others], fn) => {
  const list = asList(domain, given);
  const length = isRecord(list) ? list.length : undefined;
  const fit = domain.isMine(length) ? { ...(list as object), length: domain.look(length) } : list;
  return fn.call(Array, fit, ...others);
};

/** `Object.fromEntries` and lodash's `fromPairs`: keys are looked at. */
const fromEntries: Special = (domain, [given], fn) => {
  const pairs = Array.from(asList(domain, given) as []);
  return fn(pairs.map((pair) => [settle(domain, (pair as unknown[])[0]), (pair as unknown[])[1]]));
};

const arrayOf: Special = (domain, args, fn) => fn(...(args.length === 1 ? args.map(domain.look) : args));

const isKeyed = (value: unknown): value is GivenMap | GivenSet =>
  value instanceof GivenMap || value instanceof GivenSet;

/** Lodash's `clone`, and `Object.freeze`. */
const clone: Special = (domain, [value], fn) => {
  const kind = domain.kindOf(value);
  if (isKeyed(value)) return value.copied((part) => part);
  return kind === 'number' ? value : kind === undefined ? fn(value) : domain.each(fn, [value]);
};

/** Lodash's `cloneDeep`, and `structuredClone`, which would copy what stands for others field by field. */
function cloned(domain: Domain, value: unknown, fn: Fn, made = new Map<unknown, unknown>()): unknown {
  if (domain.kindOf(value) === 'number') return value;
  // What is one object in two places is so in the copy too.
  if (made.has(value)) return made.get(value);
  const clone = (part: unknown): unknown => cloned(domain, part, fn, made);
  if (isKeyed(value)) return value.copied(clone);
  if (!domain.holds(value)) return fn(value);
  if (!domain.isMine(value)) {
    const copy = copied(value as object, clone);
    made.set(value, copy);
    return copy;
  }
  // Where gradients pass through it, item by item and field by field.
  const kind = domain.isDifferentiable ? domain.kindOf(value) : undefined;
  if (kind === 'list') return [...(value as [])].map(clone);
  return kind === 'record' ? copied({ ...(value as object) }, clone) : domain.each(fn, [value]);
}

/** Lodash's `property`: a number has no fields, whatever stands for it. */
const property: Special = (domain, [path], fn) => {
  const read = fn(settle(domain, path)) as Fn;
  return (object: unknown) => (domain.kindOf(object) === 'number' ? domain.each(read, [object]) : read(object));
};

/** Lodash's `attempt`, which would take a signal of the runtime for an error. */
const attempt: Special = (domain, [fn, ...args]) => {
  try {
    return (fn as Fn)(...args);
  } catch (thrown) {
    if (isSignal(thrown)) throw thrown;
    if (!isOwnThrow(thrown) && domain.isShared())
      throw new OneByOne('caught', 'an error is caught that some may not have met');
    return thrown instanceof Error ? thrown : new Error(thrown as string);
  }
};

const SPECIAL: ReadonlyMap<unknown, Special> = new Map<unknown, Special>([
  [Array.from, from],
  [Array, arrayOf],
  [Object.fromEntries, fromEntries],
  [Object.freeze, clone],
  [structuredClone, (domain, [value], fn) => cloned(domain, value, fn)],
  [Reflect.apply, (_domain, [fn, self, list]) => (fn as Fn).apply(self, list as [])],
]);

const LODASH_SPECIAL: Readonly<Record<string, Special>> = {
  attempt,
  clone,
  cloneDeep: (domain, [value], fn) => cloned(domain, value, fn),
  fromPairs: fromEntries,
  property,
};

/** How to call a host function that has a way of its own; `lodashName` if it is lodash's. */
export function specialOf(fn: Fn, lodashName?: string): Special | undefined {
  if (lodashName !== undefined)
    return Object.hasOwn(LODASH_SPECIAL, lodashName) ? LODASH_SPECIAL[lodashName] : undefined;
  return SPECIAL.get(fn);
}
