/** Particles whose choices a network proposes, resampled where all of them have come to the same factor. */
import { normalise, parentsOf, sumOfSquares, systematic, WORTH_KEEPING } from '../inference/particles/resampling.ts';
import { currentGroup, goOnWith } from '../lanes/columns/group.ts';
import { Doubles, Words } from '../lanes/columns/kernel-memory.ts';
import { consecutive, type Operand } from '../lanes/columns/kernels.ts';
import { addScores } from '../lanes/columns/scores.ts';
import type { Random } from '../runtime/random.ts';
import { abandon, OneByOne } from '../runtime/signals.ts';
import { ColumnProposing } from './proposing.ts';

export class ProposedParticles extends ColumnProposing {
  /** How often particles were resampled. */
  resamplings = 0;
  random: Random | null = null;

  override factor(score: unknown): void {
    super.factor(score);
    const { size, depth } = currentGroup();
    if (depth === 0 && size === this.size) this.resample();
  }

  /** Impossible particles stay until the next resampling, so that all have come to it. */
  protected override weigh(score: Operand): void {
    this.factorScores ??= Doubles.zeros(this.size);
    addScores(this.factorScores, score);
  }

  private resample(): void {
    const logWeights = this.factorScores?.array.slice();
    if (logWeights === undefined) return;
    if (logWeights.includes(Infinity)) throw new OneByOne('weights', 'a factor is infinite');
    const shares = new Float64Array(this.size);
    const logSum = normalise(logWeights, shares);
    if (logSum === -Infinity) throw abandon;
    if (1 / sumOfSquares(shares) >= WORTH_KEEPING * this.size) return;
    const parents = parentsOf(systematic(shares, this.size, this.random!));
    const map = Words.of(parents);
    goOnWith(map, consecutive(0, this.size));
    this.copied(map);
    this.resamplings++;
    // Each particle has the mean weight of all.
    this.factorScores = Doubles.of(new Float64Array(this.size).fill(logSum - Math.log(this.size)));
  }
}
