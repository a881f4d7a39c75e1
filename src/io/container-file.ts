/** Files in the container format: read with a clear word about what is wrong with them, written as a whole. */

import { atomicWrite, targetOf } from '../host/atomic-write.ts';
import { accessSync, constants, statSync } from '../host/fs.ts';
import { dirname } from '../host/path.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { isFirst } from '../runtime/team.ts';
import { type Contents, DamagedContainer, decodeContainer, encodeContainer } from './container.ts';
import { whyNot } from './read-file.ts';
import { readOnce } from './read-once.ts';

/** A file as errors speak of it: the function that reads it, its name as given, and its path. */
export interface NamedFile {
  readonly caller: string;
  readonly name: string;
  readonly place: string;
}

/** The bytes of a file; undefined if there is none. */
export function bytesOf({ caller, name, place }: NamedFile): Uint8Array | undefined {
  try {
    return readOnce(place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new WaymarkError(`${caller} cannot read '${name}': ${whyNot('read', error, place)}.`);
  }
}

/** The contents of a file of the given kind. A damaged one, and one of another kind, is an error. */
export function readContainer(file: NamedFile, bytes: Uint8Array, kind: string): Contents {
  const { caller, name } = file;
  let contents: Contents;
  try {
    contents = decodeContainer(bytes);
  } catch (error) {
    if (!(error instanceof DamagedContainer)) throw error;
    throw new WaymarkError(`${caller} cannot use '${name}': ${error.message}.`);
  }
  if (contents.kind === kind) return contents;
  throw new WaymarkError(`${caller} needs a file of kind '${kind}', and '${name}' is of kind '${contents.kind}'.`);
}

export function writeContainer(file: NamedFile, contents: Contents): void {
  writeFile(file, encodeContainer(contents));
}

/** Replaces the file as a whole. Of several ranks the first does. */
export function writeFile(file: NamedFile, bytes: Uint8Array): void {
  if (!isFirst()) return;
  checkWritable(file);
  try {
    atomicWrite(file.place, bytes);
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

/** Throws unless the file can be written, as far as that can be known without doing so. */
export function checkWritable(file: NamedFile): void {
  const { place } = file;
  const stats = statSync(place, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw cannotWrite(file, Object.assign(new Error(), { code: 'EISDIR' }));
  try {
    if (stats !== undefined) accessSync(place, constants.W_OK);
    accessSync(dirname(targetOf(place)), constants.W_OK);
  } catch (error) {
    // A sandbox may let the file be written, and its folder not be looked at.
    if ((error as NodeJS.ErrnoException).code === 'ERR_ACCESS_DENIED') return;
    throw cannotWrite(file, error);
  }
}

function cannotWrite({ caller, name, place }: NamedFile, error: unknown): WaymarkError {
  const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  const reason = missing ? `there is no folder ${dirname(place)}` : whyNot('write', error, place);
  return new WaymarkError(`${caller} cannot write '${name}': ${reason}.`);
}
