/**
 * Which object a value is, where what the program holds is not that very object: one merged from those of several sides of a
 * conditional, a copy for one execution, a function made fit for values that stand for others.
 */
const origins = new WeakMap<object, unknown>();
/** Where finding that out means looking at something: done when somebody asks. */
const finders = new WeakMap<object, () => unknown>();

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

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

/** Objects of one execution that were made from those of all, by the latter: an object is the same wherever it is met. */
export type Copies = Map<object, object>;

export const isIdentical = (a: unknown, b: unknown): boolean => originOf(a) === originOf(b);
// biome-ignore lint/suspicious/noDoubleEquals: this is what programs write
export const isLooselyEqual = (a: unknown, b: unknown): boolean => originOf(a) == originOf(b);
