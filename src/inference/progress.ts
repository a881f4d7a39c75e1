import { machine, type Progress } from '../runtime/machine.ts';

/** Iterations between reports; a run that ends sooner (an inner inference, mostly) says nothing at all. */
const INTERVAL = 4096;

/** Counts the iterations of an inference and reports them now and then. */
export class IterationCount {
  private progress: Progress | null = null;
  done = 0;

  constructor(
    private readonly label: string,
    private readonly total?: number,
    private readonly interval = INTERVAL,
  ) {}

  /** One more iteration. `note` is asked only when there is a report to make. */
  step(note?: () => string): void {
    if (++this.done % this.interval !== 0) return;
    if (this.progress === null) this.progress = machine.run.progress(this.label);
    this.progress.update(this.done, this.total, note?.());
  }

  finish(): void {
    this.progress?.finish();
  }
}
