/** Checks of the files a command is given, before anything long is started. */
import { accessSync, constants, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { atomicWrite } from '../host/atomic-write.ts';
import { nearest } from '../runtime/errors.ts';
import { UsageError } from './arguments.ts';
import { makeFolder } from './make-folder.ts';
import { STDOUT, write } from './streams.ts';

const ENDINGS = ['.wppl', '.ts', '.js'];

/** Throws unless the file can be read and is of a kind that holds programs. */
export function checkProgramFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw new UsageError(`There is no file ${file}.${similarFile(file)}`);
  if (stats.isDirectory()) throw new UsageError(`${file} is a folder; give a program's file.`);
  if (!stats.isFile()) throw new UsageError(`${file} is a pipe or a device; give a program's file.`);
  if (!ENDINGS.includes(extname(file))) {
    throw new UsageError(`${file} does not end in .wppl, .ts or .js, the kinds of programs that Waymark runs.`);
  }
  if (!permitted(file, constants.R_OK)) throw new UsageError(`${file} may not be read; change its permissions.`);
}

/** Throws unless the file can be created or overwritten, as far as that can be known without doing so. */
export function checkOutputFile(option: string, file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw new UsageError(`${option} ${file} is a folder; give a file to write.`);
  const folder = dirname(file);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) throw new UsageError(`${option} ${file} cannot be written: there is no folder ${folder}.`);
  if (!permitted(stats === undefined ? folder : file, constants.W_OK)) {
    throw new UsageError(`${option} ${file} cannot be written: its permissions do not allow it.`);
  }
}

/** What says that nothing can be put in a file's place, though the file itself may take it. */
const FIXED = new Set(['EACCES', 'EPERM', 'EBUSY', 'EXDEV', 'ERR_ACCESS_DENIED']);

/** Replaces a file as a whole, where its folder allows that. Returns what went wrong, if anything did. */
export function writeOutput(file: string, content: string | Uint8Array): string | undefined {
  try {
    try {
      atomicWrite(file, content);
    } catch (error) {
      // A file that is mounted, or in a folder that takes no new ones: better written in place than lost.
      if (!FIXED.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      writeFileSync(file, content);
    }
    return undefined;
  } catch (error) {
    return `${file} could not be written: ${whyNotWritten(error)}.`;
  }
}

/** In words, and without names that the user has not given. */
export function whyNotWritten(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return 'its folder takes no files of that name';
    case 'EACCES':
    case 'EPERM':
    case 'ERR_ACCESS_DENIED':
      return 'there is no permission to do so';
    case 'EEXIST':
    case 'ENOTDIR':
      return 'there is a file of that name';
    case 'EROFS':
      return 'it is on a disk that may only be read';
    case 'ENOSPC':
      return 'the disk is full';
    case 'ENAMETOOLONG':
      return 'the name is too long';
    default:
      return (error as Error).message;
  }
}

/** A result where `--json` says: in a file, or on stdout. */
export function writeJson(json: string, text: string): string | undefined {
  if (json !== '-') return writeOutput(json, `${text}\n`);
  write(STDOUT, `${text}\n`);
  return undefined;
}

function permitted(file: string, mode: number): boolean {
  try {
    accessSync(file, mode);
    return true;
  } catch {
    return false;
  }
}

/** Endings are left out of the comparison, or short names would all look alike. */
function similarFile(file: string): string {
  const ending = extname(file);
  const stem = (name: string) => basename(name, ending);
  try {
    const programs = readdirSync(dirname(file)).filter((name) => extname(name) === ending && ENDINGS.includes(ending));
    const similar = nearest(stem(file), programs.map(stem));
    return similar === undefined ? '' : ` Did you mean '${similar}${ending}'?`;
  } catch {
    return '';
  }
}

/** Makes the folder unless it is there; throws if it cannot be made or written to. */
export function makeOutputFolder(option: string, folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw new UsageError(`${option} ${folder} cannot be made: ${whyNotWritten(error)}.`);
  }
  if (!permitted(folder, constants.W_OK)) {
    throw new UsageError(`${option} ${folder} cannot be written to: its permissions do not allow it.`);
  }
}
