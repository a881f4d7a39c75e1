/**
 * A step that runs without the program. If recording it looked at no value that may change, a step is a fixed function of the
 * parameters, the random numbers and the baselines, and its plan is run again.
 *
 * - **Leaves.** While a step is recorded, `lanes/rerun.ts` notes every leaf of its graph that will change (parameters, random
 *   numbers, baselines, the data of a minibatch), and how to find its value again.
 * - **Guards.** Where the program looked at a truth value or a whole number that may be another in a later step, that value
 *   is computed along with the step. If it is another, the program is run, and recorded again. A few ways through the program
 *   are kept (`compiled-steps.ts`); a program that takes a new way in most steps is run in every step.
 * - **What is not compiled**: programs that read the clock (`lanes/clocks.ts`) or call `Math.random`; with `onStep`, programs
 *   of which the compiler does not see that only the callback reads what it writes (`analyse/quiet.ts`).
 * - **Around the plan.** Parameters lie packed in buffers on the device (`packed-parameters.ts`), where the plan reads them
 *   and leaves their gradients, and one pass moves them (`parameter-pack.ts`). The table of parameters is brought up to date
 *   when it is read. Where each lane has parameters of its own, they are one leaf (`leaves.ts`). All streams that draw plain
 *   random numbers draw together (`lanes/stream-forest.ts`). Baselines are numbers in arrays, found by the number of a lane's
 *   path (`lane-paths.ts`).
 * - **What a plan costs** depends on what was recorded, and on how it is rewritten before it is divided into kernels
 *   (`tensor/hoist.ts`, `tensor/logarithm.ts`, `tensor/plan/program.ts`). `test/tensor/identities.test.ts` holds such
 *   rewriting to values and gradients.
 * - **Precision.** Networks compute in single precision while they are trained (`nn/engine.ts`), and everything else in
 *   double. `--precision double` is for comparing digits.
 */

import { changedShape } from '../lanes/lane-numbers.ts';
import { closedLanes } from '../lanes/lanes.ts';
import { Recording } from '../lanes/recordings/recording.ts';
import type { Rerun } from '../lanes/rerun.ts';
import { mapNode } from '../tensor/lane-gather.ts';
import type { Data, Node } from '../tensor/node.ts';
import { compilePlan, type Plan, type RunInput } from '../tensor/plan/compile.ts';
import { forget } from '../tensor/plan/forget.ts';
import type { ResidentBuffer } from '../tensor/wasm/resident.ts';
import type { WeightsOfSome } from './lane-baselines.ts';
import type { ChangingNames, LeafTable, PartlyMet } from './leaves.ts';
import type { PackedParameters, ParameterGroup } from './packed-parameters.ts';
import type { StepDraws } from './step-draws.ts';
import type { Weighted } from './surrogate.ts';

/** What a step computes, as nodes or as their values. */
export interface StepValues<V> {
  readonly cost: V;
  /** In the order of the leaf table's blocks. */
  readonly gradients: readonly V[];
  /** In the order of the weighted choices. */
  readonly weights: readonly (V extends Node ? V : Weight)[];
}

/** The weight of a choice: for all lanes, for each, or for each of those that took a side of a conditional. */
export type Weight = number | Data | WeightsOfSome;

const NO_NUMBERS: readonly number[] = [];

/** Whether baselines of this kind learn from the weights of a step. */
const learns = (baseline: Weighted['choice']['rule']['baseline']): boolean =>
  baseline === undefined || baseline === 'learned';

export class CompiledStep {
  private readonly recording: Recording<readonly RunInput[], readonly (number | Data)[]>;
  private readonly plan: Plan;
  private readonly gradients: number;
  private readonly groups: readonly ParameterGroup[];
  /** Blocks of parameters that belong to the data of a minibatch. */
  private readonly changing: readonly (ChangingNames | undefined)[];
  /** Blocks of parameters of which a step meets those of lanes that take a side. */
  private readonly partly: readonly (PartlyMet | undefined)[];
  /** Where the parameters of each block are; undefined for those that do not stand one after the other. */
  private values: readonly (ResidentBuffer | undefined)[] = [];
  private moves = -1;
  /** For each weighted choice, whether its lanes are open. */
  private readonly some: readonly boolean[];
  /** Blocks whose gradient is not written in place, and so has to be copied. */
  private copied: readonly { readonly output: number; readonly group: number }[] = [];

  constructor(
    nodes: StepValues<Node>,
    readonly rerun: Rerun,
    leaves: LeafTable,
    private readonly parameters: PackedParameters,
    readonly weighted: readonly Weighted[],
    private readonly later: { draws: StepDraws | null },
  ) {
    this.gradients = nodes.gradients.length;
    this.groups = leaves.blocks.map(({ names, node }) => ({ names, precision: node.dtype === 'f32' ? 'f32' : 'f64' }));
    const { guards } = rerun;
    this.some = weighted.map(({ lanes }) => lanes?.space.isOpen === true);
    const places = weighted.flatMap(({ lanes }, i) =>
      this.some[i] ? [mapNode(lanes!.space, closedLanes(lanes!).space)] : [],
    );
    this.partly = leaves.blocks.map((block) => leaves.partlyMet(block));
    const met = this.partly.flatMap((block) => block?.places ?? []);
    const outputs = [nodes.cost, ...nodes.gradients, ...nodes.weights, ...places, ...met];
    const computed = [...outputs, ...guards.map(({ node }) => node)];
    const inputs = [...leaves.leaves, ...rerun.leaves.map(({ node }) => node)];
    if (this.isGuarded || rerun.isOpen) forget(computed, inputs);
    const plan = compilePlan(computed, inputs);
    this.plan = plan;
    this.recording = new Recording(
      plan,
      outputs.length,
      guards.map(({ expected }) => expected),
    );
    this.changing = leaves.blocks.map(({ changing }) => changing);
    const declared: string[] = [];
    parameters.meet(this.groupsNow(declared));
    this.settle();
    if (declared.length > 0) parameters.withdraw(declared);
  }

  /**
   * Finds where parameters are now: as more are met, those of one precision may move to a longer buffer. False if the plan cannot be
   * told, because a gradient that is written in place has none any more.
   */
  private settle(): boolean {
    const { parameters, groups, changing, partly, plan, gradients } = this;
    const stays = (i: number): boolean => changing[i] === undefined && partly[i] === undefined;
    const copied: { output: number; group: number }[] = [];
    for (let i = 0; i < gradients; i++) {
      const place = stays(i) ? parameters.gradientsOf(groups[i]) : undefined;
      const isPlaced = place !== undefined && plan.intoIfPossible(i + 1, place);
      if (!isPlaced) copied.push({ output: i + 1, group: i });
    }
    if (this.moves >= 0 && copied.length !== this.copied.length) return false;
    this.values = groups.map((group, i) => (stays(i) ? parameters.valuesOf(group) : undefined));
    this.copied = copied;
    this.moves = parameters.moves;
    return true;
  }

  /** The parameters of the step at hand; adds those that it declares to `declared`. */
  private groupsNow(declared: string[]): readonly ParameterGroup[] {
    const { groups, changing, partly, parameters } = this;
    if (!this.areOthers) return groups;
    return groups.map((group, i) => {
      const block = changing[i] ?? partly[i];
      if (block === undefined) return group;
      const names = changing[i]?.namesNow() ?? group.names;
      for (const name of names) {
        if (parameters.has(name)) continue;
        if (!parameters.isDeclared(name)) declared.push(name);
        block.declare(name);
      }
      return { names, precision: group.precision };
    });
  }

  /** Whether steps meet different parameters. */
  private get areOthers(): boolean {
    return [...this.changing, ...this.partly].some((block) => block !== undefined);
  }

  /** Those of the groups that the step has met, once it has run: a parameter that none has met has no gradient. */
  private metGroups(
    groups: readonly ParameterGroup[],
    results: readonly (number | Data)[],
  ): readonly (readonly boolean[] | undefined)[] {
    const { partly, plan, recording } = this;
    let output = recording.outputs - partly.reduce((count, block) => count + (block?.places.length ?? 0), 0);
    return partly.map((block, i) => {
      if (block === undefined) return undefined;
      const isMet = groups[i].names.map(() => false);
      for (const _ of block.places) {
        const places = results[output];
        const count = plan.lanesOf!(output++)!;
        if (typeof places === 'number') isMet[places] = true;
        else for (let lane = 0; lane < count; lane++) isMet[places[lane]] = true;
      }
      return isMet;
    });
  }

  /** Takes over gradients that were not written in place, of the parameters that were met. */
  private putGradients(
    groups: readonly ParameterGroup[],
    results: readonly (number | Data)[],
    declared: readonly string[],
  ): void {
    const { parameters, copied, partly } = this;
    for (const { output, group } of copied) parameters.put(groups[group].names, results[output]);
    if (partly.every((block) => block === undefined)) return;
    const met = this.metGroups(groups, results);
    const own = groups.map(({ names, precision }, i) => {
      const isMet = met[i];
      return isMet === undefined ? groups[i] : { names: names.filter((_, at) => isMet[at]), precision };
    });
    const known = new Set(own.flatMap(({ names }) => names));
    const unmet = declared.filter((name) => !known.has(name));
    if (unmet.length > 0) parameters.withdraw(unmet);
    parameters.meet(own);
  }

  private weightsFrom(results: readonly (number | Data)[]): readonly Weight[] {
    const { some } = this;
    let places = some.length;
    return some.map((isSome, i) => {
      const weights = results[i];
      if (!isSome) return weights;
      const count = this.plan.lanesOf!(1 + this.gradients + places)!;
      return { weights, places: results[places++] as Data, count };
    });
  }

  /** Whether it is only that of executions in which the program sees the same. */
  get isGuarded(): boolean {
    return this.rerun.guards.length > 0;
  }

  /** Whether it depends on nothing but the parameters, which alone learn from it: nothing is drawn or chosen. */
  get isFunctionOfParameters(): boolean {
    const { rerun, copied, weighted, values } = this;
    if (this.isGuarded || rerun.leaves.length > 0 || rerun.hasRequirements) return false;
    if (copied.length > 0 || weighted.some(({ choice: { rule } }) => learns(rule.baseline))) return false;
    return !this.areOthers && values.every((buffer) => buffer !== undefined);
  }

  /** Runs such a step once more; undefined if it has to be run by `attempt`. Weights are those of this run until the next one. */
  repeat(): StepValues<number | Data> | undefined {
    const { parameters, plan, weighted, gradients } = this;
    parameters.meet(this.groups);
    if (this.moves !== parameters.moves) return undefined;
    parameters.load();
    if (!plan.again?.(NO_NUMBERS)) return undefined;
    const cost = plan.outputOf!(0);
    if (!Number.isFinite(cost)) return undefined;
    return { cost, gradients: [], weights: weighted.map((_, i) => plan.outputOf!(1 + gradients + i)) };
  }

  /**
   * Runs the step, unless its data are of another size than those recorded, the program would see something else, or
   * something comes out that is no number.
   */
  attempt(draws: StepDraws): StepValues<number | Data> | undefined {
    this.later.draws = draws;
    this.rerun.begin((k) => draws.streamOf(k));
    if (!this.rerun.fits()) return undefined;
    const declared: string[] = [];
    const values = this.run(this.groupsNow(declared), declared);
    if (values === undefined && declared.length > 0) this.parameters.withdraw(declared);
    return values;
  }

  private run(groups: readonly ParameterGroup[], declared: readonly string[]): StepValues<number | Data> | undefined {
    const { parameters } = this;
    parameters.meet(groups);
    if (this.moves !== parameters.moves && !this.settle()) return undefined;
    parameters.load();
    try {
      const inputs: RunInput[] = groups.map((group, i) => this.values[i] ?? parameters.copyOf(group));
      for (const leaf of this.rerun.leaves) inputs.push(leaf.value());
      const { recording } = this;
      if (!recording.run(inputs)) return undefined;
      const { results, outputs } = recording;
      const cost = results[0];
      if (!Number.isFinite(cost)) return undefined;
      this.putGradients(groups, results, declared);
      return { cost, gradients: [], weights: this.weightsFrom(results.slice(1 + this.gradients, outputs)) };
    } catch (thrown) {
      if (thrown === changedShape) return undefined;
      throw thrown;
    }
  }
}
