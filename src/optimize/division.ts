/**
 * How the steps of an optimisation are divided among ranks.
 *
 * Each rank looks at a share of the data of every `mapData` in a model, as if it were a minibatch: a datum stands for as many as there
 * are ranks. Everything else is the same on all ranks. So the estimate of a rank is `G + N · P`, with G for what is outside, P for its
 * share, and N ranks; the mean over ranks is `G` plus all shares, which is the estimate of one process. That holds for weights
 * of choices too, since these are sums of costs. Random numbers belong to the datum, and not to the rank.
 *
 * Where no data can be divided, the executions of a step are.
 */

import { machine } from '../runtime/machine.ts';
import { notDivided } from '../runtime/signals.ts';
import { currentTeam, type Share, shareOf, type Team } from '../runtime/team.ts';
import type { PassEvent, Strand } from './record.ts';
import type { SiteRule } from './sites/rule.ts';
import type { StepOptions } from './step-options.ts';

export class Division {
  /** What is divided; nothing if every rank does all of it. */
  mode: 'data' | 'executions' | 'nothing';
  /** Passes over data that were divided in the step at hand. */
  passes = 0;
  /** Whether there are data of which each rank has only a part, so that no rank can make a whole step. */
  holdsShards = false;
  private waits = false;

  constructor(
    readonly team: Team,
    /** Executions per step. */
    private readonly samples: number,
    /** Whether data may be divided. */
    data: boolean,
  ) {
    this.mode = data ? 'data' : this.otherwise;
  }

  /** Divides nothing until the first step has shown whether data can be divided. */
  wait(): this {
    this.mode = 'nothing';
    this.waits = true;
    return this;
  }

  /** What the first step has shown. */
  heard(data: boolean): void {
    if (this.waits && data) this.mode = 'data';
    this.waits = false;
  }

  /** Does something with nothing divided. */
  undivided<R>(work: () => R): R {
    const { mode } = this;
    this.mode = 'nothing';
    try {
      return work();
    } finally {
      this.mode = mode;
    }
  }

  /** What to divide where data cannot be divided. */
  private get otherwise(): Division['mode'] {
    return this.samples > 1 ? 'executions' : 'nothing';
  }

  /** No data could be divided. */
  leaveData(): void {
    this.mode = this.otherwise;
  }

  /** The executions that this rank makes. */
  get executions(): Share {
    return this.mode === 'executions' ? shareOf(this.samples, this.team) : { first: 0, count: this.samples };
  }

  /** How much the estimate of this rank counts in that of all. */
  get weight(): number {
    return this.mode === 'executions' ? this.executions.count / this.samples : 1 / this.team.size;
  }

  /** This rank's share of a pass over data; undefined if each rank makes all of it. */
  pass(count: number): Share | undefined {
    if (this.mode !== 'data' || count < this.team.size) return undefined;
    this.passes++;
    return shareOf(count, this.team);
  }
}

/** What ranks have to know of how their steps are divided. */
export type StepDivision = Pick<
  Division,
  'mode' | 'passes' | 'team' | 'executions' | 'weight' | 'leaveData' | 'holdsShards' | 'undivided'
>;

/**
 * How the steps of an objective that is a mean over executions are divided. Graphs, explanations and weights speak of all data; weights
 * that are the cost of the whole execution need all of it. Samples that are weighed against each other (`sampled`) can be divided where they
 * are of single data: with the data.
 */
export function divisionOf(
  { samples, localWeights, dumpGraph, debugWeights }: StepOptions,
  sampled: boolean,
): Division | null {
  const team = currentTeam();
  const { explainGuides } = machine.run.engine ?? {};
  if (team === undefined || dumpGraph !== false || debugWeights || explainGuides) return null;
  const division = new Division(team, samples, localWeights);
  return sampled ? division.wait() : division;
}

/**
 * A choice in a divided pass that is weighed by what comes after it needs all of that. If another divided pass comes after it,
 * other ranks have part of that.
 */
export function checkOrder({ events }: Strand): void {
  const passes = events.filter((event): event is PassEvent => event.kind === 'pass' && event.divided === true);
  if (passes.slice(0, -1).some(({ items }) => items.some((item) => needsAll(item, false)))) throw notDivided;
}

/**
 * Whether a choice in it needs all that comes after the pass. It does not if all of its values are tried for each datum: what comes
 * after the pass is the same for all values, so that it adds nothing to the sum of their gradients.
 */
function needsAll({ events, varied }: Strand, isVaried: boolean): boolean {
  const within = isVaried || varied !== undefined;
  return events.some((event) => {
    if (event.kind === 'choice') return event.rule.weighed && !(within && event.tried !== undefined);
    return event.kind === 'pass' && event.sampled === undefined && event.items.some((item) => needsAll(item, within));
  });
}

/** What a baseline is compared with, or learns from, may be on other ranks. */
export function checkBaseline(baseline: SiteRule['baseline'], division: Division | null): void {
  const mode = division?.mode ?? 'nothing';
  if (baseline === 'siblings' && mode === 'executions') throw notDivided;
  if (baseline === 'learned' && mode !== 'nothing') throw notDivided;
}

const trap = (): never => {
  throw notDivided;
};

/** What a divided `mapData` gives. Looking at it needs the results of all data, which only undivided steps have. */
export const elsewhere: readonly unknown[] = new Proxy([], {
  get: trap,
  set: trap,
  has: trap,
  ownKeys: trap,
  deleteProperty: trap,
  defineProperty: trap,
  getPrototypeOf: trap,
  getOwnPropertyDescriptor: trap,
});
