/** What was typed in earlier sessions. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeOutput } from './files.ts';
import { makeFolder } from './make-folder.ts';

/** Lines that are kept. */
export const HISTORY = 1000;

const file = (): string =>
  join(process.env.XDG_STATE_HOME || join(homedir(), '.local/state'), 'waymark', 'repl-history');

/** The newest first, as readline has it. */
export function readHistory(): string[] {
  try {
    return readFileSync(file(), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .slice(0, HISTORY);
  } catch {
    return [];
  }
}

/** Nothing is said if the history cannot be kept. */
export function keepHistory(lines: readonly string[]): void {
  try {
    makeFolder(dirname(file()));
    writeOutput(file(), `${lines.slice(0, HISTORY).join('\n')}\n`);
  } catch {
    // A home that cannot be written to.
  }
}
