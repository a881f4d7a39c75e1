import { WaymarkError } from '../../runtime/errors.ts';
import type { Entry } from '../../runtime/execution.ts';
import type { RandomStream } from '../../runtime/random.ts';
import type { Model } from '../algorithm.ts';
import { NO_SITE, Reexecution } from './reexecution.ts';
import { Trace } from './trace.ts';

/** A Markov chain over executions of a model: where it is, and the re-execution that kernels propose with. */
export class Chain<T> {
  current: Trace<T>;
  /** What `propose` filled. Becomes the current trace by `accept`, and room for the next proposal otherwise. */
  candidate: Trace<T>;
  readonly reexecution: Reexecution<T>;
  /** Factors count this many times in the target: less than 1 in annealing. */
  factorScale = 1;
  private executions = 0;

  constructor(
    readonly entry: Entry,
    readonly model: Model<T>,
    /** What proposals and decisions are drawn with. */
    public random: RandomStream,
    /**
     * The stream of the k-th execution, for what in the program draws without asking the handler. It may be the same
     * object every time.
     */
    private readonly originOf: (k: number) => RandomStream,
  ) {
    this.current = new Trace(entry.address);
    this.candidate = new Trace(entry.address);
    this.reexecution = new Reexecution(entry, model, random);
  }

  /** Starts from the most probable of `starts` executions of the model. Returns them all. */
  initialise(owner: string, attempts: number, starts = 1): Trace<T>[] {
    this.findStart(owner, attempts);
    let best = this.current;
    const met = [best];
    while (met.length < starts) {
      this.current = new Trace(this.entry.address);
      this.findStart(owner, attempts);
      met.push(this.current);
      if (this.current.score > best.score) best = this.current;
    }
    this.current = best;
    return met;
  }

  /** Executes the model forward until nothing in it is impossible, or gives up where the last attempt failed. */
  private findStart(owner: string, attempts: number): void {
    const { reexecution } = this;
    const none = new Trace<T>(this.current.entry);
    let failures = 0;
    reexecution.starting = true;
    reexecution.onImpossible = () => {
      if (++failures >= attempts) throw noStart(owner, attempts);
    };
    try {
      for (let attempt = 0; attempt < attempts; attempt++) {
        if (reexecution.run(none, this.current, NO_SITE, undefined, this.nextOrigin())) return;
      }
    } finally {
      reexecution.onImpossible = null;
      reexecution.starting = false;
    }
    throw noStart(owner, attempts);
  }

  /** Draws from this stream from now on. */
  use(random: RandomStream): void {
    this.random = random;
    this.reexecution.random = random;
  }

  /** Executes with another value at one place of the current trace. False if that turned out impossible. */
  propose(site: number, value: unknown): boolean {
    return this.reexecution.run(this.current, this.candidate, site, value, this.nextOrigin());
  }

  /** Runs `work`, which proposes and does nothing else: see `Entry.many`. */
  many(work: () => void): void {
    const { reexecution } = this;
    reexecution.within = true;
    try {
      this.entry.many(reexecution, work);
    } finally {
      reexecution.within = false;
    }
  }

  /** Instead of an execution, whose outcome is known in another way. */
  skipExecutions(count: number): void {
    this.executions += count;
  }

  /** Executes the current trace again, with other values in it. They must be possible. */
  refresh(): void {
    const origin = this.originOf(Math.max(0, this.executions - 1));
    this.reexecution.run(this.current, this.candidate, NO_SITE, undefined, origin);
    this.accept();
  }

  /** The stream of the next execution, which is good until the one after it. */
  nextOrigin(): RandomStream {
    return this.originOf(this.executions++);
  }

  /** Moves to the candidate. */
  accept(): void {
    const { current } = this;
    this.current = this.candidate;
    this.candidate = current;
  }

  /** Log of the unnormalised density that the chain samples from. */
  target(trace: Trace<T>): number {
    const { factorScale } = this;
    return factorScale === 0 ? trace.choiceScore : trace.choiceScore + factorScale * trace.factorScore;
  }
}

function noStart(owner: string, attempts: number): WaymarkError {
  return new WaymarkError(
    `${owner} found no execution to start from: ${attempts.toLocaleString('en')} forward executions all met a factor ` +
      'of -Infinity or a condition that fails, the last one here. Soften it (observe a distribution around the ' +
      'value, or factor with a finite score), or make what it needs more probable in the model. If it can hold ' +
      "but is rare, raise maxInitAttempts, or use method 'SMC', which weighs conditions one after the other.",
  );
}
