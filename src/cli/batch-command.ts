import { createInterface } from 'node:readline';
import type { Worker } from 'node:worker_threads';
import { number, UsageError } from './arguments.ts';
import { readBatchLine } from './batch-line.ts';
import { command } from './command.ts';
import { failure } from './failure.ts';
import { type BatchJob, type BatchMessage, type BatchProgram, READY } from './jobs.ts';
import { commonOptions, engineOf, engineOptions } from './settings.ts';
import { STDOUT, write } from './streams.ts';
import { ending, startThread } from './thread.ts';

export const batchCommand = command({
  summary: 'run many programs, one per line of stdin',
  usage: '[options] < PROGRAMS > RESULTS',
  details: [
    'Reads lines {"id", "code", "seed"}, where code is the text of a .wppl program, and writes for each, in order, one line',
    '{"id", "ok": true, "value", "outputs"} or {"id", "ok": false, "error": {"message", "file", "line", "column"}}.',
    'A program that fails does not stop the others. What programs print themselves (console.log) goes to stderr.',
  ],
  options: {
    timeout: number('timeout', 'a number of seconds greater than 0', (n) => n > 0 && n < Infinity, 'seconds after which a program is given up'), // biome-ignore format: one row
    ...engineOptions,
    ...commonOptions,
  },

  async run({ settings, operands }) {
    if (operands.length > 0) {
      throw new UsageError(`waymark batch reads programs from stdin, got ${operands[0]}. Use waymark batch < FILE.`);
    }
    const { quiet = false, timeout } = settings;
    const runner = new BatchRunner({ kind: 'batch', engine: engineOf(settings), quiet }, timeout);
    let lineNumber = 0;
    for await (const text of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
      lineNumber++;
      if (text.trim() === '') continue;
      const { id, program } = readBatchLine(text, lineNumber);
      const result =
        'problem' in program
          ? failure(program.problem, { file: 'stdin', line: lineNumber, column: 1 })
          : await runner.run(program);
      // The result is an object as text already; the id goes in front of its fields.
      write(STDOUT, `{"id":${JSON.stringify(id)},${result.slice(1)}\n`);
    }
    await runner.close();
    return 0;
  },
});

/** Runs programs one by one in a thread, and starts another when a program brings the thread down. */
class BatchRunner {
  private thread: BatchThread | null = null;

  constructor(
    private readonly job: BatchJob,
    private readonly timeout: number | undefined,
  ) {}

  /** The result of the program, as text. */
  run(program: BatchProgram): Promise<string> {
    if (this.thread === null || this.thread.over) this.thread = new BatchThread(this.job);
    return this.thread.run(program, this.timeout);
  }

  async close(): Promise<void> {
    await this.thread?.end();
  }
}

class BatchThread {
  over = false;
  private readonly thread: Worker;
  /** Resolves when the thread listens: the time it takes to start is not the program's. */
  private readonly ready: Promise<void>;
  private answer: (result: string) => void = () => {};

  constructor(job: BatchJob) {
    this.thread = startThread(job);
    this.ready = new Promise((resolve) => {
      this.thread.on('message', (message: BatchMessage) => {
        if (message === READY) resolve();
        else this.answer(message);
      });
      // A thread that ends before it listens is answered for below.
      this.thread.once('exit', () => resolve());
    });
    ending(this.thread).then((end) => {
      this.over = true;
      this.answer(
        failure('fault' in end ? end.fault : `The program ended its own thread, with exit code ${end.code}.`),
      );
    });
  }

  async run(program: BatchProgram, timeout: number | undefined): Promise<string> {
    const answered = new Promise<string>((resolve) => {
      this.answer = resolve;
    });
    await this.ready;
    const timer = timeout === undefined ? undefined : setTimeout(() => this.giveUp(timeout), timeout * 1000);
    this.thread.postMessage(program);
    const result = await answered;
    clearTimeout(timer);
    return result;
  }

  async end(): Promise<void> {
    await this.thread.terminate();
  }

  private giveUp(timeout: number): void {
    this.answer(failure(`The program was given up after ${timeout} seconds.`));
    this.over = true;
    this.thread.terminate();
  }
}
