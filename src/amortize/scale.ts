/** Where numbers are and how far they spread, as the network sees them: about 0, and seldom beyond ±3. */
export class Scale {
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

  squashed(x: number): number {
    return Number.isFinite(x) ? Math.asinh((x - this.centre) / this.spread) : 0;
  }
}
