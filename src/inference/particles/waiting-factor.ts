/** A factor that not all particles have met: what it brought those that have. */
import { Doubles } from '../../lanes/columns/kernel-memory.ts';

export interface Waiting {
  /** By particle; an array where they are still coming in. */
  weights: Doubles | Float64Array;
  /** Whether this is their only owner. */
  readonly isOwn: boolean;
}

/** As kernels take them. */
export const stored = (numbers: Doubles | Float64Array): Doubles =>
  numbers instanceof Doubles ? numbers : Doubles.of(numbers);

/** As an array. */
export const arrayOf = (numbers: Doubles | Float64Array): Float64Array =>
  numbers instanceof Doubles ? numbers.array : numbers;
