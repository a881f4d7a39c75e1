/** The page's side of a worker: asks, listens, and ends it. */
import { lineTo, programThread } from '../host/threads.ts';
import type { Line, Thread } from '../host/web-line.ts';
import type { JsonValue } from '../io/json-value.ts';
import type { ProgressReport, Reply, SentError, SentOptions, SentOutput, SentResult, Task } from './messages.ts';
import type { Offered } from './serve.ts';

/** Called while a worker is busy with something. */
export interface WorkerListeners {
  /** Called with each thing that the program displays, as it comes. */
  onOutput?(output: SentOutput): void;
  /** Called with each line of advice. */
  onWarning?(message: string): void;
  /** Called now and then while an inference or an optimisation goes on. */
  onProgress?(progress: ProgressReport): void;
  /** Ends it at once, endless loops too, and rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** How a worker runs a program. */
export type WorkerRunOptions = SentOptions & WorkerListeners;

/** What a worker makes of a program. */
export interface WorkerRunResult {
  /** The program's value, as `waymark run --json` writes it. */
  readonly value: JsonValue;
  /** The same as a person reads it; empty if the program has no value. */
  readonly text: string;
  /** What the program displayed, in order. */
  readonly outputs: readonly SentOutput[];
  /** The parameters of the run at its end. */
  readonly params: SentResult['params'];
}

/** Something that failed in a worker. `message` says what; `report` also where, with the line of the program. */
export class WorkerError extends Error {
  override name = 'WorkerError';
  readonly report: string;
  readonly hint?: string;
  readonly file?: string;
  /** Counted from 1; absent if the place is not known. */
  readonly line?: number;
  readonly column?: number;

  constructor({ message, report, hint, file, line, column }: SentError) {
    super(message);
    Object.assign(this, { hint, file, line, column });
    this.report = report;
  }
}

interface Job {
  readonly task: Task;
  readonly listeners: WorkerListeners;
  readonly outputs: SentOutput[];
  resolve(result: Extract<Reply, { result: unknown }>['result']): void;
  reject(reason: unknown): void;
  /** Stops listening to the signal. */
  forget(): void;
}

/** One worker and what it has to do, one thing after the other. A worker that was ended is started again when it is needed. */
class Jobs {
  private line: Promise<Line> | null = null;
  private current: Job | null = null;
  private readonly waiting: Job[] = [];
  private id = 0;

  constructor(private readonly start: () => Thread | Promise<Thread>) {}

  add(task: Task, listeners: WorkerListeners) {
    const { signal } = listeners;
    return new Promise<{ result: Parameters<Job['resolve']>[0]; outputs: readonly SentOutput[] }>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const outputs: SentOutput[] = [];
      const abort = (): void => this.abandon(job, signal?.reason);
      const job: Job = {
        task,
        listeners,
        outputs,
        resolve: (result) => resolve({ result, outputs }),
        reject,
        forget: () => signal?.removeEventListener('abort', abort),
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.waiting.push(job);
      void this.next();
    });
  }

  /** Ends the worker; whatever it was to do is rejected. */
  stop(reason: unknown): void {
    const all = [...(this.current === null ? [] : [this.current]), ...this.waiting.splice(0)];
    this.current = null;
    this.endThread();
    for (const job of all) this.settle(job, () => job.reject(reason));
  }

  private abandon(job: Job, reason: unknown): void {
    const place = this.waiting.indexOf(job);
    if (place >= 0) this.waiting.splice(place, 1);
    else if (this.current === job) {
      this.endThread();
      this.current = null;
    }
    this.settle(job, () => job.reject(reason));
    void this.next();
  }

  private async next(): Promise<void> {
    if (this.current !== null) return;
    const job = this.waiting.shift();
    if (job === undefined) return;
    this.current = job;
    const id = ++this.id;
    try {
      this.line ??= this.open();
      const line = await this.line;
      // It may have been ended in the meantime.
      if (this.current === job) line.send({ id, ...job.task });
    } catch (error) {
      this.fail(error);
    }
  }

  private async open(): Promise<Line> {
    const line = lineTo(await this.start());
    const opened = this.line;
    line.onMessage((reply: Reply) => this.hear(reply));
    line.onEnd((error) => {
      if (this.line === opened) this.fail(error);
    });
    return line;
  }

  private endThread(): void {
    void this.line?.then((line) => line.end()).catch(() => {});
    this.line = null;
    // Messages that are still on their way are not for the next job.
    this.id++;
  }

  /** The thread has ended, or never began. */
  private fail(error: unknown): void {
    this.line = null;
    const job = this.current;
    this.current = null;
    if (job !== null) this.settle(job, () => job.reject(error));
    void this.next();
  }

  private hear(reply: Reply): void {
    const job = this.current;
    if (job === null || reply.id !== this.id) return;
    const { listeners } = job;
    if ('output' in reply) {
      job.outputs.push(reply.output);
      listeners.onOutput?.(reply.output);
    } else if ('warning' in reply) listeners.onWarning?.(reply.warning);
    else if ('progress' in reply) listeners.onProgress?.(reply.progress);
    else {
      this.current = null;
      this.settle(job, () => ('error' in reply ? job.reject(new WorkerError(reply.error)) : job.resolve(reply.result)));
      void this.next();
    }
  }

  private settle(job: Job, end: () => void): void {
    job.forget();
    end();
  }
}

const stopped = (): Error => new DOMException('The worker was stopped.', 'AbortError');

/** Runs programs off the main thread. */
export class ProgramWorker {
  private readonly jobs: Jobs;

  /**
   * The worker starts when it is first needed. In a page it is made from text that comes with Waymark; where a page's policy
   * forbids such workers, `start` makes one from the file `waymark/program-worker`.
   */
  constructor(start: () => Thread | Promise<Thread> = programThread) {
    this.jobs = new Jobs(start);
  }

  /** Compiles and runs the text of a program. Rejects with a `WorkerError` if it fails. */
  async run(code: string, options: WorkerRunOptions = {}): Promise<WorkerRunResult> {
    const { onOutput, onWarning, onProgress, signal, ...sent } = options;
    const task: Task = { kind: 'run', code, options: sent };
    const { result, outputs } = await this.jobs.add(task, { onOutput, onWarning, onProgress, signal });
    return { ...(result as SentResult), outputs };
  }

  /** Ends what runs now and what waits, which are rejected with an AbortError. The next program starts the worker anew. */
  stop(): void {
    this.jobs.stop(stopped());
  }
}

/** What a function's result is on the other side of a worker: data as they are, distributions and tensors in their JSON form. */
export type Sent<T> = T extends { score(value: never): unknown } | { dims: unknown; data: unknown }
  ? JsonValue
  : T extends readonly (infer E)[]
    ? Sent<E>[]
    : T extends object
      ? { [K in keyof T]: Sent<T[K]> }
      : T;

/** How a worker calls a function. */
export interface CallOptions extends WorkerListeners {
  /** A whole number; the same seed gives the same results. Random if absent. */
  readonly seed?: number;
}

/** The functions that a worker of yours offers with `expose`. */
export class WorkerClient<F extends Offered> {
  private readonly jobs: Jobs;

  constructor(start: () => Thread | Promise<Thread>) {
    this.jobs = new Jobs(start);
  }

  /** Calls a function in the worker. Rejects with a `WorkerError` if it throws. */
  async call<K extends keyof F & string>(
    name: K,
    args: Parameters<F[K]>,
    { seed, ...listeners }: CallOptions = {},
  ): Promise<Sent<Awaited<ReturnType<F[K]>>>> {
    const { result } = await this.jobs.add({ kind: 'call', name, args, seed }, listeners);
    return (result as { returned: unknown }).returned as Sent<Awaited<ReturnType<F[K]>>>;
  }

  /** Ends what runs now and what waits, which are rejected with an AbortError. The next call starts the worker anew. */
  stop(): void {
    this.jobs.stop(stopped());
  }
}

/** A client of the functions that a worker offers. `start` makes the worker: `() => new Worker(new URL('./models.ts', import.meta.url))`. */
export function connect<F extends Offered>(start: () => Thread | Promise<Thread>): WorkerClient<F> {
  return new WorkerClient<F>(start);
}
