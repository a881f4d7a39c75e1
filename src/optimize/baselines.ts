import type { Address } from '../runtime/address.ts';

/**
 * Running averages of weights, one for each choice that is not pathwise (appendix B, step 2). They live as long as one
 * call of `Optimize`; a choice inside `mapData` has one for each datum.
 */
export class Baselines {
  private readonly averages = new Map<Address, number>();
  private readonly seen = new Map<Address, { sum: number; count: number }>();

  constructor(private readonly decay: number) {}

  /**
   * The average over earlier steps. On first sight almost the weight itself, so that the first step is small instead of
   * arbitrary.
   */
  get(address: Address, weight: number): number {
    return this.averages.get(address) ?? 0.99 * weight;
  }

  has(address: Address): boolean {
    return this.averages.has(address);
  }

  /** Notes a weight of the current step. */
  note(address: Address, weight: number): void {
    const seen = this.seen.get(address);
    if (seen === undefined) this.seen.set(address, { sum: weight, count: 1 });
    else {
      seen.sum += weight;
      seen.count++;
    }
  }

  /** Ends a step: moves the averages towards what was noted. */
  update(): void {
    for (const [address, { sum, count }] of this.seen) {
      const mean = sum / count;
      const old = this.averages.get(address);
      this.averages.set(address, old === undefined ? mean : this.decay * old + (1 - this.decay) * mean);
    }
    this.seen.clear();
  }
}
