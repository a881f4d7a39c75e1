/**
 * Writing to stdout and stderr from the program's thread. Node would hand every piece to the main thread and keep
 * it waiting while the program computes; writing to the file descriptor shows it at once, in order, and loses
 * nothing when the thread ends.
 */
import { writeSync } from 'node:fs';

export const STDOUT = 1;
export const STDERR = 2;

/** Whether this process speaks: of several ranks one does. */
let speaks = true;

export function stopSpeaking(): void {
  speaks = false;
}

export function speakAgain(): void {
  speaks = true;
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Writes all of it before it returns. A reader that went away (`| head`) ends the program quietly. */
export function write(descriptor: number, content: string | Uint8Array): void {
  if (!speaks) return;
  let bytes = typeof content === 'string' ? Buffer.from(content) : content;
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
  redirect(process.stdout, stdout, before);
  redirect(process.stderr, STDERR, before);
}

function redirect(stream: NodeJS.WriteStream, descriptor: number, before: (() => void) | undefined): void {
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
