/** Tuning during warm-up: step size by dual averaging, masses by the variances seen so far, in growing windows. */

/** Dual averaging (Hoffman & Gelman 2014, section 3.2) of the log step size towards a target acceptance. */
export class StepSize {
  private gradientMean = 0;
  private logAverage = 0;
  private count = 0;
  private anchor: number;
  /** The size to use during warm-up. */
  current: number;

  constructor(
    initial: number,
    private readonly target: number,
  ) {
    this.current = initial;
    this.anchor = Math.log(10 * initial);
  }

  restart(initial: number): void {
    this.current = initial;
    this.anchor = Math.log(10 * initial);
    this.gradientMean = 0;
    this.logAverage = 0;
    this.count = 0;
  }

  update(acceptance: number): void {
    this.count++;
    const weight = 1 / (this.count + 10);
    this.gradientMean = (1 - weight) * this.gradientMean + weight * (this.target - acceptance);
    const logStep = this.anchor - (Math.sqrt(this.count) / 0.05) * this.gradientMean;
    const decay = this.count ** -0.75;
    this.logAverage = decay * logStep + (1 - decay) * this.logAverage;
    this.current = Math.exp(logStep);
  }

  /** The size to use after warm-up. */
  get averaged(): number {
    return this.count === 0 ? this.current : Math.exp(this.logAverage);
  }
}

/** Running variances (Welford), shrunk towards 10⁻³ as if five draws had said so, which keeps few draws from harm. */
export class Variances {
  private count = 0;
  private readonly mean: Float64Array;
  private readonly squares: Float64Array;

  constructor(dimension: number) {
    this.mean = new Float64Array(dimension);
    this.squares = new Float64Array(dimension);
  }

  get empty(): boolean {
    return this.count === 0;
  }

  add(x: Float64Array): void {
    this.count++;
    for (let i = 0; i < x.length; i++) {
      const delta = x[i] - this.mean[i];
      this.mean[i] += delta / this.count;
      this.squares[i] += delta * (x[i] - this.mean[i]);
    }
  }

  writeTo(inverseMass: Float64Array): void {
    const n = this.count;
    for (let i = 0; i < inverseMass.length; i++) {
      inverseMass[i] = (n / (n + 5)) * (this.squares[i] / Math.max(1, n - 1)) + (5 / (n + 5)) * 1e-3;
    }
  }

  restart(): void {
    this.count = 0;
    this.mean.fill(0);
    this.squares.fill(0);
  }
}

/**
 * The warm-up schedule: a fast start and a fast end in which only the step size adapts, and between them windows for
 * the variances, each twice as long as the one before (Stan reference manual, "HMC algorithm parameters").
 */
export class Schedule {
  private readonly start: number;
  private readonly ends = new Set<number>();
  private readonly stop: number;

  constructor(readonly warmup: number) {
    const short = warmup < 150;
    this.start = short ? Math.floor(0.15 * warmup) : 75;
    const finish = short ? Math.floor(0.1 * warmup) : 50;
    this.stop = warmup - finish;
    if (warmup < 20) return;
    let end = this.start;
    for (let width = short ? this.stop - this.start : 25; end < this.stop; width *= 2) {
      // A window after which the next would not fit is stretched to the end.
      end = end + width + 2 * width > this.stop ? this.stop : end + width;
      this.ends.add(end - 1);
    }
  }

  /** Whether the draw of this iteration counts towards the variances. */
  gathers(iteration: number): boolean {
    return this.ends.size > 0 && iteration >= this.start && iteration < this.stop;
  }

  /** Whether the masses are to be set after this iteration. */
  closes(iteration: number): boolean {
    return this.ends.has(iteration);
  }
}
