/**
 * Files of compiled code. V8 believes what it is given, and damaged code can end the process; so each file says which V8
 * and which source its code is for, and a file that does not agree is not used. There are two folders: the build's,
 * beside its scripts, and one of the user's, for what is compiled on their machine.
 */
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import * as zlib from 'node:zlib';
import { atomicWrite } from '../../host/atomic-write.ts';
import { crc32 } from '../../io/crc32.ts';
import { makeFolder } from '../make-folder.ts';

const versionNow = (): string => `${process.arch}-${cachedDataVersionTag().toString(16)}`;

let known: string | undefined;

/** The V8, its settings and the kind of processor that code is for: as they are when this is first asked. */
export const version = (): string => {
  known ??= versionNow();
  return known;
};

/** The settings of V8 have changed: code that is kept from now on is for the new ones. */
export function forgetVersion(): void {
  known = undefined;
}

/** Whether code that is compiled now is for that version. */
export const isStill = (one: string): boolean => versionNow() === one;

/** Node's own is many times faster, where it has one: from 20.15 on. */
const checksum: (bytes: Uint8Array) => number = 'crc32' in zlib ? (zlib.crc32 as typeof crc32) : crc32;

/**
 * A file begins with numbers of four bytes: what it is, checksums of the version, the source and the code, and their lengths; what programs
 * have been doing that it was compiled for (a bit each), and a checksum of that.
 */
const HEADER = 32;
const MARK = 0x314d4b57;

const headerFor = (source: Uint8Array, code: Uint8Array, words: number): Uint32Array =>
  Uint32Array.of(
    MARK,
    checksum(Buffer.from(version())),
    checksum(source),
    source.length,
    checksum(code),
    code.length,
    words,
    checksum(Buffer.from(String(words))),
  );

/** The file for code compiled from a source. */
export function sealed(source: Uint8Array, code: Uint8Array, words = 0): Buffer {
  return Buffer.concat([new Uint8Array(headerFor(source, code, words).buffer), code]);
}

/** The code in a file and what it was compiled for, if it is whole, and was compiled by this V8 from this source. */
export function unsealed(file: Buffer, source: Uint8Array): { code: Buffer; words: number } | undefined {
  if (file.length <= HEADER) return undefined;
  const code = file.subarray(HEADER);
  const [words] = new Uint32Array(new Uint8Array(file.subarray(HEADER - 8, HEADER - 4)).buffer);
  const expected = new Uint8Array(headerFor(source, code, words).buffer);
  return file.subarray(0, HEADER).equals(expected) ? { code, words } : undefined;
}

/** What is in a file of this user's, if there is one: others might have put there what they like. */
export function ownFile(file: string): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return undefined;
  }
  try {
    const { uid } = fstatSync(descriptor);
    return process.getuid === undefined || uid === process.getuid() ? readFileSync(descriptor) : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** The user's folder for compiled code; undefined if there is none, or `WAYMARK_CACHE=off` forbids it. */
export function userFolder(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const wish = env.WAYMARK_CACHE;
  if (wish === 'off') return undefined;
  if (wish !== undefined && wish !== '') return wish;
  const given = process.platform === 'win32' ? env.LOCALAPPDATA : env.XDG_CACHE_HOME;
  if (given !== undefined && isAbsolute(given)) return join(given, 'waymark');
  let home: string;
  try {
    home = homedir();
  } catch {
    return undefined;
  }
  if (!isAbsolute(home)) return undefined;
  return join(home, process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'waymark');
}

/** So many files are kept in the user's folder: a few versions of Waymark have room. */
const MOST_FILES = 64;

/** Makes the folder with the given permissions unless it is there; false if it cannot be written to. */
export function canStore(folder: string, mode: number): boolean {
  try {
    makeFolder(folder, mode);
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Keeps code in a folder. Where that cannot be, nothing happens: it would only have saved time. */
export function store(folder: string, files: ReadonlyMap<string, Uint8Array>): void {
  try {
    for (const [name, content] of files) atomicWrite(join(folder, name), content, { durable: false });
    removeOldest(folder);
  } catch {
    // A full disk, or another process that tidies the folder.
  }
}

function removeOldest(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= MOST_FILES) return;
  const ages = names.map((name) => ({
    name,
    at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  ages.sort((a, b) => b.at - a.at);
  for (const { name } of ages.slice(MOST_FILES)) rmSync(join(folder, name), { force: true });
}
