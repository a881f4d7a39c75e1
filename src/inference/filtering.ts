import { Doubles, Words } from '../lanes/columns/kernel-memory.ts';
import { areEqual, normaliseWeights, systematicChildren } from '../lanes/columns/kernels.ts';
import type { RandomStream } from '../runtime/random.ts';
import type { ImportanceDiagnostics } from './diagnostics/pareto.ts';
import { GuideQuality } from './guide-quality.ts';
import { areMany, isDue, normalise, sumOfSquares, systematic } from './resampling.ts';

/** Log-weights, which may be where kernels have them. */
type LogWeights = Float64Array | Doubles;

/** What a particle filter knows besides its particles: their shares of the weight, and the evidence so far. */
export class Filtering {
  logZ = 0;
  resamplings = 0;
  /** How many equally weighted particles those of the last weighing are worth. */
  effectiveSize: number;
  private readonly quality = new GuideQuality();
  private readonly stored: Doubles;

  constructor(
    readonly size: number,
    private readonly random: RandomStream,
  ) {
    this.stored = Doubles.of(new Float64Array(size).fill(1 / size));
    this.effectiveSize = size;
  }

  /** Shares of the weight. Not to be changed. */
  get shares(): Float64Array {
    return this.stored.array;
  }

  /** Works out the shares; gives the log of the sum of the weights, −∞ if all are zero. */
  weigh(logWeights: LogWeights): number {
    if (!areMany(this.size)) {
      const shares = new Float64Array(this.size);
      const logSum = normalise(arrayOf(logWeights), shares);
      if (logSum > -Infinity) this.stored.become(shares);
      this.effectiveSize = 1 / sumOfSquares(this.shares);
      return logSum;
    }
    const given = logWeights instanceof Doubles ? logWeights : Doubles.of(logWeights);
    const { logSum, squares } = normaliseWeights(given, this.stored);
    if (given !== logWeights) given.release();
    this.effectiveSize = 1 / squares;
    return logSum;
  }

  /** Whether resampling is due. */
  isDue(hasEnded: ((i: number) => boolean) | null): boolean {
    return isDue(this.effectiveSize, this.size, hasEnded === null ? null : this.shares, hasEnded);
  }

  /** How many children each particle gets. `guided` is true if what is weighed was drawn from guides. */
  resample(logWeights: LogWeights, logSum: number, guided: boolean): Words {
    this.logZ += logSum - Math.log(this.size);
    if (guided) this.quality.note(arrayOf(logWeights));
    this.resamplings++;
    const random = this.random.begin();
    if (areMany(this.size)) return systematicChildren(this.stored, this.size, random.uniform());
    return Words.of(systematic(this.shares, this.size, random));
  }

  /** The last resampling, after which all weigh the same; null if they do so already. */
  finish(logWeights: LogWeights, guided: boolean): Words | null {
    if (!areAlike(logWeights)) return this.resample(logWeights, this.weigh(logWeights), guided);
    const weights = arrayOf(logWeights);
    this.logZ += weights[0];
    if (guided) this.quality.note(weights);
    return null;
  }

  /** How well guides did, the worst of all resamplings. */
  get guideDiagnostics(): ImportanceDiagnostics {
    return this.quality.diagnostics;
  }
}

const arrayOf = (numbers: LogWeights): Float64Array => (numbers instanceof Doubles ? numbers.array : numbers);

function areAlike(numbers: LogWeights): boolean {
  return numbers instanceof Doubles ? areEqual(numbers) : numbers.every((x) => x === numbers[0]);
}
