/** Mixture and Categorical, which have classes of their own, as lifted text makes them: anything in them may be a node. */
import { BaseDistribution } from '../distributions/distribution.ts';
import * as plainFamilies from '../distributions/index.ts';
import { elementsOf, type Numbers } from '../distributions/parameter.ts';
import type { LiftedTable, WeighedValues } from '../lanes/tables.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { settled } from '../runtime/force.ts';
import type { Distribution, Interval } from '../runtime/handler.ts';
import { isDistribution } from '../runtime/primitives.ts';
import type { Random } from '../runtime/random.ts';
import { sameValue } from '../runtime/values.ts';
import { Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { logSumExp } from './special.ts';
import { elements, entry, meetsNode } from './tensors.ts';

type Weights = Node | Numbers | readonly Value[];

/** Weights one by one, and the log of their sum. */
function read(weights: Weights): { each: Value[]; logTotal: Value } {
  const each =
    weights instanceof Node
      ? Array.from({ length: elements(weights) }, (_, i) => entry(weights, i) as Value)
      : Array.from(elementsOf(weights) as ArrayLike<Value>);
  return { each, logTotal: ops.log(each.reduce((a, b) => ops.add(a, b))) };
}

function checkLengths(name: string, weights: readonly Value[], others: readonly unknown[], called: string): void {
  if (weights.length === others.length) return;
  throw new WaymarkError(
    `${name}: ps and ${called} must have the same length, got ${weights.length} and ${others.length}.`,
  );
}

/** The distribution that `Mixture(given)` or `Categorical(given)` is in lifted text, if it is another than in plain text. */
export function liftedTable(name: string, given: object): Distribution<unknown> | undefined {
  const { dists, vs, ps } = given as { dists?: unknown; vs?: unknown; ps?: unknown };
  if (!(ps instanceof Node) && elementsOf(ps) === undefined) return undefined;
  const weights = ps as Weights;
  if (name === 'Mixture' && Array.isArray(dists) && dists.length > 0 && dists.every(isDistribution)) {
    return new LiftedMixture({ dists, ps: weights });
  }
  if (name === 'Categorical' && Array.isArray(vs) && vs.length > 0 && meetsNode([ps])) {
    return new LiftedCategorical({ vs, ps: weights });
  }
  return undefined;
}

class LiftedMixture extends BaseDistribution<unknown> {
  override readonly name = 'Mixture';
  override readonly isContinuous: boolean;
  private readonly weights: readonly Value[];
  private readonly logTotal: Value;

  constructor(override readonly params: { dists: readonly Distribution<unknown>[]; ps: Weights }) {
    super();
    const { dists, ps } = params;
    const { each, logTotal } = read(ps);
    checkLengths('Mixture', each, dists, 'dists');
    this.weights = each;
    this.logTotal = logTotal;
    this.isContinuous = dists[0].isContinuous;
    // Whether components agree in their bounds was told where the program ran plain, before any gradient was asked for.
    if (dists[0].support !== undefined) this.support = () => dists[0].support!() as Interval;
  }

  get family(): unknown {
    return plainFamilies.Mixture.family;
  }

  override draw(random: Random): unknown {
    const weights = this.weights.map((weight) => settled(weight) as number);
    const place = plainFamilies.Discrete({ ps: weights }).draw(random);
    return this.params.dists[place].draw(random);
  }

  override score(value: unknown): number {
    const terms = this.params.dists.map((dist, i) => ops.add(ops.log(this.weights[i]), dist.score(value) as Value));
    return ops.sub(logSumExp(terms) as Value, this.logTotal) as unknown as number;
  }
}

class LiftedCategorical extends BaseDistribution<unknown> implements LiftedTable {
  override readonly name = 'Categorical';
  override readonly isContinuous = false;
  private readonly weights: readonly Value[];
  private readonly logTotal: Value;

  constructor(override readonly params: { vs: readonly unknown[]; ps: Weights }) {
    super();
    const { each, logTotal } = read(params.ps);
    checkLengths('Categorical', each, params.vs, 'vs');
    this.weights = each;
    this.logTotal = logTotal;
  }

  get family(): unknown {
    return plainFamilies.Categorical.family;
  }

  weighed(): WeighedValues {
    return { values: this.params.vs, weights: this.weights };
  }

  override support(): readonly unknown[] {
    return this.params.vs.filter((value, i, all) => all.findIndex((other) => sameValue(other, value)) === i);
  }

  override draw(random: Random): unknown {
    const ps = this.weights.map((weight) => settled(weight) as number);
    return plainFamilies.Categorical({ vs: this.params.vs, ps }).draw(random);
  }

  override score(value: unknown): number {
    const weights = this.weights.filter((_, i) => sameValue(this.params.vs[i], value));
    if (weights.length === 0) return -Infinity;
    const weight = weights.reduce((a, b) => ops.add(a, b));
    return ops.sub(ops.log(weight), this.logTotal) as unknown as number;
  }
}
