/** Whether a descriptor is a terminal. Node's own answer loads sockets too, which is some milliseconds of every run that has none. */
import { fstatSync } from 'node:fs';
import { createRequire } from 'node:module';

export function isTerminal(descriptor: number): boolean {
  try {
    if (!fstatSync(descriptor).isCharacterDevice()) return false;
  } catch {
    // A descriptor that is closed, or of a kind that Node does not know.
  }
  return (createRequire(import.meta.url)('node:tty') as typeof import('node:tty')).isatty(descriptor);
}
