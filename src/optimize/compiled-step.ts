/**
 * A step that runs without the program: if recording it looked at no value, the step is a fixed function of the
 * parameters, the noise and the baselines, and its plan is simply run again. Parameters are read, and gradients written,
 * where the optimisation keeps them.
 */

import { changedShape } from '../lanes/lane-numbers.ts';
import type { Rerun } from '../lanes/rerun.ts';
import type { Data, Node } from '../tensor/node.ts';
import { compilePlan, type Plan, type RunInput } from '../tensor/plan/compile.ts';
import { forget } from '../tensor/plan/forget.ts';
import type { ResidentBuffer } from '../tensor/wasm/resident.ts';
import type { ChangingNames, LeafTable } from './leaves.ts';
import type { PackedParameters, ParameterGroup } from './packed-parameters.ts';
import type { StepDraws } from './step-draws.ts';
import type { Weighted } from './surrogate.ts';

/** What a step computes, as nodes or as their values. */
export interface StepValues<V> {
  readonly cost: V;
  /** In the order of the leaf table's blocks. */
  readonly gradients: readonly V[];
  /** In the order of the weighted choices. */
  readonly weights: readonly V[];
}

export class CompiledStep {
  private readonly plan: Plan;
  private readonly gradients: number;
  private readonly groups: readonly ParameterGroup[];
  /** Blocks of parameters that belong to the data of a minibatch. */
  private readonly changing: readonly (ChangingNames | undefined)[];
  /** Where the parameters of each block are; undefined for those that do not stand one after the other. */
  private readonly values: readonly (ResidentBuffer | undefined)[];
  private readonly moves: number;
  /** Blocks whose gradient is not written in place, and so has to be copied. */
  private readonly copied: { readonly output: number; readonly group: number }[] = [];

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
    const outputs = [nodes.cost, ...nodes.gradients, ...nodes.weights, ...rerun.guards.map(({ node }) => node)];
    const inputs = [...leaves.leaves, ...rerun.leaves.map(({ node }) => node)];
    if (this.isGuarded) forget(outputs, inputs);
    this.plan = compilePlan(outputs, inputs);
    this.changing = leaves.blocks.map(({ changing }) => changing);
    parameters.meet(this.groups);
    this.moves = parameters.moves;
    const stays = (i: number): boolean => this.changing[i] === undefined;
    this.values = this.groups.map((group, i) => (stays(i) ? parameters.valuesOf(group) : undefined));
    nodes.gradients.forEach((_, i) => {
      const place = stays(i) ? parameters.gradientsOf(this.groups[i]) : undefined;
      const output = i + 1;
      if (place === undefined || !this.plan.intoIfPossible(output, place)) this.copied.push({ output, group: i });
    });
  }

  /** The parameters of the step at hand. */
  private groupsNow(): readonly ParameterGroup[] {
    const { groups, changing, parameters } = this;
    if (changing.every((block) => block === undefined)) return groups;
    return groups.map((group, i) => {
      const block = changing[i];
      if (block === undefined) return group;
      const names = block.namesNow();
      for (const name of names) if (!parameters.has(name)) block.declare(name);
      return { names, precision: group.precision };
    });
  }

  /** Whether it is only that of executions in which the program sees the same. */
  get isGuarded(): boolean {
    return this.rerun.guards.length > 0;
  }

  /**
   * Runs the step, unless its data are of another size than those recorded, the program would see something else, or
   * something comes out that is no number.
   */
  attempt(draws: StepDraws): StepValues<number | Data> | undefined {
    const { parameters } = this;
    this.later.draws = draws;
    this.rerun.begin((k) => draws.streamOf(k));
    if (!this.rerun.fits()) return undefined;
    const groups = this.groupsNow();
    parameters.meet(groups);
    if (this.moves !== parameters.moves) return undefined;
    parameters.load();
    try {
      const inputs: RunInput[] = groups.map((group, i) => this.values[i] ?? parameters.copyOf(group));
      for (const leaf of this.rerun.leaves) inputs.push(leaf.value());
      const values = this.plan.run(inputs);
      const cost = values[0];
      if (!Number.isFinite(cost)) return undefined;
      const guards = values.length - this.rerun.guards.length;
      if (!this.rerun.guards.every(({ expected }, i) => sameNumbers(values[guards + i], expected))) return undefined;
      for (const { output, group } of this.copied) parameters.put(groups[group].names, values[output]);
      return { cost, gradients: [], weights: values.slice(1 + this.gradients, guards) };
    } catch (thrown) {
      if (thrown === changedShape) return undefined;
      throw thrown;
    }
  }
}

function sameNumbers(found: number | Data, expected: Data): boolean {
  if (typeof found === 'number') return found === expected[0];
  return found.every((number, i) => number === expected[i]);
}
