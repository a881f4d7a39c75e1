/** Links in folders that a program may read: Node follows them wherever they lead. */
import { type Dirent, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from './arguments.ts';

/** The most files that are looked at: a program in a sandbox belongs in a folder of its own. */
const MOST_ENTRIES = 100_000;

/** Throws if a link in one of the folders leads out of all of them. */
export function refuseOutwardLinks(folders: readonly string[]): void {
  const isWithin = (path: string): boolean =>
    folders.some((folder) => path === folder || path.startsWith(join(folder, '/')));
  const waiting = [...folders];
  let entries = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of entriesOf(folder)) {
      if (++entries > MOST_ENTRIES) {
        throw new UsageError(
          `--sandbox looks through what the program may read, and there are more than ${MOST_ENTRIES} files. ` +
            'Put the program in a folder of its own.',
        );
      }
      const path = join(folder, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      if (!entry.isSymbolicLink()) continue;
      const end = endOf(path);
      if (end !== undefined && !isWithin(end)) {
        throw new UsageError(
          `--sandbox: ${path} is a link to ${end}, which the program may not read. Remove the link, or name what it ` +
            'leads to with --allow-read.',
        );
      }
    }
  }
}

/** Nothing, where the command itself may not look: the program may not either. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Where a link leads; undefined if that is nowhere. */
function endOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
