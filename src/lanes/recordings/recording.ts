/**
 * Recordings: what an execution computed, kept to be computed again with other numbers and without the program.
 *
 * - **Leaves** are the numbers that are given anew: choices (Metropolis–Hastings, paths of an enumeration), positions of a
 *   trajectory (HMC, NUTS), parameters, noise and data (steps of an optimisation).
 * - **Guards** are values that the program looked at. With other values it might go another way: the recording holds as long as
 *   they are what they were, and where one is not, the program is executed.
 * - **Outputs** are what is wanted: scores, a density and its gradient, a cost and its gradients.
 * - A **template** (`template.ts`) makes what the program returned of some of the numbers.
 *
 * Numbers are computed by an `Evaluation`, of which there are two kinds, because they are good for different things: a plan or
 * a walk of the engine's graph (`walk.ts`), which has tensors and gradients and fuses what it computes, so that sums may come
 * in another order; and the scalar function of a tape (`lanes/density/`), which is short to record and to compile, has no gradients, and gives
 * to the last bit what the execution gave, or it is not used.
 */
import type { Data, Node } from '../../tensor/node.ts';

/** A value that the program looked at. */
export interface Guard {
  readonly node: Node;
  readonly expected: number | Data;
}

type Numbers = ArrayLike<number | Data>;

/** Computes again what was recorded. */
interface Evaluation<Given, Results extends Numbers> {
  /** Computes the outputs, and then the guards. */
  run(given: Given): Results;
}

export class Recording<Given, Results extends Numbers = Numbers> {
  /** The results of the last evaluation: outputs, and then guards. */
  results!: Results;

  constructor(
    protected evaluation: Evaluation<Given, Results>,
    /** The number of outputs. */
    readonly outputs: number,
    /** What the guards were. */
    readonly expected: readonly (number | Data)[],
  ) {}

  /** Whether it holds everywhere, because the program looked at nothing. */
  get isUnconditional(): boolean {
    return this.expected.length === 0;
  }

  /** Computes everything for what is given. Whether the program would go the way that was recorded. */
  run(given: Given): boolean {
    this.results = this.evaluation.run(given);
    return this.firstBroken() < 0;
  }

  /** The first guard whose value was another in the last evaluation, or −1. */
  firstBroken(): number {
    const { expected, results, outputs } = this;
    for (let i = 0; i < expected.length; i++) if (!areSame(results[outputs + i], expected[i])) return i;
    return -1;
  }

  /**
   * Whether this may be the recording for what another found in its last evaluation, in which this guard of it broke: the program
   * goes the same way up to there, and then sees what was found.
   */
  mayFollow(other: Recording<Given, Results>, broken: number): boolean {
    const { expected } = this;
    if (expected.length <= broken || !areSame(expected[broken], other.results[other.outputs + broken])) return false;
    for (let i = 0; i < broken; i++) if (!areSame(expected[i], other.expected[i])) return false;
    return true;
  }
}

/** (A program may tell −0 from 0.) */
function areSame(a: number | Data, b: number | Data): boolean {
  if (typeof a === 'number') return Object.is(a, typeof b === 'number' ? b : b[0]);
  if (typeof b === 'number' || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}
