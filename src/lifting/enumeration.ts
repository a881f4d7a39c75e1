/** Enumeration under gradients: the lifted text of the search, and marginals whose scores are nodes. */

import type { Scored } from '../distributions/distribution.ts';
import { MarginalBuilder } from '../distributions/marginal.ts';
import { ProbabilityTable } from '../distributions/table.ts';
import { type Entry, TabulatedDistribution } from '../distributions/tabulated.ts';
import type { Posterior } from '../inference/algorithm.ts';
import { DepthFirst } from '../inference/enumeration/depth-first.ts?lifted';
import { type Collector, liftedEnumeration } from '../inference/enumeration/search.ts';
import type { LiftedTable, WeighedValues } from '../lanes/tables.ts';
import { settled } from '../runtime/force.ts';
import type { Handler, LaneParameters } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { valueKey } from '../runtime/values.ts';
import type { Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { logSumExp } from './special.ts';
import { meetsNode } from './tensor-nodes.ts';
import {
  averageOf,
  cdfOf,
  entropyOf,
  listed,
  mostProbable,
  numbersOf,
  quantileOf,
  varianceOf,
  type Weighed,
} from './weighed-values.ts';

class LiftedDepthFirst extends DepthFirst {
  override readonly lifted = true;
  readonly inLanes = true;
  /** The handler around the enumeration, which has the values of parameters. */
  private readonly outer: Handler = machine.handler;

  param(name: string, value: Tensor, scalar: boolean): unknown {
    return this.outer.param?.(name, value, scalar);
  }

  laneParam(parameters: LaneParameters, scalar: boolean): unknown {
    return this.outer.laneParam?.(parameters, scalar);
  }
}

interface Collected<V> {
  readonly value: V;
  readonly weights: Value[];
}

/** Collects values with log-weights; both may hold nodes. Values are the same if their plain values are. */
export class LiftedCollector<V> implements Collector<V> {
  private readonly byKey = new Map<unknown, Collected<V>>();

  add(value: V, logWeight: number): void {
    const key = valueKey(settled(value));
    const known = this.byKey.get(key);
    if (known === undefined) this.byKey.set(key, { value, weights: [logWeight] });
    else known.weights.push(logWeight);
  }

  build(): Posterior<V> | undefined {
    const all = [...this.byKey.values()];
    const plain = !all.some(({ value, weights }) => meetsNode(weights) || settled(value) !== value);
    if (plain) {
      const builder = new MarginalBuilder<V>();
      for (const { value, weights } of all) for (const weight of weights) builder.add(value, weight as number);
      return builder.build();
    }
    return new LiftedMarginal(
      all.map(({ value }) => value),
      all.map(({ weights }) => logSumExp(weights) as Value),
    );
  }
}

/** What a model returns, with probabilities that gradients pass through. */
export class LiftedMarginal<V> extends TabulatedDistribution<V> implements LiftedTable {
  override readonly name = 'Marginal';
  readonly logZ: number;
  private readonly places = new Map<unknown, number>();
  private readonly scores: readonly Value[];
  private settledTable: ProbabilityTable<V> | null = null;

  constructor(
    private readonly values: readonly V[],
    /** Log-weights, which need not be normalised. */
    weights: readonly Value[],
  ) {
    super();
    const total = logSumExp([...weights]) as Value;
    this.logZ = total as unknown as number;
    this.scores = weights.map((weight) => ops.sub(weight, total));
    values.forEach((value, i) => {
      this.places.set(valueKey(settled(value)), i);
    });
  }

  get normalizationConstant(): number {
    return this.logZ;
  }

  override get params(): object {
    return { dist: this.getDist() };
  }

  protected override get table(): ProbabilityTable<V> {
    this.settledTable ??= ProbabilityTable.fromWeights(
      this.values.map((value) => settled(value) as V),
      this.scores.map((score) => Math.exp(settled(score) as number)),
    );
    return this.settledTable;
  }

  override support(): readonly V[] {
    return this.values;
  }

  /** Values and their probabilities. */
  weighed(): WeighedValues {
    return { values: this.values, weights: this.scores.map((score) => ops.exp(score)) };
  }

  override score(value: V): number {
    const place = this.places.get(valueKey(settled(value)));
    return place === undefined ? -Infinity : (this.scores[place] as unknown as number);
  }

  override mean(): number {
    return averageOf(numbersOf('mean', this.list)) as number;
  }

  override variance(): number {
    return varianceOf(numbersOf('variance', this.list)) as number;
  }

  override entropy(): number {
    return entropyOf(this.scores) as number;
  }

  override cdf(x: number): number {
    return cdfOf(numbersOf('cdf', this.list), x) as number;
  }

  override quantile(p: number): number {
    return quantileOf(numbersOf('quantile', this.list), settled(p) as number) as number;
  }

  override MAP(): Scored<V> {
    return mostProbable(this.values, this.scores);
  }

  override getDist(): Record<string, Entry<V>> {
    return listed(this.values, this.scores);
  }

  override toJSON(): { probs: number[]; support: readonly V[] } {
    return { probs: this.scores.map((score) => ops.exp(score) as number), support: this.values };
  }

  private get list(): Weighed {
    return { values: this.values, scores: this.scores };
  }
}

liftedEnumeration.current = {
  depthFirst: (limits) => new LiftedDepthFirst(limits),
  collector: () => new LiftedCollector(),
};
