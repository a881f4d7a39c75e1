/** What JavaScript's and lodash's functions may do with their arguments. */
import { hasFields, isRecord } from '../runtime/values.ts';
import type { Domain, Fn } from './domain.ts';
import type { Rule } from './host-rules.ts';
import { somePart } from './parts.ts';

/** Functions of JavaScript that do not call what they are given, and must be given the very object. */
export const PASSING_ON: ReadonlySet<unknown> = new Set(
  [Object, Reflect].flatMap((owner) =>
    Object.values(Object.getOwnPropertyDescriptors(owner)).map(({ value }) => value),
  ),
);

const SEARCHES: ReadonlySet<unknown> = new Set([RegExp.prototype.test, RegExp.prototype.exec]);

/** True of a search that goes on where the last one ended. */
export const remembers = (fn: Fn, self: unknown): boolean =>
  SEARCHES.has(fn) && self instanceof RegExp && (self.global || self.sticky);

/** True of what lodash can change. */
export const isContainer = (value: unknown): value is object => Array.isArray(value) || isRecord(value);

/** So deep are functions looked for, in values that may contain themselves. */
const DEEPEST = 6;

/** Whether there is a function in a value, which host code that is given the value may call. */
export function holdsFunction(domain: Domain, value: unknown, depth = 0): boolean {
  if (typeof value === 'function') return true;
  if (depth === DEEPEST || domain.isMine(value) || !(Array.isArray(value) || hasFields(value))) return false;
  return somePart(value, (part) => holdsFunction(domain, part, depth + 1));
}

/**
 * What an object of the program gives to those who go through it, as a list: JavaScript's collections would take what stands for
 * others for a key.
 */
export const iterated = (domain: Domain, given: unknown): unknown =>
  !domain.isMine(given) && isRecord(given) && typeof given[Symbol.iterator as never] === 'function'
    ? Array.from(given as unknown as Iterable<unknown>)
    : given;

/** The object with an answer that is looked at, where `concat` asks it whether its items are added. */
export function spreadable(value: unknown, look: (value: unknown) => unknown): unknown {
  const key = Symbol.isConcatSpreadable;
  return isRecord(value) && key in value ? { ...value, [key]: look(value[key as never]) } : value;
}

/** Whether something in a value stands for others, though the value itself does not. */
export const holdsMore = (domain: Domain, value: unknown): boolean => !domain.isMine(value) && domain.holds(value);

/** True of a list of pairs that does not stand for others, nor do the pairs. */
export const isPairs = (domain: Domain, given: unknown): given is [unknown, unknown][] =>
  Array.isArray(given) && !domain.isMine(given) && given.every((pair) => Array.isArray(pair) && !domain.isMine(pair));

const hasNumbers = (domain: Domain, list: unknown): boolean =>
  Array.isArray(list) && !domain.isMine(list) && list.some((item) => domain.kindOf(item) === 'number');

/** Whether the rule of a function holds for these arguments. */
export function isFit(
  domain: Domain,
  { kind, applies, flattens }: Rule,
  args: readonly unknown[],
  hasFunctions: boolean,
): boolean {
  if (kind === 'asks' || (applies && flattens !== undefined)) return hasFunctions;
  if (kind === 'compares') return false;
  if (!applies || hasFunctions || args[1] === undefined) return true;
  // The field of that name of a number is not one of what stands for it.
  return typeof args[1] === 'string' && !hasNumbers(domain, args[0]);
}

/** Whether gradients pass through something in a list or object that is not the same for all. */
export const isDifferentCarrier = (domain: Domain, value: unknown): boolean =>
  domain.isMine(value) && domain.kindOf(value) !== 'number' && domain.carries?.(value) === true;

/** Functions that answer with no number, nor with anything that holds one. */
const ANSWERING: ReadonlySet<unknown> = new Set([JSON.stringify, String, Boolean, Array.isArray]);

/**
 * The arguments of a function that would be called with each one's own plain values, where it has to see the very lists and objects
 * instead: gradients pass through what is in them. Those that do not agree on these part. Undefined where plain values do.
 */
export function agreedCarriers(domain: Domain, fn: Fn, given: readonly unknown[]): unknown[] | undefined {
  const isCarrier = (value: unknown): boolean => isDifferentCarrier(domain, value);
  if (ANSWERING.has(fn) || !given.some(isCarrier)) return undefined;
  return given.map((value) => (isCarrier(value) ? domain.look(value) : value));
}

/** Whether the choices of an execution that runs alone pick the object, so that it may change the very one. */
export const isPicked = (domain: Domain, value: unknown): boolean =>
  !domain.isShared() && domain.isMine(value) && domain.kindOf(value) !== 'number';
