/** The thread that programs of a batch run in, one after the other, as long as none of them spoils it. */
import type { Worker } from 'node:worker_threads';
import { failure } from './failure.ts';
import { type BatchJob, type BatchMessage, type BatchProgram, type BatchRequest, READY } from './jobs.ts';
import { ending, startThread } from './thread.ts';

/** How often it is looked at how much memory the process has. */
const WATCH_MS = 25;
const MEGABYTE = 2 ** 20;

/**
 * Megabytes that a thread has besides what the program keeps: Waymark itself in the heap, and values of the program that have died
 * but were not collected yet.
 */
const OWN_HEAP = 64;
const OWN_MEMORY = 256;

/** What a program may take. */
interface Limits {
  /** Seconds. */
  readonly timeout?: number;
  /** Megabytes. */
  readonly memory?: number;
}

/** Runs programs one by one in a thread, and starts another where a program has ended the thread or left something behind in it. */
export class BatchRunner {
  private thread: BatchThread;

  constructor(
    private readonly job: BatchJob,
    private readonly limits: Limits,
  ) {
    this.thread = new BatchThread(job, limits);
  }

  /** The result of the program, as text. `started` is called when it begins to run. */
  async run(program: BatchProgram, started: () => void): Promise<string> {
    const result = await this.thread.run(program, started);
    // At once, so that it starts while the answer is on its way.
    if (this.thread.over) this.thread = new BatchThread(this.job, this.limits);
    return result;
  }
}

class BatchThread {
  /** Whether another is needed. */
  over = false;
  private readonly thread: Worker;
  /** Resolves when the thread listens: the time it takes to start is not the program's. */
  private readonly ready: Promise<void>;
  private answer: (result: string) => void = () => {};
  /** How many programs it was sent. */
  private number = 0;

  constructor(
    job: BatchJob,
    private readonly limits: Limits,
  ) {
    this.thread = startThread(job, { memory: heapFor(limits) });
    this.ready = new Promise((resolve) => {
      this.thread.on('message', (message: BatchMessage) => {
        if (message === READY) {
          resolve();
          return;
        }
        this.hear(message);
      });
      // A thread that ends before it listens is answered for below.
      this.thread.once('exit', () => resolve());
    });
    ending(this.thread, limits.memory === undefined ? undefined : tooMuchMemory(limits.memory)).then((end) => {
      this.over = true;
      this.answer(
        failure('fault' in end ? end.fault : `The program ended its own thread, with exit code ${end.code}.`),
      );
    });
  }

  async run(program: BatchProgram, started: () => void): Promise<string> {
    const answered = new Promise<string>((resolve) => {
      this.answer = resolve;
    });
    await this.ready;
    started();
    const watching = this.watch();
    this.thread.postMessage({ number: ++this.number, program } satisfies BatchRequest);
    const result = await answered;
    for (const timer of watching) clearTimeout(timer);
    return result;
  }

  /** A program can send messages, too, and change how results are written. */
  private hear(message: Exclude<BatchMessage, typeof READY>): void {
    if (typeof message?.result !== 'string' || !message.result.startsWith(BEGINNING)) {
      this.giveUp(FORGED);
    } else if (message.number === this.number) {
      if (message.spoilt) this.end();
      this.answer(message.result);
    }
  }

  private watch(): NodeJS.Timeout[] {
    const { timeout, memory } = this.limits;
    const timers: NodeJS.Timeout[] = [];
    if (timeout !== undefined) {
      timers.push(setTimeout(() => this.giveUp(`The program was given up after ${timeout} seconds.`), timeout * 1000));
    }
    if (memory !== undefined) {
      // V8 counts what is in its heap, and not the buffers of tensors.
      const most = process.memoryUsage.rss() + (memory + OWN_MEMORY) * MEGABYTE;
      const look = (): void => {
        if (process.memoryUsage.rss() > most) this.giveUp(tooMuchMemory(memory));
      };
      timers.push(setInterval(look, WATCH_MS));
    }
    return timers;
  }

  private giveUp(reason: string): void {
    this.end();
    this.answer(failure(reason));
  }

  private end(): void {
    this.over = true;
    this.thread.terminate();
  }
}

/** How every result begins. */
const BEGINNING = '{"ok":';

const FORGED =
  'The program has changed how its result is written (JSON.stringify, a toJSON of all objects), or has sent something in its place.';

const heapFor = ({ memory }: Limits): number | undefined => (memory === undefined ? undefined : memory + OWN_HEAP);

const tooMuchMemory = (megabytes: number): string =>
  `The program needs more memory than the ${megabytes} MB it may use: keep fewer samples or smaller data, or raise --memory.`;
