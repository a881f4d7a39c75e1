import { now as clock } from '../host/system.ts';
import { machine, type Progress } from '../runtime/machine.ts';

/** Iterations between reports, if these are quick; a run that ends sooner (an inner inference, mostly) says nothing at all. */
const INTERVAL = 4096;

/** Milliseconds after which there is a report in any case: the user who follows the run may want to end it. */
const PATIENCE = 200;

/**
 * The first look comes before anything is compiled: V8 would throw away the loop that it has compiled by the first report,
 * if what is done then had never been done before.
 */
const FIRST_LOOK = 16;

/** Counts the iterations of an inference and reports them now and then. */
export class IterationCount {
  private progress: Progress | null = null;
  done = 0;
  /** When to look next whether there is a report to make. */
  private next: number;
  /** Iterations between two looks: more and more, as long as they are quick. */
  private stride: number;
  private parts = 0;
  private lookedAt = clock();
  private reportedAt = this.lookedAt;
  /** Told now and then, if it is set. */
  looks: (() => void) | null = null;

  constructor(
    private readonly label: string,
    private readonly total?: number,
    private readonly interval = INTERVAL,
  ) {
    this.stride = Math.min(FIRST_LOOK, interval);
    this.next = this.stride;
  }

  /** One more iteration. `note` is asked only when there is a report to make. */
  step(note?: () => string): void {
    if (++this.done >= this.next) this.look(note);
  }

  /** Iterations until there may be a report to make. */
  get untilLook(): number {
    return this.next - this.done;
  }

  /** Several more iterations, at most those. */
  steps(count: number, note?: () => string): void {
    this.done += count;
    if (this.done >= this.next) this.look(note);
  }

  /** Part of an iteration, such as one execution of many: where these take long, there is a report in between. */
  readonly within = (): void => {
    if (++this.parts % FIRST_LOOK !== 0) return;
    const now = clock();
    if (now - this.reportedAt >= PATIENCE) this.report(now);
  };

  private look(note?: () => string): void {
    const { done, interval } = this;
    const now = clock();
    const took = now - this.lookedAt;
    this.lookedAt = now;
    this.looks?.();
    if (took < PATIENCE / 4) this.stride = Math.min(interval, this.stride * 2);
    else if (took > PATIENCE) this.stride = Math.max(1, Math.floor((this.stride * PATIENCE) / took));
    this.next = Math.min(done + this.stride, done - (done % interval) + interval);
    if (done % interval !== 0 && now - this.reportedAt < PATIENCE) return;
    this.report(now, note);
  }

  private report(now: number, note?: () => string): void {
    this.reportedAt = now;
    if (this.progress === null) this.progress = machine.run.progress(this.label);
    this.progress.update(this.done, this.total, note?.());
  }

  finish(): void {
    this.progress?.finish();
  }
}
