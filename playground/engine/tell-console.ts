/** `console.log` and its kin of a program, which belong to its outputs. */
import { show } from '../../src/library/show/value.ts';
import type { Mouth } from './mouth.ts';

const words = (values: readonly unknown[]): string => values.map(show).join(' ');

export function tellConsole(mouth: Mouth): void {
  const print = (...values: unknown[]) => mouth.output(words(values));
  const warn = (...values: unknown[]) => mouth.warn(words(values));
  Object.assign(console, { log: print, info: print, debug: print, warn, error: warn });
}
