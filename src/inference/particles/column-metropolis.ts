/** Single-site Metropolis–Hastings for executions side by side: each proposes at a choice of its own, and is decided alone. */
import { inGroups } from '../../lanes/columns/run.ts';
import type { Entry } from '../../runtime/execution.ts';
import type { Distribution } from '../../runtime/handler.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { isClosed } from '../../runtime/refusal.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { sameValue } from '../../runtime/values.ts';
import type { Model } from '../algorithm.ts';
import { proposalFrom, warnOfImpossible } from '../chains/drift.ts';
import type { MHOptions } from '../chains/mh.ts';
import type { Items } from './column-choices.ts';
import { ColumnProposals } from './column-proposals.ts';
import { ColumnSites } from './column-sites.ts';
import type { ChoiceColumn, ColumnTraces } from './column-traces.ts';

/** Executions, by number, as Metropolis–Hastings moves them. */
export interface ColumnState<T> {
  traces: ColumnTraces;
  /** The sums of the scores of choices, and of factors. */
  readonly choiceScores: Float64Array;
  readonly factorScores: Float64Array;
  /** The values of executions that have ended. */
  readonly values: T[];
}

/** What executions propose, by their numbers. */
class Proposals {
  /** The executions for which a move is proposed, in order. */
  readonly movers: number[] = [];
  /** The choices, and how likely the values were to be drawn. */
  readonly choices: ChoiceColumn[];
  readonly forward: Float64Array;
  /** Logarithms of uniform numbers, which decide. */
  readonly thresholds: Float64Array;
  /** Where the streams were. */
  readonly positions: Int32Array;
  /** The values of choices with what is proposed. */
  readonly values = new Map<ChoiceColumn, Items>();

  constructor(
    private readonly traces: ColumnTraces,
    readonly sites: ColumnSites,
  ) {
    const { size } = traces;
    this.choices = new Array(size);
    this.forward = new Float64Array(size);
    this.thresholds = new Float64Array(size);
    this.positions = new Int32Array(size);
  }

  /** Draws another value for a choice, picked uniformly, unless there is none, or it is what it was, or impossible. */
  add(number: number, random: RandomStream): void {
    const { traces, sites } = this;
    const count = sites.count(traces, number);
    if (count === 0) return;
    const choice = sites.pick(traces, number, random.integer(count));
    const distribution = choice.distributions.at(number);
    const before = choice.values.at(number);
    const drifts = choice.options?.driftKernel !== undefined;
    const proposal = drifts ? drift(choice, distribution, before) : distribution;
    const value = proposal.draw(random);
    if (!distribution.isContinuous && sameValue(value, before)) return;
    this.thresholds[number] = Math.log(random.uniform());
    if (drifts && distribution.score(value) === -Infinity) {
      warnOfImpossible(distribution);
      return;
    }
    this.movers.push(number);
    this.choices[number] = choice;
    this.forward[number] = proposal.score(value);
    this.positions[number] = random.position;
    const values = this.values.get(choice) ?? choice.values.copy();
    this.values.set(choice, values.with(number, value));
  }

  /** How likely the old value is to be proposed from the new one. */
  reverse(number: number): number {
    const choice = this.choices[number];
    if (choice.options?.driftKernel === undefined) return choice.scores.list[number] as number;
    const value = this.values.get(choice)!.at(number);
    return drift(choice, choice.distributions.at(number), value).score(choice.values.at(number));
  }
}

/** What a drift kernel proposes from; it must depend on the value alone. */
function drift(choice: ChoiceColumn, distribution: Distribution<unknown>, value: unknown): Distribution<unknown> {
  const { address, options } = choice;
  if (!isClosed(options!.driftKernel!)) throw new OneByOne('library', 'a drift kernel is a function of the program');
  return proposalFrom({ address, options, distribution } as never, value);
}

export class ColumnMetropolis<T> {
  private readonly sites: ColumnSites;

  constructor(
    private readonly entry: Entry,
    private readonly model: Model<T>,
    { discreteOnly }: Pick<MHOptions, 'discreteOnly'>,
  ) {
    this.sites = new ColumnSites(discreteOnly);
  }

  /** One step of the executions with these numbers, which stop after `limit` factors. `randoms` are by number. */
  step(state: ColumnState<T>, numbers: Int32Array, limit: number, randoms: readonly RandomStream[]): void {
    const before = state.traces;
    const proposals = new Proposals(before, this.sites);
    for (const number of numbers) proposals.add(number, randoms[number].begin());
    if (proposals.movers.length === 0) return;
    inGroups(Int32Array.from(proposals.movers), (who) => {
      // Executions that part start again in groups, and draw the same numbers again.
      for (const number of who) randoms[number].goTo(proposals.positions[number]);
      const run = new ColumnProposals(who, before, proposals.values, limit, randoms);
      const ends = run.run(this.entry, this.model);
      decide(state, before, run, proposals, limit === Infinity ? ends : null);
    });
  }
}

/** Moves the executions whose proposal is accepted. `ends` has what they returned, if they were to come to their ends. */
function decide<T>(
  state: ColumnState<T>,
  before: ColumnTraces,
  run: ColumnProposals,
  proposals: Proposals,
  ends: ReadonlyMap<number, T> | null,
): void {
  const { who, reached } = run;
  const accepted = new Uint8Array(before.size);
  let count = 0;
  for (let slot = 0; slot < who.length; slot++) {
    const number = who[slot];
    const possible = ends === null ? reached[slot] === 1 : ends.has(number);
    if (!possible || !(proposals.thresholds[number] < ratio(state, before, run, slot, proposals))) continue;
    accepted[number] = 1;
    count++;
    state.choiceScores[number] = run.choiceScores[slot];
    state.factorScores[number] = run.factorScores[slot];
    if (ends !== null) state.values[number] = ends.get(number) as T;
  }
  if (count > 0) state.traces = state.traces.replaced(run.chosen, who, accepted);
}

/** The logarithm of the acceptance ratio, term by term as executions alone compute it. */
function ratio<T>(
  state: ColumnState<T>,
  before: ColumnTraces,
  run: ColumnProposals,
  slot: number,
  proposals: Proposals,
): number {
  const number = run.who[slot];
  const { sites } = proposals;
  return (
    run.choiceScores[slot] +
    run.factorScores[slot] -
    (state.choiceScores[number] + state.factorScores[number]) +
    Math.log(sites.count(before, number) / sites.countAfter(run, slot)) +
    (proposals.reverse(number) + run.staleScore(slot)) -
    (proposals.forward[number] + run.freshScores[slot])
  );
}
