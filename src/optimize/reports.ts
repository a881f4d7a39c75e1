import { machine, type Progress } from '../runtime/machine.ts';

/** Milliseconds between two lines of `verbose`, and between two updates of the progress bar. */
const VERBOSE_INTERVAL = 200;
const PROGRESS_INTERVAL = 50;

/** How much of the smoothed objective is old. */
const SMOOTHING = 0.95;

/** A curve is made of the smoothed objective after each of about so many steps. */
const CURVE_POINTS = 500;

/** Tells how an optimisation goes while it does: the progress bar, and the lines that `verbose` asks for. */
export class Reports {
  private readonly progress: Progress;
  private readonly start = Date.now();
  private smooth = Number.NaN;
  private lastLine = -Infinity;
  private lastUpdate = -Infinity;
  /** Points of the curve that were not reported yet. */
  private points: [done: number, value: number][] = [];
  private readonly spacing: number;
  /** The last step that there was, as it will be told. */
  private last = { done: 0, norm: 0 };

  /** An optimisation that goes on from step `first` tells of the steps that it still has to do. */
  constructor(
    private readonly objective: string,
    private readonly first: number,
    private readonly options: { steps: number; verbose: boolean; showGradNorm: boolean; weightDecay: number },
  ) {
    this.progress = machine.run.progress('Optimize');
    this.spacing = Math.max(1, Math.floor((options.steps - first) / CURVE_POINTS));
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
    const done = step + 1 - this.first;
    this.last = { done, norm };
    if (done % this.spacing === 0) this.points.push([done, this.smooth]);
    if (now - this.lastUpdate >= PROGRESS_INTERVAL) this.tell(now);
  }

  finish(): void {
    // The end of the curve is what people look at.
    if (this.points.length > 0) this.tell(Date.now());
    this.progress.finish();
  }

  private tell(now: number): void {
    this.lastUpdate = now;
    const { done, norm } = this.last;
    const trace = { name: this.objective, points: this.points };
    this.points = [];
    this.progress.update(done, this.options.steps - this.first, this.note(done, norm, now), trace);
  }

  private note(done: number, norm: number, now: number): string {
    const perSecond = (done * 1000) / Math.max(1, now - this.start);
    const speed = perSecond < 10 ? perSecond.toPrecision(2) : Math.round(perSecond);
    return `${this.objective} ${this.smooth.toPrecision(5)}, gradient ${norm.toPrecision(3)}, ${speed} steps/s`;
  }
}
