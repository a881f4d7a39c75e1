/** What a process writes to stderr, without what V8 writes when it gives up. */
import { STDERR, write } from './streams.ts';

/** How V8's account of its end begins, and how it names the reason; the place in V8's own source says nothing. */
const FATAL = /^(?:FATAL ERROR: |# (?=Fatal (?!error in )))(.*)/;
const BEGINS = /^(?:<--- Last few GCs|#$|FATAL ERROR: |# Fatal )/;

/**
 * Lines are passed on as they come. One that looks like V8's last account is held back, with what follows: if the process
 * goes on, it was the program's and is passed on then.
 */
export class ErrorOutput {
  private part = '';
  private held = '';
  private holding = false;
  /** Empty lines, with which an account may begin. */
  private blank = '';
  /** Why V8 gave up, if it did. */
  lastWords: string | undefined;

  constructor(stream: NodeJS.ReadableStream) {
    stream.setEncoding('utf8').on('data', (text: string) => this.add(text));
    stream.on('end', () => {
      if (this.lastWords === undefined) this.release();
    });
  }

  /** The process is still there: all that it wrote is the program's. */
  release(): void {
    const text = this.blank + this.held + this.part;
    this.blank = '';
    this.part = '';
    this.held = '';
    this.holding = false;
    this.lastWords = undefined;
    if (text !== '') write(STDERR, text);
  }

  private add(text: string): void {
    const lines = (this.part + text).split('\n');
    this.part = lines.pop() as string;
    let passed = '';
    for (const line of lines) {
      this.holding ||= BEGINS.test(line);
      if (this.holding) {
        this.held += `${this.blank}${line}\n`;
        this.blank = '';
        this.lastWords ??= FATAL.exec(line)?.[1];
      } else if (line === '') this.blank += '\n';
      else {
        passed += `${this.blank}${line}\n`;
        this.blank = '';
      }
    }
    if (passed !== '') write(STDERR, passed);
  }
}
