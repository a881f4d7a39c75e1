/**
 * What the program threw last, in its own words. Where many executions run as one, a `throw` of the program is thrown by all
 * that run there. Of an error from a host function or the library that is not known.
 */
import { machine } from './machine.ts';

/** Passes on what a program throws, so that its own `catch` sees the very same value. */
export function thrown(value: unknown): unknown {
  machine.thrown = { value, stack: value instanceof Error ? '' : (new Error().stack ?? '') };
  return value;
}

/** True of what the program has thrown itself. */
export const isOwnThrow = (value: unknown): boolean =>
  machine.thrown !== null && Object.is(value, machine.thrown.value);

/** The stack trace of something thrown, also of what has none of its own (`throw 'no data'`); empty if there is none. */
export function stackOf(value: unknown): string {
  if (value instanceof Error) return value.stack ?? '';
  return isOwnThrow(value) ? (machine.thrown?.stack ?? '') : '';
}
