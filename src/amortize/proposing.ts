/** Executions whose choices a network proposes, weighed against the prior. */
import { givenGuide } from '../guides/guide-of.ts';
import { infiniteFactor } from '../inference/chains/reexecution.ts';
import { ChoicePlaces } from '../inference/particles/column-places.ts';
import { fromGuide } from '../inference/particles/proposals.ts';
import { guideTogether } from '../inference/sampling/column-guides.ts';
import type { ColumnWeighing } from '../inference/sampling/column-sampling.ts';
import { difference, giveUpImpossible, scoreNumbers } from '../inference/sampling/column-scores.ts';
import { drawColumns, scoreColumns } from '../lanes/columns/choices.ts';
import { column, fromLanes, lanesOf, truths } from '../lanes/columns/column.ts';
import { distributionAt, distributionOf } from '../lanes/columns/distribution.ts';
import { currentGroup } from '../lanes/columns/group.ts';
import { Doubles, type Words } from '../lanes/columns/kernel-memory.ts';
import type { Operand } from '../lanes/columns/kernels.ts';
import { addScores, dropScore } from '../lanes/columns/scores.ts';
import type { ColumnStreams } from '../lanes/columns/streams.ts';
import type { Address } from '../runtime/address.ts';
import { abandon } from '../runtime/execution.ts';
import type { Distribution, Handler, SampleOptions } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import type { Rounds } from '../runtime/rejection.ts';
import { OneByOne } from '../runtime/signals.ts';
import { ProposedRounds, type Weighing } from './proposed-rounds.ts';
import type { Proposer } from './proposer.ts';
import { Alone, type Recorder } from './recorder.ts';

/** The share of executions that draw from the prior: no weight is then larger than its inverse times the likelihood. */
export const DEFENCE = 0.02;

/** The log-weight of what was chosen, given the log of guide over prior, under the mixture of both. */
export function logWeight(ratio: number): number {
  if (ratio === Infinity) return -Infinity;
  return ratio > 0
    ? -(ratio + Math.log(DEFENCE * Math.exp(-ratio) + (1 - DEFENCE)))
    : -Math.log(DEFENCE + (1 - DEFENCE) * Math.exp(ratio));
}

/** For executions side by side. */
export class ColumnProposing implements ColumnWeighing, Weighing {
  readonly guided = true;
  /** Missing data are drawn, and the network is told that they are missing. */
  readonly synthesises = true;
  readonly usesAddresses = true;
  readonly reserved = 0;
  readonly choiceScores: Doubles;
  private scores: Doubles | null = null;
  /** Whether some choices are not yet in the scores. */
  private isBehind = false;
  private readonly places: ChoicePlaces;
  /** Executions that are in a loop that rejects: 1. */
  private readonly inLoop: Uint8Array;

  constructor(
    readonly name: string,
    private readonly proposer: Proposer,
    private readonly base: Address,
    protected readonly size: number,
    /** Whether weights count; without them executions are draws from the guide. */
    readonly weighs: boolean,
    /** Notes the choices, if training is to use them. */
    private readonly recorder: Recorder | null = null,
  ) {
    this.choiceScores = Doubles.zeros(size);
    this.places = new ChoicePlaces();
    this.inLoop = new Uint8Array(size);
  }

  sample<V>(given: Distribution<V>, options: SampleOptions<V> | undefined, address: Address): V {
    const streams = machine.stream as unknown as ColumnStreams;
    const own = options?.guide === undefined ? undefined : this.drawOwn(given, options, address, streams);
    const target = distributionOf(given);
    const { slots } = currentGroup();
    const { numbers, list } = this.proposer.choose({
      address,
      base: this.base,
      slots,
      target,
      uniforms: () => streams.begin().uniforms().array,
      normals: () => streams.begin().normals(0, 1).numbers.array,
      draw: (from) => lanesOf(drawColumns(from, streams.begin())),
      given: own,
      hasGuide: own !== undefined,
    });
    const value = numbers === null ? fromLanes(list!) : column(Doubles.of(numbers));
    this.recorder?.note(address, slots, target, value, own !== undefined);
    this.isBehind ||= own === undefined;
    return value as V;
  }

  /** Log-weights. Those of choices are computed when they are asked for: computing them takes longer than adding up log-ratios. */
  get factorScores(): Doubles | null {
    if (this.isBehind && this.weighs) this.catchUp();
    return this.scores;
  }

  set factorScores(scores: Doubles | null) {
    this.scores = scores;
  }

  private catchUp(): void {
    const { ratios, weights } = this.proposer;
    const scores = this.scores === null ? new Float64Array(this.size) : Float64Array.from(this.scores.array);
    for (let slot = 0; slot < scores.length; slot++) {
      const after = logWeight(ratios[slot]);
      if (after === weights[slot]) continue;
      scores[slot] += after - weights[slot];
      weights[slot] = after;
    }
    this.scores = Doubles.of(scores);
    this.isBehind = false;
  }

  /** Draws from a guide of the choice's own. */
  private drawOwn<V>(
    given: Distribution<V>,
    options: SampleOptions<V>,
    address: Address,
    streams: ColumnStreams,
  ): unknown[] {
    const guide = distributionOf(guideTogether(fromGuide, this.places, given, options, address, streams));
    const value = drawColumns(guide, streams.begin());
    this.weigh(difference(scoreColumns(distributionOf(given), value), scoreColumns(guide, value)));
    return lanesOf(value);
  }

  rejecting(): Rounds {
    return new ProposedRounds(this, this.proposer, this.recorder);
  }

  slots(): Int32Array {
    return currentGroup().slots;
  }

  weightAt(slot: number): number {
    return this.scores?.array[slot] ?? 0;
  }

  setWeight(slot: number, logWeight: number): void {
    if (this.scores !== null) this.scores.array[slot] = logWeight;
  }

  weighEach(scores: Float64Array): void {
    this.weigh(column(Doubles.of(scores)).numbers);
  }

  answer(leaves: Uint8Array): unknown {
    return truths(Doubles.of(Float64Array.from(leaves)));
  }

  /** (The weights of choices are computed when they are asked for, which is never inside a loop.) */
  loopBegins(): number {
    const slots = this.slots();
    // Executions that are in different rounds of an outer loop would have to be treated separately.
    if (this.weighs && this.inLoop[slots[0]] === 1) {
      throw new OneByOne('courses', 'it has a loop that rejects inside another');
    }
    for (let i = 0; i < slots.length; i++) this.inLoop[slots[i]] = 1;
    return 0;
  }

  loopEnds(slot: number): void {
    this.inLoop[slot] = 0;
  }

  factor(score: unknown): void {
    this.weigh(scoreNumbers(score));
    dropScore(score);
  }

  /** Executions go on as copies of others. */
  protected copied(ancestors: Words): void {
    this.places.copy(() => ancestors);
    this.proposer.copy(ancestors.array);
  }

  protected weigh(score: Operand): void {
    if (!this.weighs) return;
    this.scores ??= Doubles.zeros(this.size);
    addScores(this.scores, score);
    giveUpImpossible(score);
  }
}

const FIRST: readonly number[] = [0];
const ALONE = Int32Array.of(0);

/** For one execution. */
export class Proposing implements Handler, Weighing {
  readonly guided = true;
  /** What is missing is drawn, and the network knows. */
  readonly synthesises = true;
  readonly usesAddresses = true;
  logWeight = 0;
  /** Loops that are being made, one inside the other. */
  private loops = 0;

  constructor(
    readonly name: string,
    private readonly proposer: Proposer,
    private readonly base: Address,
    readonly weighs: boolean,
    private readonly recorder: Recorder | null = null,
  ) {}

  sample<V>(target: Distribution<V>, options: SampleOptions<V> | undefined, address: Address): V {
    let own: V | undefined;
    if (options?.guide !== undefined) {
      const guide = givenGuide(null, options.guide, address, options.guideSamples);
      own = guide.draw(machine.stream.begin());
      this.weigh(target.score(own) - guide.score(own));
    }
    const before = logWeight(this.proposer.ratios[0]);
    const { numbers, list } = this.proposer.choose({
      address,
      base: this.base,
      slots: FIRST,
      target: target as Distribution<unknown>,
      uniforms: () => [machine.stream.begin().uniform()],
      normals: () => [machine.stream.begin().gaussian()],
      draw: (from) => [distributionAt(from, 0).draw(machine.stream.begin())],
      given: own === undefined ? undefined : [own],
      hasGuide: own !== undefined,
    });
    if (this.loops === 0) this.weigh(logWeight(this.proposer.ratios[0]) - before);
    const value = (numbers === null ? list![0] : numbers[0]) as V;
    this.recorder?.note(address, ALONE, target as Distribution<unknown>, new Alone(value), own !== undefined);
    return value;
  }

  /** Rounds of a loop that rejects: see `proposed-rounds.ts`. */
  rejecting(): Rounds {
    return new ProposedRounds(this, this.proposer, this.recorder);
  }

  slots(): readonly number[] {
    return FIRST;
  }

  weightAt(): number {
    return this.logWeight;
  }

  setWeight(_slot: number, logWeight: number): void {
    this.logWeight = logWeight;
  }

  weighEach([score]: Float64Array): void {
    this.weigh(score);
  }

  answer([leaves]: Uint8Array): boolean {
    return leaves === 1;
  }

  loopBegins(): number {
    return this.loops++;
  }

  loopEnds(): void {
    this.loops--;
  }

  factor(score: number): void {
    this.weigh(score);
  }

  weigh(score: number): void {
    if (!this.weighs) return;
    if (score === -Infinity) throw abandon;
    if (score === Infinity) throw infiniteFactor();
    this.logWeight += score;
  }
}
