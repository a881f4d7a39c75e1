/**
 * Which errors are the program's, and what it threw last. Where many executions run as one, a `throw` of the program is
 * thrown by all that run there; of an error from a host function or the library that is not known.
 *
 * Errors of the program are told from errors of the engine by their origin: an error of the library is a `WaymarkError`;
 * JavaScript's own errors are the program's if they were raised by its text, or where the engine does to plain values what
 * the text says (`forProgram`).
 */
import { wordOf } from './error-words.ts';
import { WaymarkError } from './errors.ts';
import { machine } from './machine.ts';

/** Passes on what a program throws, so that its own `catch` sees the very same value. */
export function thrown(value: unknown): unknown {
  machine.thrown = { value, stack: value instanceof Error ? '' : (new Error().stack ?? '') };
  return value;
}

/** True of what the program has thrown itself. */
export const isOwnThrow = (value: unknown): boolean =>
  machine.thrown !== null && Object.is(value, machine.thrown.value);

/** Errors that came of what the program does to values of its own. */
const raised = new WeakSet<Error>();

/** Notes that an error came of what the program does to values of its own; gives it. */
export function ofProgram(thrown: unknown): unknown {
  if (thrown instanceof Error) raised.add(thrown);
  return thrown;
}

/** The function, for plain values of the program: where it fails, the error is the program's. It never calls back. */
export function forProgram<A extends unknown[], R>(fn: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    try {
      return fn(...args);
    } catch (thrown) {
      throw ofProgram(thrown);
    }
  };
}

/** `object[key]`, of a plain object of the program. */
export const fieldOf = forProgram(
  (object: unknown, key: unknown) => (object as Record<PropertyKey, unknown>)[key as never],
);

/**
 * Whether an error is the program's. In the bundle of an app the text of programs cannot be told from the engine's, and errors
 * are taken to be the program's.
 */
export const isProgramError = (thrown: unknown): boolean =>
  thrown instanceof WaymarkError ||
  isOwnThrow(thrown) ||
  (thrown instanceof Error && (raised.has(thrown) || (machine.run.isRaisedByText?.(thrown) ?? true)));

/** The stack trace of something thrown, also of what has none of its own (`throw 'no data'`); empty if there is none. */
export function stackOf(value: unknown): string {
  if (value instanceof Error) return wordOf(value, 'stack') ?? '';
  return isOwnThrow(value) ? (machine.thrown?.stack ?? '') : '';
}
