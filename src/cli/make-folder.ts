import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those above it that are missing. Node's own way (`recursive`) never ends where a file system
 * takes no folders and says that there is none above, as /proc does.
 */
export function makeFolder(folder: string, mode?: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    const above = dirname(folder);
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' && above !== folder;
    if (isMissing && statSync(above, { throwIfNoEntry: false }) === undefined) {
      makeFolder(above, mode);
      makeFolder(folder, mode);
    } else if (!isFolder(folder, error)) throw error;
  }
}

/** Whether a folder could not be made because it is there: what is not allowed (in a sandbox) is an error all the same. */
const isFolder = (folder: string, error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'EEXIST' && statSync(folder).isDirectory();
