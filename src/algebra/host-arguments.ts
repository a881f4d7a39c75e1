/** What the functions of the host may do with what they are given. */
import { hasFields, isRecord } from '../runtime/values.ts';
import type { Domain, Fn } from './domain.ts';
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
