/**
 * Writing to stdout and stderr from the program's thread. Node would hand every piece to the main thread and keep
 * it waiting while the program computes; writing to the file descriptor shows it at once, in order, and loses
 * nothing when the thread ends.
 */
import { writeSync } from 'node:fs';

export const STDOUT = 1;
export const STDERR = 2;

/** Whether this process writes: of several ranks only one does. */
let speaks = true;

export function stopSpeaking(): void {
  speaks = false;
}

export function speakAgain(): void {
  speaks = true;
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Bytes by descriptor. */
export type Written = readonly number[];

/** How much was written so far; and how much is not to be written, because it was before. */
const written = [0, 0, 0];
let already = [0, 0, 0];

export const writtenSoFar = (): Written => [...written];

/** Tells that a second run writes the same again from the start, of which so much was written before. */
export function goOnAfter(earlier: Written): void {
  already = [...earlier];
}

/** Writes all of it before it returns. A reader that went away (`| head`) ends the program quietly. */
export function write(descriptor: number, content: string | Uint8Array): void {
  if (!speaks) return;
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const known = Math.min(already[descriptor], bytes.length);
  already[descriptor] -= known;
  written[descriptor] += bytes.length;
  writeAside(descriptor, bytes.subarray(known));
}

/** The same for progress, which depends on time, and so is not counted as written. */
export function writeAside(descriptor: number, content: Uint8Array): void {
  let bytes = content;
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(descriptor, bytes));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EAGAIN') Atomics.wait(pause, 0, 0, 1);
      else if (code !== 'EPIPE') throw error;
      else if (descriptor === STDERR) return;
      else process.exit(0);
    }
  }
}

/** Makes `console` and `process.stdout` of this thread write that way, after telling `before`. */
export function redirectConsole(stdout: number, before?: () => void): void {
  redirect('stdout', stdout, before);
  redirect('stderr', STDERR, before);
}

/** When the stream is first asked for: few programs do, and Node takes a millisecond to make one. */
function redirect(name: 'stdout' | 'stderr', descriptor: number, before: (() => void) | undefined): void {
  const own = Object.getOwnPropertyDescriptor(process, name);
  let stream: NodeJS.WriteStream | undefined;
  Object.defineProperty(process, name, {
    ...{ configurable: true, enumerable: own?.enumerable ?? true },
    get() {
      if (stream === undefined) {
        stream = (own?.get?.call(process) ?? own?.value) as NodeJS.WriteStream;
        redirectStream(stream, descriptor, before);
      }
      return stream;
    },
  });
}

function redirectStream(stream: NodeJS.WriteStream, descriptor: number, before: (() => void) | undefined): void {
  stream.write = (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | ((error?: Error | null) => void),
    done?: (error?: Error | null) => void,
  ): boolean => {
    before?.();
    write(descriptor, typeof chunk === 'string' && typeof encoding === 'string' ? Buffer.from(chunk, encoding) : chunk);
    (typeof encoding === 'function' ? encoding : done)?.();
    return true;
  };
}
