import { Doubles, Words } from '../../lanes/columns/kernel-memory.ts';
import { areEqual } from '../../lanes/columns/kernels.ts';
import type { Moves } from '../../lanes/columns/moves.ts';
import type { RandomStream } from '../../runtime/random.ts';
import type { ImportanceDiagnostics } from '../diagnostics/pareto.ts';
import { GuideQuality } from '../sampling/guide-quality.ts';
import { areMany, isDue, normalise, sumOfSquares, systematic, WORTH_KEEPING } from './resampling.ts';
import { Shares } from './shares.ts';

/** Log-weights, which may be where kernels have them. */
type LogWeights = Float64Array | Doubles;

/** What a particle filter has found besides its particles. */
export interface Filtered {
  readonly logZ: number;
  readonly resamplings: number;
  /** The effective sample size at the end. */
  readonly spread: number;
  /** How well guides did, the worst of all resamplings. */
  readonly guideDiagnostics: ImportanceDiagnostics;
}

/** What a particle filter knows besides its particles: their shares of the weight, and the evidence so far. */
export class Filtering implements Filtered {
  logZ = 0;
  resamplings = 0;
  spread = 0;
  private readonly quality = new GuideQuality();
  private readonly current: Shares;

  constructor(
    readonly size: number,
    private readonly random: RandomStream,
  ) {
    this.current = new Shares(size);
  }

  /** Shares of the weight. Not to be changed. */
  get shares(): Float64Array {
    return this.current.array;
  }

  /** The effective sample size at the last weighing. */
  get effectiveSize(): number {
    return this.current.effectiveSize;
  }

  /** Works out the shares; gives the log of the sum of the weights, −∞ if all are zero. The largest may be known. */
  weigh(logWeights: LogWeights, most?: number): number {
    if (!areMany(this.size)) {
      const shares = new Float64Array(this.size);
      const logSum = normalise(arrayOf(logWeights), shares);
      if (logSum > -Infinity) this.current.become(shares, sumOfSquares(shares));
      return logSum;
    }
    const given = logWeights instanceof Doubles ? logWeights : Doubles.of(logWeights);
    const logSum = this.current.weigh(given, most);
    if (given !== logWeights) given.release();
    return logSum;
  }

  /** Whether resampling is due. */
  isDue(hasEnded: ((i: number) => boolean) | null): boolean {
    if (hasEnded === null) return this.current.areWorthLessThan(WORTH_KEEPING * this.size);
    return isDue(this.effectiveSize, this.size, this.shares, hasEnded);
  }

  /** Takes the weights into account, which are even after that; gives the random numbers to resample with. */
  private begin(logWeights: LogWeights, logSum: number, guided: boolean): RandomStream {
    this.logZ += logSum - Math.log(this.size);
    if (guided) this.quality.note(arrayOf(logWeights));
    this.resamplings++;
    return this.random.begin();
  }

  /** The same as `resample`, as moves if there are many particles. */
  resampleByMoves(logWeights: LogWeights, logSum: number, guided: boolean): Moves | Words {
    if (!areMany(this.size)) return this.resample(logWeights, logSum, guided);
    const offset = this.begin(logWeights, logSum, guided).uniform();
    return this.current.moves(offset) ?? this.current.children(this.size, offset);
  }

  /** How many children each particle gets. `guided` is true if what is weighed was drawn from guides. */
  resample(logWeights: LogWeights, logSum: number, guided: boolean): Words {
    const random = this.begin(logWeights, logSum, guided);
    if (areMany(this.size)) return this.current.children(this.size, random.uniform());
    return Words.of(systematic(this.shares, this.size, random));
  }

  /** Whether weights are even, so that they need not be resampled at the end; they are taken into account then. */
  areEven(logWeights: LogWeights, guided: boolean): boolean {
    if (!areAlike(logWeights)) return false;
    const weights = arrayOf(logWeights);
    this.logZ += weights[0];
    if (guided) this.quality.note(weights);
    return true;
  }

  /** The last resampling, after which all weigh the same; null if they do so already. */
  finish(logWeights: LogWeights, guided: boolean): Words | null {
    this.spread = this.effectiveSize;
    if (this.areEven(logWeights, guided)) return null;
    return this.resample(logWeights, this.weigh(logWeights), guided);
  }

  get guideDiagnostics(): ImportanceDiagnostics {
    return this.quality.diagnostics;
  }

  /** What it has found, for other ranks. */
  get result(): Filtered {
    const { logZ, resamplings, spread, guideDiagnostics } = this;
    return { logZ, resamplings, spread, guideDiagnostics };
  }
}

const arrayOf = (numbers: LogWeights): Float64Array => (numbers instanceof Doubles ? numbers.array : numbers);

function areAlike(numbers: LogWeights): boolean {
  return numbers instanceof Doubles ? areEqual(numbers) : numbers.every((x) => x === numbers[0]);
}

/** What is said where all weights are zero. */
export function nothingPossible(size: number, factor: number): string {
  return (
    `SMC lost all of its ${size} particles at the ${ordinal(factor)} factor: here, the last of them met a factor of ` +
    '-Infinity or a condition that fails. Use more particles, soften the condition (observe a distribution around ' +
    'the value, or factor with a finite score), or give the choices before it a guide that knows the condition.'
  );
}

function ordinal(n: number): string {
  const tail = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${tail}`;
}
