/** Random numbers for the generator alone (mulberry32). */
export function generatorOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What everything that is made at random is made with. */
export class RandomSource {
  constructor(private readonly random: () => number) {}

  protected literal(): string {
    return (this.random() * 4 - 2).toFixed(1);
  }

  protected chance(p: number): boolean {
    return this.random() < p;
  }

  protected below(n: number): number {
    return Math.floor(this.random() * n);
  }

  protected between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  protected pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }

  protected times<T>(n: number, make: () => T): T[] {
    return Array.from({ length: n }, make);
  }
}
