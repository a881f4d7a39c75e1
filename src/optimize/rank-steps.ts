/**
 * Steps that several ranks make together: each estimates its share, and one sum over all ranks gives all of them the objective, the
 * gradients and what averages learn. After that all do the same, so that parameters stay equal. `division.ts` says what a share is.
 */
import { exchanged } from '../ranks/divided.ts';
import { hushed, type Printed, print } from '../ranks/printed.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { during, machine } from '../runtime/machine.ts';
import type { ParameterTable } from '../runtime/parameters.ts';
import { notDivided } from '../runtime/signals.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { BadStep } from './bad-terms.ts';
import type { Estimate, Steps } from './estimator.ts';
import type { PackedParameters, ParameterGroup } from './packed-parameters.ts';
import { SharedGradients } from './shared-gradients.ts';

/** What ranks tell each other first: how many of them found something, and the objective. */
const WHOLE = 0;
const BAD = 1;
const NEW = 2;
const PASSES = 3;
const PRINTED = 4;
const OBJECTIVE = 5;
/** Something was found that decides about estimates, of which other ranks may not know. */
const FOUND = 6;
const FLAGS = 7;

/** Parameters are compared after so many steps. */
const COMPARED_EVERY = 50;

/** After so many steps that cannot be divided, none is. */
const MOST_UNDIVIDED = 3;

/** Parameters that a rank has met and others may not know. */
interface News {
  readonly parameters: readonly { name: string; precision: ParameterGroup['precision']; tensor: Tensor }[];
  readonly averages: readonly string[];
}

/** What a rank has found in a step: an estimate, or why there is none. */
type Found = { readonly estimate: Estimate } | { readonly problem: BadStep | typeof notDivided };

/** Another rank has found that a step is bad, and says why. */
export class BadStepElsewhere extends BadStep {
  constructor() {
    super('what another rank has computed of it is not finite.');
  }
}

const NOTHING: Estimate = { objective: 0, gradients: new Map() };

export class RankSteps {
  private readonly shared: SharedGradients;
  /** What the program has printed in this rank's share of the current step. */
  private printed: readonly Printed[] = [];
  /** Whether it is settled what is divided. */
  private settled = false;
  /** Steps that could not be divided. */
  private undivided = 0;
  /** Whether ranks have done different things: the same may then be added up in another order on each of them. */
  private haveParted = false;

  constructor(
    private readonly steps: Steps,
    private readonly together: NonNullable<Steps['together']>,
    private readonly parameters: PackedParameters,
    private readonly table: ParameterTable,
  ) {
    this.shared = new SharedGradients(parameters, together.division);
  }

  /** Makes a step; its gradients are then with the parameters. Gives the objective. */
  estimate(step: number): number {
    const { division, averages, findings } = this.together;
    for (;;) {
      if (division.mode === 'nothing' && !this.haveParted) return this.alone(step);
      this.haveParted = true;
      const objective = this.attempt(step);
      if (typeof objective === 'number') return objective;
      averages.forget();
      if (objective === 'whole') return division.undivided(() => this.whole(step));
      findings.goBack();
    }
  }

  private attempt(step: number): number | 'whole' | undefined {
    const found = this.ownPart(step);
    const estimate = 'estimate' in found ? found.estimate : NOTHING;
    this.together.note(estimate);
    return this.exchange(estimate, found);
  }

  /** A step of which each rank makes all, from what all have found: they then find the same. */
  private whole(step: number): number {
    const { findings } = this.together;
    findings.goBack();
    const objective = this.attempt(step) as number;
    findings.agree();
    return objective;
  }

  /** The norm of the gradient. Where ranks have met parameters in different orders, sums of squares may differ in the last digit. */
  norm(): number {
    const norm = this.parameters.norm();
    if (this.shared.alike) return norm;
    const own = new Uint8Array(Float64Array.of(norm).buffer);
    const { team } = this.together.division;
    const first = team.broadcast('scale gradients', team.rank === 0 ? own : undefined);
    return new Float64Array(first.slice().buffer)[0];
  }

  /** Throws if ranks have come to have different parameters. */
  compare(step: number, last: boolean): void {
    if (!last && step % COMPARED_EVERY !== COMPARED_EVERY - 1) return;
    const { team } = this.together.division;
    const hash = this.parameters.hash();
    const both = Float64Array.of(hash, -hash);
    team.largest('compare parameters', both);
    if (both[0] === -both[1]) return;
    throw new WaymarkError(
      `After step ${step} the ranks have different parameters. Every rank runs the whole program and has to come to the same: it must not ` +
        'depend on the clock, on the machine, or on files that differ, and all machines must have the same version of Waymark and Node.',
    );
  }

  /** The same where ranks have never done different things, so that they come to the same bits. */
  private alone(step: number): number {
    const { findings } = this.together;
    // Only to hear whether they are all well.
    this.together.division.team.sum('take a step', new Float64Array(0));
    const estimate = during({ apart: true }, () => this.steps(step));
    if (findings.areNew) findings.agree();
    this.together.learn(estimate);
    if (estimate.gradients !== 'packed') this.parameters.take(estimate.gradients);
    return estimate.objective;
  }

  private ownPart(step: number): Found {
    const { division } = this.together;
    division.passes = 0;
    this.printed = [];
    if (division.executions.count === 0) return { estimate: NOTHING };
    try {
      const { result, printed } = hushed(() => during({ apart: true }, () => this.steps(step)));
      // Where every rank does the same work, the first one prints.
      this.printed = division.mode === 'nothing' && division.team.rank > 0 ? [] : printed;
      return { estimate: result };
    } catch (thrown) {
      if (thrown === notDivided) return { problem: notDivided };
      if (thrown instanceof BadStep) return { problem: thrown };
      throw thrown;
    }
  }

  /** The objective of all ranks; undefined if the step is to be made again, divided otherwise, or for once as a whole. */
  private exchange(estimate: Estimate, found: Found): number | 'whole' | undefined {
    const { division, averages } = this.together;
    const { shared } = this;
    for (;;) {
      const groups = this.groupsOf(estimate);
      const news = this.newsOf(groups, averages.fresh());
      const isWhole = news === undefined && 'estimate' in found;
      const told = this.told(estimate, found, news !== undefined);
      if (isWhole) {
        averages.write(told, FLAGS + shared.marks);
        shared.mark(groups, told, FLAGS);
      }
      division.team.sum('take a step', told);
      // In the first step all choices are drawn, which may need the results of all data. From the next step on values may be tried,
      // which does not need them.
      if (told[WHOLE] > 0 && division.mode === 'data' && ++this.undivided < MOST_UNDIVIDED) return 'whole';
      if (told[WHOLE] > 0) {
        division.mode = 'nothing';
        this.explain(
          'each of them makes all of every step, because the program needs the results of all data in one place',
        );
        return undefined;
      }
      if (told[FOUND] > 0) return 'whole';
      if (told[BAD] > 0) {
        averages.forget();
        throw 'problem' in found ? found.problem : new BadStepElsewhere();
      }
      if (!this.settled && division.mode !== 'nothing' && this.changesMode(told[PASSES])) return undefined;
      if (told[NEW] > 0) {
        this.hear(news ?? { parameters: [], averages: [] });
        continue;
      }
      if (told[PRINTED] > 0) this.printAll();
      shared.exchange(estimate.gradients, groups, told, FLAGS);
      averages.learn(told, FLAGS + shared.marks);
      return told[OBJECTIVE];
    }
  }

  private printAll(): void {
    const all = exchanged('print', this.together.division.team, this.printed) as Printed[][];
    for (const ofOne of all) print(ofOne);
  }

  /** What this rank tells the others first, with room for marks and notes. */
  private told(estimate: Estimate, found: Found, isNew: boolean): Float64Array {
    const { division, averages, findings } = this.together;
    const told = new Float64Array(FLAGS + this.shared.marks + averages.room);
    if ('problem' in found) told[found.problem === notDivided ? WHOLE : BAD] = 1;
    told[NEW] = isNew ? 1 : 0;
    told[PASSES] = division.passes;
    told[PRINTED] = this.printed.length;
    told[OBJECTIVE] = division.weight * estimate.objective;
    told[FOUND] = findings.areNew && division.mode !== 'nothing' && !division.holdsShards ? 1 : 0;
    return told;
  }

  /** After the first step it is known whether there are data to divide. */
  private changesMode(passes: number): boolean {
    const { division } = this.together;
    this.settled = true;
    const { mode } = division;
    if (mode === 'data' && passes === 0) division.leaveData();
    this.explain(WORDS[division.mode]);
    return division.mode !== mode;
  }

  private explain(how: string): void {
    if (machine.run.engine?.explainBatching) {
      machine.run.warn(`Optimize runs on ${this.together.division.team.size} ranks: ${how}.`);
    }
  }

  private groupsOf({ gradients }: Estimate): readonly ParameterGroup[] {
    if (gradients === 'packed') return this.parameters.met;
    return Array.from(gradients, ([name, gradient]) => ({
      names: [name],
      precision: gradient instanceof Float32Array ? 'f32' : 'f64',
    }));
  }

  /** Parameters that have no place among the gradients, and averages without a number; undefined if there are none. */
  private newsOf(groups: readonly ParameterGroup[], averages: readonly string[]): News | undefined {
    const parameters = groups.flatMap(({ names, precision }) =>
      names
        .filter((name) => !this.shared.has(name))
        .map((name) => ({ name, precision, tensor: this.table.get(name) as Tensor })),
    );
    return parameters.length === 0 && averages.length === 0 ? undefined : { parameters, averages };
  }

  /** Tells the others what is new here, and hears what is new there: in the same order on all ranks. */
  private hear(own: News): void {
    const all = exchanged('agree on parameters', this.together.division.team, own) as News[];
    for (const { parameters, averages } of all) {
      for (const { name, precision, tensor } of parameters) {
        if (!this.table.has(name)) this.table.add(name, tensor);
        this.shared.add(name, precision, tensor.length);
      }
      this.together.averages.add(averages);
    }
  }
}

const WORDS = {
  data: 'the data of a step are divided among them',
  executions: 'the executions of a step are divided among them',
  nothing: 'each of them makes all of every step, because there are neither data nor executions to divide',
} as const;
