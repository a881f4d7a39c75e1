import { resolve } from '../host/path.ts';
import { LONGEST_TEXT } from '../host/system.ts';
import { MOST_UNPACKED, unpacked } from '../host/unpacking.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { machine } from '../runtime/machine.ts';
import { noteFileRead } from './files-read.ts';
import { readOnce } from './read-once.ts';

/** A data file: its name as the program gave it, and its bytes, unpacked if it was gzipped. */
interface DataFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Reads a file relative to the folder of the run. `caller` is named in errors. */
export function readDataFile(caller: string, path: unknown): DataFile {
  if (typeof path !== 'string' || path === '') {
    throw new WaymarkError(`${caller} needs the path of a file, got ${describe(path)}.`);
  }
  const bytes = givenBytes(path) ?? bytesOnDisk(caller, path);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    if (!/\.gz$/i.test(path)) return { name: path, bytes };
    throw new WaymarkError(
      `${caller}: '${path}' is not gzipped, though its name says so: it begins with ${hex(bytes, 2)}, not with 1f 8b. ` +
        'Fetch the file again, or give it another name.',
    );
  }
  try {
    return { name: path.replace(/\.gz$/i, ''), bytes: unpacked(bytes) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'NO_UNPACKING') {
      throw new WaymarkError(`${caller}: '${path}' is gzipped, and pages cannot unpack files. Unpack it first.`);
    }
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      throw new WaymarkError(
        `${caller}: '${path}' unpacks to more than ${MOST_UNPACKED / 2 ** 20} MB. Keep what is needed of it in a smaller file.`,
      );
    }
    throw new WaymarkError(`${caller}: '${path}' is gzipped, but damaged or cut short. Fetch the file again.`);
  }
}

/** What the run was given under this name. */
function givenBytes(path: string): Uint8Array | undefined {
  const { files } = machine.run;
  if (files === undefined || !Object.hasOwn(files, path)) return undefined;
  const content = files[path];
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

function bytesOnDisk(caller: string, path: string): Uint8Array {
  const place = resolve(machine.run.folder, path);
  try {
    const bytes = readOnce(place);
    noteFileRead(path, place);
    return bytes;
  } catch (error) {
    throw new WaymarkError(`${caller} cannot read '${path}': ${whyNot('read', error, place)}.`);
  }
}

const NOT_READ_IN_PAGES =
  'a page has no files of its own. Add it with Data in the playground, with the option files of run in an app, or import it';
const NOT_WRITTEN_IN_PAGES = 'a page has no files. Display what is to be kept, or let it be the value of the program';

/** Completes "cannot read …:" or "cannot write …:". */
export function whyNot(action: 'read' | 'write', error: unknown, place: string): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return `there is no file ${place}. Paths are relative to the folder of the program`;
    case 'EISDIR':
      return `${place} is a folder`;
    case 'EACCES':
    case 'EPERM':
      return `there is no permission to ${action} ${place}`;
    case 'EROFS':
      return `${place} is on a disk that may only be read`;
    case 'ERR_ACCESS_DENIED':
      return `the sandbox does not allow to ${action} ${place}`;
    case 'ERR_FS_FILE_TOO_LARGE':
      return `${place} has more than 2 GB`;
    case 'NO_FILES':
      return action === 'read' ? NOT_READ_IN_PAGES : NOT_WRITTEN_IN_PAGES;
    case 'ENOSPC':
      return 'the disk is full';
    default:
      return (error as Error).message;
  }
}

/** The first bytes, as messages show them. */
export function hex(bytes: Uint8Array, count: number): string {
  if (bytes.length === 0) return 'nothing';
  return Array.from(bytes.subarray(0, count), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}

/** True of bytes that no text contains. */
const isControl = (byte: number): boolean => byte < 9 || (byte > 13 && byte < 32 && byte !== 27);

/** UTF-8 text, without a byte order mark. */
export function textOf(caller: string, { name, bytes }: DataFile): string {
  if (bytes.length > LONGEST_TEXT) {
    throw new WaymarkError(
      `${caller}: '${name}' has ${Math.round(bytes.length / 2 ** 20)} MB; a file of text may have ` +
        `${Math.floor(LONGEST_TEXT / 2 ** 20)}. Divide it into several files.`,
    );
  }
  const place = bytes.findIndex(isControl);
  if (place >= 0) {
    throw new WaymarkError(
      `${caller}: '${name}' is not text: its byte ${place} is ${hex(bytes.subarray(place), 1)} (hexadecimal).`,
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new WaymarkError(`${caller}: '${name}' is not text in UTF-8.`);
  }
}
