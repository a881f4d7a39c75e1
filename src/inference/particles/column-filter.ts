/** Sequential Monte Carlo with rejuvenation, all particles side by side. */
import { inGroups } from '../../lanes/columns/run.ts';
import type { Entry } from '../../runtime/execution.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { OneByOne } from '../../runtime/signals.ts';
import type { Model } from '../algorithm.ts';
import type { MHOptions } from '../chains/mh.ts';
import { itemsAt, numbersAt } from './column-choices.ts';
import { ColumnContinuation } from './column-continuation.ts';
import { ColumnMetropolis, type ColumnState } from './column-metropolis.ts';
import { ColumnTraces } from './column-traces.ts';
import { SCOUTED } from './horizon.ts';
import { Particle } from './particle.ts';
import type { Proposal } from './proposals.ts';
import { Continuation, type Particles } from './reference.ts';
import type { Samples } from './rejuvenation.ts';
import { parentsOf } from './resampling.ts';

/**
 * Particles that are rejuvenated at each factor. Moves change the past, so that all particles start again from their
 * choices to go on to their next factor: one execution for all to go on, and one for each step of the kernel.
 */
export class ColumnFilter<T> implements Particles {
  /** Fewest factors before a choice that was drawn from a guide. */
  guidedFrom = Infinity;
  protected readonly state: Mutable<ColumnState<T>>;
  readonly logWeights: Float64Array;
  /** Log of the joint probability of the choices and factors of each. */
  protected scores: Float64Array;
  protected ended: Uint8Array;
  protected dead: Uint8Array;
  /** Factors that have been weighed. */
  factors = 0;
  private readonly kernel: ColumnMetropolis<T>;

  constructor(
    protected readonly entry: Entry,
    private readonly model: Model<T>,
    protected readonly size: number,
    private readonly proposal: Proposal | null,
    protected readonly steps: number,
    kernel: Pick<MHOptions, 'discreteOnly'>,
  ) {
    this.kernel = new ColumnMetropolis(entry, model, kernel);
    this.state = {
      traces: new ColumnTraces(
        [],
        new Int32Array(size),
        Int32Array.from({ length: size }, (_, i) => i),
      ),
      choiceScores: new Float64Array(size),
      factorScores: new Float64Array(size),
      values: new Array<T>(size),
    };
    this.logWeights = new Float64Array(size);
    this.scores = new Float64Array(size);
    this.ended = new Uint8Array(size);
    this.dead = new Uint8Array(size);
    if (proposal !== null) this.scout(proposal);
  }

  fail(): never {
    throw new OneByOne('weights', 'all of them turn out impossible');
  }

  readonly hasEnded = (i: number): boolean => this.ended[i] === 1;

  /** Values and scores of the particles, in order. */
  get samples(): Samples<T> {
    return { values: this.state.values, scores: this.scores };
  }

  /** The particles one by one, as executions alone have them. */
  get particles(): Particle<T>[] {
    const { traces } = this.state;
    return Array.from(this.scores, (score, i) => this.particle(traces.origins[i], this.choicesOf(i), score));
  }

  protected particle(origin: number, values: unknown[], score: number): Particle<T> {
    return new Particle<T>(this.entry.streamOf(1 + origin), values, this.factors, score);
  }

  /** The values of the choices of one particle. */
  protected choicesOf(i: number): unknown[] {
    const { traces } = this.state;
    return Array.from({ length: traces.lengths[i] }, (_, k) => traces.choiceAt(i, k).values.at(i));
  }

  /** The same after each step of a last rejuvenation, particle by particle. */
  rejuvenatedSamples(): Samples<T> {
    const { state, steps, size } = this;
    const everybody = Int32Array.from({ length: size }, (_, i) => i);
    const values = new Array<T>(size * steps);
    const scores = new Float64Array(size * steps);
    const random = this.entry.streamOf(0).named('final rejuvenation');
    this.move(this.ours(everybody), Infinity, random, (step) => {
      for (let i = 0; i < size; i++) {
        values[i * steps + step] = state.values[i];
        scores[i * steps + step] = state.choiceScores[i] + state.factorScores[i];
      }
    });
    return { values, scores };
  }

  /** As in the reference, where one execution goes ahead of all others, and may be the first to use a guide. */
  private scout(proposal: Proposal): void {
    const { entry, size } = this;
    const scout = new Continuation(entry, this.model, proposal);
    scout.run(new Particle<T>(entry.streamOf(1)), SCOUTED, entry.streamOf(size + 1));
    this.guidedFrom = scout.guidedFrom;
  }

  private running(): Int32Array {
    const numbers: number[] = [];
    for (let i = 0; i < this.size; i++) if (this.ended[i] === 0 && this.dead[i] === 0) numbers.push(i);
    return Int32Array.from(numbers);
  }

  /** Those of these particles that are executed here. */
  protected ours(numbers: Int32Array): Int32Array {
    return numbers;
  }

  /** Goes on with the particles to their next factor, at which all are weighed. */
  advance(): boolean {
    const running = this.running();
    if (running.length === 0) return false;
    const { state, logWeights, dead } = this;
    // Impossible executions stay so; those that have ended wait.
    for (let i = 0; i < this.size; i++) if (dead[i] === 1) logWeights[i] = -Infinity;
    const before = state.traces;
    inGroups(this.ours(running), (who) => {
      const { entry, scores, factors, proposal } = this;
      const run = new ColumnContinuation(entry, who, before, scores, state.choiceScores, factors, proposal);
      const ends = run.run(entry, this.model);
      const ran = new Uint8Array(this.size);
      who.forEach((i, slot) => {
        ran[i] = 1;
        logWeights[i] += run.weights[slot];
        scores[i] = run.scores[slot];
        state.choiceScores[i] = run.choiceScores[slot];
        state.factorScores[i] += run.factorScores[slot];
        if (run.weights[slot] === -Infinity) dead[i] = 1;
        else if (ends.has(i)) {
          this.ended[i] = 1;
          state.values[i] = ends.get(i) as T;
        }
      });
      if (run.usedGuides) this.guidedFrom = Math.min(this.guidedFrom, factors);
      state.traces = state.traces.extended(run.chosen, who, ran);
    });
    this.factors++;
    return true;
  }

  /** Gives each particle its number of children. */
  replace(children: Int32Array): void {
    const { state } = this;
    const parents = parentsOf(children);
    this.follow(parents);
    state.traces = state.traces.gathered(parents);
    state.choiceScores = numbersAt(state.choiceScores, parents);
    state.factorScores = numbersAt(state.factorScores, parents);
    state.values = itemsAt(state.values, parents);
    this.scores = numbersAt(this.scores, parents);
    this.ended = this.ended.map((_, i, all) => all[parents[i]]);
    this.dead = this.dead.map((_, i, all) => all[parents[i]]);
    this.logWeights.fill(0);
  }

  /** Particles take the places of others: for each place, that of its parent. */
  protected follow(_parents: Int32Array): void {}

  rejuvenate(): void {
    if (this.steps === 0) return;
    const { state, scores } = this;
    const random = this.entry.streamOf(0).named(`rejuvenation ${this.factors}`);
    const running = this.ours(this.running());
    this.move(running, this.factors, random, () => {});
    for (const i of running) scores[i] = state.choiceScores[i] + state.factorScores[i];
  }

  private move(numbers: Int32Array, limit: number, random: RandomStream, moved: (step: number) => void): void {
    const occurrence = random.occurrence();
    const randoms: RandomStream[] = [];
    for (const i of numbers) randoms[i] = random.child(occurrence, i);
    for (let step = 0; step < this.steps; step++) {
      if (numbers.length > 0) this.kernel.step(this.state, numbers, limit, randoms);
      moved(step);
    }
  }
}

type Mutable<O> = { -readonly [K in keyof O]: O[K] };
