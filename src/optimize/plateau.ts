/** Recognises that an optimisation no longer gets anywhere, from an exponentially smoothed objective. */
export class Plateau {
  private smooth = Number.NaN;
  private best = -Infinity;
  private since = 0;

  constructor(private readonly patience: number) {}

  /** Everything it remembers, for checkpoints. */
  get memory(): number[] {
    return [this.smooth, this.best, this.since];
  }

  set memory([smooth, best, since]: readonly number[]) {
    this.smooth = smooth;
    this.best = best;
    this.since = since;
  }

  /** True once the smoothed objective has not been better than ever before for `patience` steps. */
  reached(objective: number): boolean {
    this.smooth = Number.isNaN(this.smooth) ? objective : 0.95 * this.smooth + 0.05 * objective;
    if (this.smooth > this.best) {
      this.best = this.smooth;
      this.since = 0;
      return false;
    }
    return ++this.since >= this.patience;
  }
}
