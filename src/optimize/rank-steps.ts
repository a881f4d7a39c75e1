/**
 * Steps that several ranks make together: each estimates its share, and one sum over all ranks gives all of them the objective, the
 * gradients and what averages learn. After that all do the same, so that parameters stay equal. `division.ts` says what a share is.
 */
import { exchanged } from '../ranks/divided.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { during, machine } from '../runtime/machine.ts';
import type { ParameterTable } from '../runtime/parameters.ts';
import { notDivided } from '../runtime/signals.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { BadStep } from './bad-terms.ts';
import type { Estimate, Steps } from './estimator.ts';
import type { PackedParameters, ParameterGroup } from './packed-parameters.ts';

/** What ranks tell each other first: how many of them found something, and the objective. */
const WHOLE = 0;
const BAD = 1;
const NEW = 2;
const PASSES = 3;
const OBJECTIVE = 4;
const FLAGS = 5;

/** Parameters are compared after so many steps. */
const COMPARED_EVERY = 50;

/** A parameter that some rank has met, with its place among the gradients of its precision. */
interface Known {
  readonly name: string;
  readonly precision: ParameterGroup['precision'];
  readonly start: number;
  readonly length: number;
}

/** What a rank has met and others may not know. */
interface News {
  readonly parameters: readonly { name: string; precision: Known['precision']; tensor: Tensor }[];
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
  private readonly known: Known[] = [];
  private readonly byName = new Map<string, Known>();
  private readonly lengths = { f64: 0, f32: 0 };
  /** Whether all ranks have met the same parameters in every step so far. */
  private alike = true;
  /** Whether it is settled what is divided. */
  private settled = false;

  constructor(
    private readonly steps: Steps,
    private readonly together: NonNullable<Steps['together']>,
    private readonly parameters: PackedParameters,
    private readonly table: ParameterTable,
  ) {}

  /** Makes a step; its gradients are then with the parameters. Gives the objective. */
  estimate(step: number): number {
    const { division, averages, note } = this.together;
    for (;;) {
      if (division.mode === 'nothing') return this.alone(step);
      const found = this.ownPart(step);
      const estimate = 'estimate' in found ? found.estimate : NOTHING;
      note(estimate);
      const objective = this.exchange(estimate, found);
      if (objective !== undefined) return objective;
      averages.forget();
    }
  }

  /** The norm of the gradient. Where ranks have met parameters in different orders, sums of squares may differ in the last digit. */
  norm(): number {
    const norm = this.parameters.norm();
    if (this.alike) return norm;
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

  /** A step of which every rank does all. */
  private alone(step: number): number {
    // Only to hear whether they are all well.
    this.together.division.team.sum('take a step', new Float64Array(0));
    const estimate = during({ apart: true }, () => this.steps(step));
    this.together.learn(estimate);
    if (estimate.gradients !== 'packed') this.parameters.take(estimate.gradients);
    return estimate.objective;
  }

  private ownPart(step: number): Found {
    const { division } = this.together;
    division.passes = 0;
    if (division.executions.count === 0) return { estimate: NOTHING };
    try {
      return { estimate: during({ apart: true }, () => this.steps(step)) };
    } catch (thrown) {
      if (thrown === notDivided) return { problem: notDivided };
      if (thrown instanceof BadStep) return { problem: thrown };
      throw thrown;
    }
  }

  /** The objective of all ranks; undefined if the step is to be made again, divided otherwise. */
  private exchange(estimate: Estimate, found: Found): number | undefined {
    const { division, averages } = this.together;
    for (;;) {
      const groups = this.groupsOf(estimate);
      const news = this.newsOf(groups, averages.fresh());
      const shared = this.filled(estimate, groups, found, news !== undefined);
      division.team.sum('take a step', shared.f64);
      if (shared.f64[WHOLE] > 0) {
        division.mode = 'nothing';
        this.explain(
          'each of them makes all of every step, because the program needs the results of all data in one place',
        );
        return undefined;
      }
      if (shared.f64[BAD] > 0) {
        averages.forget();
        throw 'problem' in found ? found.problem : new BadStepElsewhere();
      }
      if (!this.settled && this.changesMode(shared.f64[PASSES])) return undefined;
      if (shared.f64[NEW] > 0) {
        this.hear(news ?? { parameters: [], averages: [] });
        continue;
      }
      if (this.lengths.f32 > 0) division.team.sum('take a step', shared.f32);
      this.take(shared);
      averages.learn(shared.f64, FLAGS + this.known.length);
      return shared.f64[OBJECTIVE];
    }
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
        .filter((name) => !this.byName.has(name))
        .map((name) => ({ name, precision, tensor: this.table.get(name) as Tensor })),
    );
    return parameters.length === 0 && averages.length === 0 ? undefined : { parameters, averages };
  }

  /** Tells the others what is new here, and hears what is new there: in the same order on all ranks. */
  private hear(own: News): void {
    const all = exchanged('agree on parameters', this.together.division.team, own) as News[];
    for (const { parameters, averages } of all) {
      for (const { name, precision, tensor } of parameters) {
        if (this.byName.has(name)) continue;
        if (!this.table.has(name)) this.table.add(name, tensor);
        const known: Known = { name, precision, start: this.lengths[precision], length: tensor.length };
        this.lengths[precision] += tensor.length;
        this.known.push(known);
        this.byName.set(name, known);
      }
      this.together.averages.add(averages);
    }
  }

  /** What this rank adds to the sums: flags, which parameters it has met, notes of averages, and gradients. */
  private filled(estimate: Estimate, groups: readonly ParameterGroup[], found: Found, isNew: boolean): Shared {
    const { division, averages } = this.together;
    const { known, byName, lengths, parameters } = this;
    const from = FLAGS + known.length + averages.room;
    const f64 = new Float64Array(from + lengths.f64);
    const f32 = new Float32Array(lengths.f32);
    if ('problem' in found) f64[found.problem === notDivided ? WHOLE : BAD] = 1;
    f64[NEW] = isNew ? 1 : 0;
    f64[PASSES] = division.passes;
    f64[OBJECTIVE] = division.weight * estimate.objective;
    if (isNew || 'problem' in found) return { f64, f32 };
    averages.write(f64, FLAGS + known.length);
    const index = new Map(known.map(({ name }, i) => [name, i]));
    for (const { names } of groups) {
      for (const name of names) {
        const { precision, start } = byName.get(name) as Known;
        f64[FLAGS + (index.get(name) as number)] = 1;
        const gradient = estimate.gradients === 'packed' ? parameters.gradientOf(name) : estimate.gradients.get(name)!;
        const [into, at] = precision === 'f32' ? [f32, start] : [f64, from + start];
        for (let i = 0; i < gradient.length; i++) into[at + i] = division.weight * gradient[i];
      }
    }
    return { f64, f32 };
  }

  /** Takes over the gradients of all ranks. */
  private take({ f64, f32 }: Shared): void {
    const { known, parameters } = this;
    const { division, averages } = this.together;
    const from = FLAGS + known.length + averages.room;
    const met = known.filter((_, i) => f64[FLAGS + i] > 0);
    if (!known.every((_, i) => f64[FLAGS + i] === 0 || f64[FLAGS + i] === division.team.size)) this.alike = false;
    const groups = (['f64', 'f32'] as const)
      .map((precision) => ({
        precision,
        names: met.filter((one) => one.precision === precision).map(({ name }) => name),
      }))
      .filter(({ names }) => names.length > 0);
    parameters.meet(groups);
    parameters.load();
    for (const { name, precision, start, length } of met) {
      const at = precision === 'f32' ? start : from + start;
      parameters.gradientOf(name).set((precision === 'f32' ? f32 : f64).subarray(at, at + length));
    }
  }
}

interface Shared {
  readonly f64: Float64Array;
  readonly f32: Float32Array;
}

const WORDS = {
  data: 'the data of a step are divided among them',
  executions: 'the executions of a step are divided among them',
  nothing: 'each of them makes all of every step, because there are neither data nor executions to divide',
} as const;
