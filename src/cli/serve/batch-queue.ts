/** Requests that wait until the program's thread is free, and then go there together. */
import type { Metrics } from './metrics.ts';
import type { InferAnswer, InferRequest } from './protocol.ts';

interface QueueLimits {
  /** Requests that may wait; more are sent away. */
  readonly queue: number;
  /** Requests that are computed together. */
  readonly batch: number;
}

interface Waiting {
  readonly request: InferRequest;
  readonly answer: (answer: InferAnswer) => void;
}

export class BatchQueue {
  private waiting: Waiting[] = [];
  private computing = 0;
  private idle: (() => void)[] = [];

  constructor(
    private readonly compute: (requests: readonly InferRequest[]) => Promise<readonly InferAnswer[]>,
    private readonly limits: QueueLimits,
    private readonly metrics: Metrics,
  ) {}

  get length(): number {
    return this.waiting.length;
  }

  get inFlight(): number {
    return this.computing;
  }

  /** Whether so many more may wait. */
  hasRoomFor(count: number): boolean {
    return this.waiting.length + count <= this.limits.queue;
  }

  /** Resolves to the answers. If no request waits for them any more, those that were not begun are left out. */
  ask(requests: readonly InferRequest[], gone: AbortSignal): Promise<InferAnswer[]> {
    const own: Waiting[] = [];
    const answers = requests.map((request) => new Promise<InferAnswer>((answer) => own.push({ request, answer })));
    this.waiting.push(...own);
    gone.addEventListener('abort', () => {
      const before = this.waiting.length;
      this.waiting = this.waiting.filter((one) => !own.includes(one));
      if (this.waiting.length < before) this.rest();
    });
    this.next();
    return Promise.all(answers);
  }

  private next(): void {
    if (this.computing > 0 || this.waiting.length === 0) return;
    const batch = this.waiting.splice(0, this.limits.batch);
    this.computing = batch.length;
    this.metrics.computed(batch.length);
    const done = (answers: readonly InferAnswer[]): void => {
      this.computing = 0;
      batch.forEach(({ answer }, i) => void answer(answers[i]));
      this.rest();
      this.next();
    };
    this.compute(batch.map(({ request }) => request)).then(done, (error: Error) =>
      done(batch.map(() => ({ refused: false, message: error.message }))),
    );
  }

  private rest(): void {
    if (this.computing > 0 || this.waiting.length > 0) return;
    for (const resolve of this.idle) resolve();
    this.idle = [];
  }

  /** Resolves when nothing waits and nothing is computed. */
  emptied(): Promise<void> {
    return new Promise((resolve) => {
      this.idle.push(resolve);
      this.rest();
    });
  }
}
