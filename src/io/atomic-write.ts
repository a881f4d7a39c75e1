import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Replaces a file as a whole: whatever happens, even loss of power, afterwards it is either the old one or the new
 * one. The text is written beside it, flushed to disk and moved into place.
 */
export function atomicWrite(file: string, bytes: Uint8Array): void {
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}.draft`);
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
