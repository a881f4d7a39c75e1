import { machine, type Progress } from '../runtime/machine.ts';

/** Milliseconds between two lines of `verbose`, and between two updates of the progress bar. */
const VERBOSE_INTERVAL = 200;
const PROGRESS_INTERVAL = 50;

/** How much of the smoothed objective is old. */
const SMOOTHING = 0.95;

/** Tells how an optimisation goes while it does: the progress bar, and the lines that `verbose` asks for. */
export class Reports {
  private readonly progress: Progress;
  private readonly start = Date.now();
  private smooth = Number.NaN;
  private lastLine = -Infinity;
  private lastUpdate = -Infinity;

  /** An optimisation that goes on from step `first` tells of the steps that it still has to do. */
  constructor(
    private readonly objective: string,
    private readonly first: number,
    private readonly options: { steps: number; verbose: boolean; showGradNorm: boolean; weightDecay: number },
  ) {
    this.progress = machine.run.progress('Optimize');
    if (options.verbose && options.weightDecay > 0) {
      machine.run.warn(`Weight decay adds ${options.weightDecay} times each parameter to its gradient.`);
    }
  }

  step(step: number, objective: number, norm: number): void {
    this.smooth = Number.isNaN(this.smooth) ? objective : SMOOTHING * this.smooth + (1 - SMOOTHING) * objective;
    const now = Date.now();
    if (this.options.showGradNorm) machine.run.warn(`Iteration ${step}: gradient norm ${Number(norm.toPrecision(6))}`);
    if (this.options.verbose && now - this.lastLine >= VERBOSE_INTERVAL) {
      this.lastLine = now;
      machine.run.warn(`Iteration ${step}: ${objective}`);
    }
    if (now - this.lastUpdate >= PROGRESS_INTERVAL) {
      this.lastUpdate = now;
      const done = step + 1 - this.first;
      this.progress.update(done, this.options.steps - this.first, this.note(done, norm, now));
    }
  }

  finish(): void {
    this.progress.finish();
  }

  private note(done: number, norm: number, now: number): string {
    const perSecond = (done * 1000) / Math.max(1, now - this.start);
    const speed = perSecond < 10 ? perSecond.toPrecision(2) : Math.round(perSecond);
    return `${this.objective} ${this.smooth.toPrecision(5)}, gradient ${norm.toPrecision(3)}, ${speed} steps/s`;
  }
}
