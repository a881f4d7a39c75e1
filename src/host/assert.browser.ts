/** What programs use of Node's `assert`, where there is none. */
import isEqual from 'lodash/isEqual.js';

class AssertionError extends Error {
  override name = 'AssertionError';
}

type Message = string | Error | undefined;

function check(holds: boolean, message: Message, otherwise: () => string): void {
  if (holds) return;
  throw message instanceof Error ? message : new AssertionError(message ?? otherwise());
}

function shown(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

const versus = (a: unknown, b: unknown, what: string) => () => `Expected ${shown(a)} ${what} ${shown(b)}`;

function ok(value: unknown, message?: Message): void {
  check(Boolean(value), message, () => `The assertion does not hold: ${shown(value)}`);
}

export const assert = Object.assign((value: unknown, message?: Message) => ok(value, message), {
  AssertionError,
  ok,
  equal: (a: unknown, b: unknown, message?: Message) =>
    // biome-ignore lint/suspicious/noDoubleEquals: that is what `assert.equal` means
    check(a == b || (Number.isNaN(a) && Number.isNaN(b)), message, versus(a, b, 'to equal')),
  notEqual: (a: unknown, b: unknown, message?: Message) =>
    // biome-ignore lint/suspicious/noDoubleEquals: likewise
    check(a != b, message, versus(a, b, 'not to equal')),
  strictEqual: (a: unknown, b: unknown, message?: Message) => check(Object.is(a, b), message, versus(a, b, 'to be')),
  notStrictEqual: (a: unknown, b: unknown, message?: Message) =>
    check(!Object.is(a, b), message, versus(a, b, 'not to be')),
  deepEqual: (a: unknown, b: unknown, message?: Message) => check(isEqual(a, b), message, versus(a, b, 'to equal')),
  deepStrictEqual: (a: unknown, b: unknown, message?: Message) =>
    check(isEqual(a, b), message, versus(a, b, 'to equal')),
  notDeepEqual: (a: unknown, b: unknown, message?: Message) =>
    check(!isEqual(a, b), message, versus(a, b, 'not to equal')),
  fail: (message?: Message) => check(false, message, () => 'Failed'),
  throws(action: () => unknown, message?: Message): void {
    try {
      action();
    } catch {
      return;
    }
    check(false, message, () => 'Expected the function to throw');
  },
});
