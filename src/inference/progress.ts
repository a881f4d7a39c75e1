import { machine, type Progress } from '../runtime/machine.ts';

/** Iterations between reports; a run that ends sooner (an inner inference, mostly) says nothing at all. */
const INTERVAL = 4096;

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

  constructor(
    private readonly label: string,
    private readonly total?: number,
    private readonly interval = INTERVAL,
  ) {
    this.next = Math.min(FIRST_LOOK, interval);
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

  private look(note?: () => string): void {
    this.next = this.done - (this.done % this.interval) + this.interval;
    if (this.done % this.interval !== 0) return;
    if (this.progress === null) this.progress = machine.run.progress(this.label);
    this.progress.update(this.done, this.total, note?.());
  }

  finish(): void {
    this.progress?.finish();
  }
}
