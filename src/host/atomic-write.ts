import {
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { nodeThreads } from './node-threads.ts';
import { isRunning } from './system.ts';

const draftOf = (file: string, writer: string): string => `.${basename(file)}.${writer}.draft`;

/** Of a file's permissions, without its kind. */
const PERMISSIONS = 0o777;

/** What is written if `file` is: what a link stands for is replaced, not the link. */
export function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/**
 * Replaces a file as a whole: whatever happens, even loss of power, afterwards it is either the old one or the new one. The
 * bytes are written beside it, flushed to disk and moved into place. The file's permissions stay as they were. What is no
 * file (a pipe, a terminal, `/dev/null`) is written to, and so is what is open already (`/dev/stdout`). Files that can be made again need not be `durable`.
 */
export function atomicWrite(file: string, content: Uint8Array | string, { durable = true } = {}): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const before = statSync(file, { throwIfNoEntry: false });
  if (before !== undefined && !before.isFile()) {
    if (before.isFIFO()) writeToPipe(file, bytes);
    else writeFileSync(file, bytes);
    return;
  }
  const open = descriptorOf(file);
  if (open !== undefined) {
    writeFileSync(open, bytes);
    return;
  }
  const place = targetOf(file);
  const draft = join(dirname(place), draftOf(place, `${process.pid}-${nodeThreads().threadId}`));
  try {
    writeDraft(draft, bytes, before, durable);
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

const STANDARD: ReadonlyMap<string, number> = new Map([
  ['/dev/stdout', 1],
  ['/dev/stderr', 2],
]);

/** The open file that a name stands for. Others write to it, too, and would go on in the one that was replaced. */
function descriptorOf(file: string): number | undefined {
  const number = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(file)?.[1];
  return number === undefined ? STANDARD.get(file) : Number(number);
}

/** Opening a pipe that no process reads from would wait for one, for ever if there never is one. */
function writeToPipe(pipe: string, bytes: Uint8Array): void {
  let held: number;
  try {
    held = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
    throw new Error('it is a pipe that no process reads from');
  }
  try {
    writeFileSync(pipe, bytes);
  } finally {
    closeSync(held);
  }
}

function writeDraft(draft: string, bytes: Uint8Array, before: Stats | undefined, durable: boolean): void {
  const descriptor = openSync(draft, 'w');
  try {
    let written = 0;
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    if (durable) flush(descriptor);
  } finally {
    closeSync(descriptor);
  }
  if (before !== undefined) chmodSync(draft, before.mode & PERMISSIONS);
}

function flush(descriptor: number): void {
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // In a sandbox Node does not flush; the main thread does, when it brings outputs to their places.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ACCESS_DENIED') throw error;
  }
}

/** Removes what processes that were killed while they wrote the file have left beside it. */
export function removeDrafts(file: string): void {
  const folder = dirname(file);
  const [before, after] = draftOf(file, '*').split('*');
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(before) || !name.endsWith(after)) continue;
    const writer = /^(\d+)(-\d+)?$/.exec(name.slice(before.length, -after.length));
    if (writer !== null && !isRunning(Number(writer[1]))) rmSync(join(folder, name), { force: true });
  }
}
