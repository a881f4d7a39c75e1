import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const draftOf = (file: string, process: number | string): string => `.${basename(file)}.${process}.draft`;

/**
 * Replaces a file as a whole: whatever happens, even loss of power, afterwards it is either the old one or the new
 * one. The text is written beside it, flushed to disk and moved into place.
 */
export function atomicWrite(file: string, bytes: Uint8Array): void {
  const draft = join(dirname(file), draftOf(file, process.pid));
  try {
    const descriptor = openSync(draft, 'w');
    try {
      let written = 0;
      while (written < bytes.length) written += writeSync(descriptor, bytes, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Removes what processes that were killed while they wrote the file have left beside it. */
export function removeDrafts(file: string): void {
  const folder = dirname(file);
  const [before, after] = draftOf(file, '*').split('*');
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(before) || !name.endsWith(after)) continue;
    const writer = Number(name.slice(before.length, -after.length));
    if (Number.isInteger(writer) && !isRunning(writer)) rmSync(join(folder, name), { force: true });
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
