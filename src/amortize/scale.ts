/** Where numbers are and how far they spread, as the network sees them: about 0, and seldom beyond ±3. */
const FAR = 6;

export class Scale {
  private last = Number.NaN;
  private lastSquashed = 0;

  constructor(
    readonly centre: number,
    readonly spread: number,
  ) {}

  /** By the median and the middle two thirds, which heavy tails do not move. */
  static of(numbers: ArrayLike<number>): Scale {
    const sorted = Float64Array.from(numbers).filter(Number.isFinite).sort();
    if (sorted.length === 0) return new Scale(0, 1);
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    const centre = at(0.5);
    const spread = (at(0.84) - at(0.16)) / 2 || (sorted[sorted.length - 1] - sorted[0]) / 4;
    return new Scale(centre, spread > 0 ? spread : Math.max(1, Math.abs(centre)));
  }

  /** In units of the spread, as it is, within limits. */
  straight(x: number): number {
    const v = (x - this.centre) / this.spread;
    return v > -FAR ? Math.min(v, FAR) : v <= -FAR ? -FAR : 0;
  }

  squashed(x: number): number {
    // Parameters of priors are often the same for all.
    if (x !== this.last) {
      this.last = x;
      this.lastSquashed = squash((x - this.centre) / this.spread);
    }
    return this.lastSquashed;
  }
}

/** Beyond this, 1 is nothing beside a square. */
const HUGE = 1e100;

/** Nearly the inverse hyperbolic sine, as fast as a logarithm; 0 for what is no finite number. */
export function squash(x: number): number {
  if (x >= 0) return x < HUGE ? Math.log(x + Math.sqrt(x * x + 1)) : x < Infinity ? Math.log(x) + Math.LN2 : 0;
  return x > -HUGE ? -Math.log(Math.sqrt(x * x + 1) - x) : x > -Infinity ? -Math.log(-x) - Math.LN2 : 0;
}
