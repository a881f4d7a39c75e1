/** How executions go on as copies of others, where most stay in their places: numbers are then carried over in place. */
import type { Doubles, Words } from './kernel-memory.ts';
import { moveNumbers, type Pairs, sourcesOf } from './kernels.ts';

export class Moves {
  private made: Words | null = null;

  constructor(
    private readonly size: number,
    private readonly pairs: Pairs,
  ) {}

  /** For each execution, which one it comes from. */
  get map(): Words {
    this.made ??= sourcesOf(this.size, this.pairs);
    return this.made;
  }

  /** Carries over numbers that have no other owner. */
  apply(numbers: Doubles): void {
    moveNumbers(numbers, this.pairs);
  }
}
