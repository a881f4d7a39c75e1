/**
 * The process that programs of a batch run in, seen from outside: another is started where one of them has ended it.
 *
 * **Batches.** Programs of `waymark batch` run in a thread of a process of their own (`cli/batch-child.ts`), since there are programs
 * that end any process; `cli/batch-process.ts` answers for those and starts another. After each program the objects that all
 * share are compared with what they were (`cli/surroundings.ts`), and a thread in which they differ is not used again.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ErrorOutput } from './error-output.ts';
import { failure } from './failure.ts';
import type { BatchAnswer, BatchProgram, BatchSettings } from './jobs.ts';

/** Beside this file in the build. */
const CHILD_FILE = './batch-child.cjs';
/** A program that could not be given up from inside is ended with its process, so many seconds later. */
const GRACE_S = 5;

export class BatchProcess {
  private child: Child;

  constructor(private readonly settings: BatchSettings) {
    this.child = new Child(settings);
  }

  /** The result of the program, as text. */
  async run(program: BatchProgram): Promise<string> {
    const result = await this.child.run(program);
    if (this.child.over) this.child = new Child(this.settings);
    return result;
  }

  close(): Promise<void> {
    return this.child.end();
  }
}

class Child {
  over = false;
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private readonly errors: ErrorOutput;
  private answer: (result: string) => void = () => {};
  private number = 0;
  private timer: NodeJS.Timeout | undefined;
  private givenUp = false;

  constructor(private readonly settings: BatchSettings) {
    // stdout belongs to the results: what is written there by other means than the console goes to stderr too.
    this.child = fork(fileURLToPath(new URL(CHILD_FILE, import.meta.url)), [JSON.stringify(settings)], {
      stdio: ['ignore', 2, 'pipe', 'ipc'],
    });
    this.errors = new ErrorOutput(this.child.stderr as NodeJS.ReadableStream);
    this.child.on('message', (answer: BatchAnswer) => this.hear(answer));
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        this.over = true;
        clearTimeout(this.timer);
        this.answer(failure(this.explain(code, signal)));
        resolve();
      });
      // One that cannot be started at all.
      this.child.once('error', (error) => {
        this.over = true;
        this.answer(failure(`The process for programs could not be started: ${error.message}.`));
        resolve();
      });
    });
  }

  run(program: BatchProgram): Promise<string> {
    const answered = new Promise<string>((resolve) => {
      this.answer = resolve;
    });
    // If the process has just ended, its end is the answer.
    this.child.send({ number: ++this.number, program }, () => {});
    return answered;
  }

  async end(): Promise<void> {
    if (!this.over) this.child.kill();
    await this.ended;
  }

  private hear(answer: BatchAnswer): void {
    if (answer.number !== this.number) return;
    const { timeout } = this.settings.limits;
    if ('started' in answer) {
      if (timeout === undefined) return;
      this.timer = setTimeout(() => this.giveUp(), (timeout + GRACE_S) * 1000);
      return;
    }
    clearTimeout(this.timer);
    this.errors.release();
    this.answer(answer.result);
  }

  private giveUp(): void {
    this.givenUp = true;
    this.child.kill('SIGKILL');
  }

  private explain(code: number | null, signal: NodeJS.Signals | null): string {
    const { timeout } = this.settings.limits;
    if (this.givenUp) return `The program was given up after ${timeout} seconds.`;
    const { lastWords } = this.errors;
    if (lastWords !== undefined) {
      return `The program asked for more memory than V8 can give (${lastWords}). Keep fewer samples or smaller data.`;
    }
    if (signal === 'SIGKILL') {
      return "The program's process was killed, as systems do where memory is short. Keep fewer samples or smaller data.";
    }
    return `The program ended its process, ${signal === null ? `with exit code ${code}` : `by ${signal}`}.`;
  }
}
