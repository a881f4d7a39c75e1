/** Where things without a stack of their own (`throw 'no data'`) were thrown. */

import { throwing } from '../runtime/throwing.ts';

let last: { readonly value: unknown; readonly stack: string } | undefined;

/** Passes on what a program throws, so that its own `catch` sees the very same value. */
export function thrown(value: unknown): unknown {
  throwing.value = value;
  if (!(value instanceof Error)) last = { value, stack: new Error().stack ?? '' };
  return value;
}

/** The stack trace of something thrown, empty if there is none. */
export function stackOf(value: unknown): string {
  if (value instanceof Error) return value.stack ?? '';
  return last !== undefined && Object.is(last.value, value) ? last.stack : '';
}
