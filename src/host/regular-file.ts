import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Thrown where a path leads to something that is not a file: a pipe would be waited for, a device may never end. */
export class NotAFile extends Error {
  constructor(what: string) {
    super(what);
  }
}

/** Told of each file that is read; set by `--watch`. */
export const reading: { told?: (place: string) => void } = {};

/**
 * The bytes of a file. Reading never waits for a writer: what is behind the path is looked at after it has been opened, so that
 * nothing can take its place in between.
 */
export function readRegularFile(place: string): Buffer {
  reading.told?.(place);
  // Without this, opening a pipe waits for a writer. Windows has no such pipes.
  const descriptor = openSync(place, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) throw Object.assign(new Error(`${place} is a folder`), { code: 'EISDIR' });
    if (!stats.isFile()) throw new NotAFile(`${place} is ${stats.isFIFO() ? 'a pipe' : 'a device'}, not a file`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
