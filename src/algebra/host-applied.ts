/** Host code that is called with plain values of the program: where it fails, the error is the program's. */
import { fieldOf, forProgram, ofProgram } from '../runtime/throwing.ts';
import type { Fn } from './domain.ts';

/** `object[key]`, which is going to be called. */
export function functionAt(object: unknown, key: unknown): Fn {
  const fn = fieldOf(object, key);
  if (typeof fn !== 'function') throw ofProgram(new TypeError(`${String(key)} is not a function`));
  return fn as Fn;
}

/** Calls host code with plain values, and with no function of the program. */
export const applied = forProgram((fn: Fn, self: unknown, args: unknown[]) => fn.apply(self, args));
export const constructed = forProgram((callee: new (...args: unknown[]) => unknown, args: unknown[]) =>
  Reflect.construct(callee, args),
);
