/**
 * A step that runs without the program: if recording it looked at no value, the step is a fixed function of the
 * parameters, the noise and the baselines, and its plan is simply run again.
 */
import type { Rerun } from '../lanes/rerun.ts';
import type { Data, Node } from '../tensor/node.ts';
import { compilePlan, type Plan } from '../tensor/plan/compile.ts';
import type { LeafTable } from './leaves.ts';
import type { Weighted } from './surrogate.ts';

/** What a step computes, as nodes or as their values. */
export interface StepValues<V> {
  readonly cost: V;
  /** In the order of the leaf table's names. */
  readonly gradients: readonly V[];
  /** In the order of the weighted choices. */
  readonly weights: readonly V[];
}

export class CompiledStep {
  private readonly plan: Plan;
  private readonly gradients: number;

  constructor(
    nodes: StepValues<Node>,
    readonly rerun: Rerun,
    readonly leaves: LeafTable,
    readonly weighted: readonly Weighted[],
  ) {
    this.gradients = nodes.gradients.length;
    this.plan = compilePlan(
      [nodes.cost, ...nodes.gradients, ...nodes.weights],
      rerun.leaves.map(({ node }) => node),
    );
  }

  /** Runs the step. `rerun.begin` must have been called for it. */
  run(): StepValues<number | Data> {
    const [cost, ...rest] = this.plan.run(this.rerun.leaves.map((leaf) => leaf.value()));
    return { cost, gradients: rest.slice(0, this.gradients), weights: rest.slice(this.gradients) };
  }
}
