/**
 * A step that runs without the program: if recording it looked at no value, the step is a fixed function of the
 * parameters, the noise and the baselines, and its plan is simply run again.
 */
import type { Rerun } from '../lanes/rerun.ts';
import { changedShape } from '../lanes/value.ts';
import type { RandomStream } from '../runtime/random.ts';
import type { Data, Node } from '../tensor/node.ts';
import { compilePlan, type Plan } from '../tensor/plan/compile.ts';
import type { Batches } from './batches.ts';
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
    private readonly later: { batches: Batches | null },
  ) {
    this.gradients = nodes.gradients.length;
    this.plan = compilePlan(
      [nodes.cost, ...nodes.gradients, ...nodes.weights],
      rerun.leaves.map(({ node }) => node),
    );
  }

  /** Runs the step, unless its data are of another size than those recorded or something comes out that is no number. */
  attempt(streamOf: (k: number) => RandomStream, batches: Batches): StepValues<number | Data> | undefined {
    this.later.batches = batches;
    this.rerun.begin(streamOf);
    if (!this.rerun.fits()) return undefined;
    try {
      const [cost, ...rest] = this.plan.run(this.rerun.leaves.map((leaf) => leaf.value()));
      if (!Number.isFinite(cost)) return undefined;
      return { cost, gradients: rest.slice(0, this.gradients), weights: rest.slice(this.gradients) };
    } catch (thrown) {
      if (thrown === changedShape) return undefined;
      throw thrown;
    }
  }
}
