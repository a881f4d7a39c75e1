/** Particles side by side that go on from factor to factor, those of one rank here, and others elsewhere. */
import { exchanged } from '../../ranks/divided.ts';
import type { Entry } from '../../runtime/execution.ts';
import { OneByOne } from '../../runtime/signals.ts';
import type { Model } from '../algorithm.ts';
import type { MHOptions } from '../chains/mh.ts';
import { ColumnFilter } from './column-filter.ts';
import type { Islands } from './islands.ts';
import type { Particle } from './particle.ts';
import type { Proposal } from './proposals.ts';
import type { Samples } from './rejuvenation.ts';

/** There is room for all particles on each rank, but only those of its island are there; of the others the weights are known. */
export class IslandFilter<T> extends ColumnFilter<T> {
  constructor(
    private readonly islands: Islands,
    entry: Entry,
    model: Model<T>,
    proposal: Proposal | null,
    steps: number,
    kernel: Pick<MHOptions, 'discreteOnly'>,
  ) {
    super(entry, model, islands.size, proposal, steps, kernel);
  }

  protected override ours(numbers: Int32Array): Int32Array {
    return numbers.filter((number) => this.islands.has(number));
  }

  protected override follow(parents: Int32Array): void {
    this.islands.follow(parents);
  }

  override advance(): boolean {
    if (!super.advance()) return false;
    const { islands, logWeights, ended, dead, guidedFrom } = this;
    const heard = islands.weigh({
      weights: Float64Array.from(islands.places, (place) => logWeights[place]),
      guidedFrom,
      end: Infinity,
      ended: Uint8Array.from(islands.places, (place) => ended[place]),
    });
    logWeights.set(heard.weights);
    ended.set(heard.ended as Uint8Array);
    heard.weights.forEach((weight, place) => {
      dead[place] = weight === -Infinity ? 1 : 0;
    });
    this.guidedFrom = heard.guidedFrom;
    return true;
  }

  override get samples(): Samples<T> {
    return this.gathered(super.samples, 1);
  }

  override rejuvenatedSamples(): Samples<T> {
    return this.gathered(super.rejuvenatedSamples(), this.steps);
  }

  /** So many values and scores for each particle, of which those of this rank are known. */
  private gathered({ values, scores }: Samples<T>, each: number): Samples<T> {
    const { places } = this.islands;
    const at = Array.from(places).flatMap((place) => Array.from({ length: each }, (_, k) => place * each + k));
    const own = { places: at, values: at.map((i) => values[i]), scores: at.map((i) => scores[i]) };
    const all = { values: new Array<T>(values.length), scores: new Float64Array(scores.length) };
    for (const part of this.sent(own)) {
      part.places.forEach((place, i) => {
        all.values[place] = part.values[i];
        all.scores[place] = part.scores[i];
      });
    }
    return all;
  }

  override get particles(): Particle<T>[] {
    const { scores, islands, state } = this;
    const own = Array.from(islands.places, (place) => ({
      place,
      origin: state.traces.origins[place],
      values: this.choicesOf(place),
      score: scores[place],
    }));
    const all: Particle<T>[] = [];
    for (const { place, origin, values, score } of this.sent(own).flat()) {
      all[place] = this.particle(origin, values, score);
    }
    return all;
  }

  private sent<R>(own: R): R[] {
    const all = exchanged('gather particles', this.islands.team, own);
    if (all === undefined) throw new OneByOne('value', 'ranks cannot send each other what they have');
    return all;
  }
}
