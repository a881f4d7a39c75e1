import type { RandomStream } from '../runtime/random.ts';
import type { ImportanceDiagnostics } from './diagnostics/pareto.ts';
import { GuideQuality } from './guide-quality.ts';
import { normalise, systematic } from './resampling.ts';

/** What a particle filter knows besides its particles: their shares of the weight, and the evidence so far. */
export class Filtering {
  readonly shares: Float64Array;
  logZ = 0;
  resamplings = 0;
  private readonly quality = new GuideQuality();

  constructor(
    readonly size: number,
    private readonly random: RandomStream,
  ) {
    this.shares = new Float64Array(size).fill(1 / size);
  }

  /** Works out the shares; gives the log of the sum of the weights, −∞ if all are zero. */
  weigh(logWeights: Float64Array): number {
    return normalise(logWeights, this.shares);
  }

  /** How many children each particle gets. `guided` is true if what is weighed was drawn from guides. */
  resample(logWeights: Float64Array, logSum: number, guided: boolean): Int32Array {
    this.logZ += logSum - Math.log(this.size);
    if (guided) this.quality.note(logWeights);
    this.resamplings++;
    return systematic(this.shares, this.size, this.random.begin());
  }

  /** The last resampling, after which all weigh the same; null if they do so already. */
  finish(logWeights: Float64Array, guided: boolean): Int32Array | null {
    if (logWeights.some((weight) => weight !== logWeights[0])) {
      return this.resample(logWeights, this.weigh(logWeights), guided);
    }
    this.logZ += logWeights[0];
    if (guided) this.quality.note(logWeights);
    return null;
  }

  /** How well guides did, the worst of all resamplings. */
  get guideDiagnostics(): ImportanceDiagnostics {
    return this.quality.diagnostics;
  }
}
