/** Mixture and Categorical, which have classes of their own, as lifted text makes them: anything in them may be a node. */
import { BaseDistribution, type Scored } from '../distributions/distribution.ts';
import * as plainFamilies from '../distributions/index.ts';
import { elementsOf, type Numbers } from '../distributions/parameter.ts';
import type { LiftedTable, WeighedValues } from '../lanes/tables.ts';
import { holdsNode, vectorInLanes } from '../lanes/value.ts';
import { variedOf } from '../lanes/varied.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { settled } from '../runtime/force.ts';
import type { Distribution, Interval } from '../runtime/handler.ts';
import { isDistribution } from '../runtime/primitives.ts';
import type { Random } from '../runtime/random.ts';
import { sameValue } from '../runtime/values.ts';
import { isNumeric, Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { truth } from './conditions.ts';
import { operators } from './operators.ts';
import { logSumExp } from './special.ts';
import { elements, entry, meetsNode } from './tensor-nodes.ts';
import {
  averageOf,
  cdfOf,
  entropyOf,
  mostProbable,
  numbersOf,
  quantileOf,
  varianceOf,
  type Weighed,
} from './weighed-values.ts';

type Weights = Node | Numbers | readonly Value[];

const itemsOf = (list: Weights): Value[] =>
  list instanceof Node
    ? Array.from({ length: elements(list) }, (_, i) => entry(list, i) as Value)
    : Array.from(elementsOf(list) as ArrayLike<Value>);

/** Weights one by one, and the log of their sum. */
function read(weights: Weights): { each: Value[]; logTotal: Value } {
  const each = itemsOf(weights);
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
  const { dists, vs } = given as { dists?: unknown; vs?: unknown };
  const { ps, logits } = weightsIn(given);
  if (logits !== undefined) return liftedByLogits(name, vs, ps, logits);
  const isUniform = name === 'Categorical' && ps === undefined;
  if (!isUniform && !(ps instanceof Node) && elementsOf(ps) === undefined) return undefined;
  const weights = ps as Weights;
  if (name === 'Mixture' && Array.isArray(dists) && dists.length > 0 && dists.every(isDistribution)) {
    return new LiftedMixture({ dists, ps: weights });
  }
  if (name === 'Categorical' && Array.isArray(vs) && vs.length > 0 && (meetsNode([ps]) || holdsNode(vs))) {
    return new LiftedCategorical({ vs, ps: weights });
  }
  return undefined;
}

/** Weights that choices pick from several lists are a vector where all of these are. */
function weightsIn(given: { readonly ps?: unknown; readonly logits?: unknown }): { ps: unknown; logits: unknown } {
  const own = (weights: unknown): unknown =>
    Array.isArray(weights) && variedOf(weights)?.by !== undefined ? (vectorInLanes(weights) ?? weights) : weights;
  return { ps: own(given.ps), logits: own(given.logits) };
}

function liftedByLogits(name: string, vs: unknown, ps: unknown, logits: unknown): Distribution<unknown> | undefined {
  if (name !== 'Categorical' || ps !== undefined || !Array.isArray(vs) || !(meetsNode([logits]) || holdsNode(vs)))
    return undefined;
  return new LiftedCategorical({ vs, logits: logits as Weights });
}

/** Whether two values are the same: nodes among them are compared in the graph, and the answer looked at. */
function areSame(a: unknown, b: unknown): boolean {
  if (isNumeric(a) && isNumeric(b)) return truth(operators.eq(a, b));
  return sameValue(settled(a), settled(b));
}

function distinctOf({ values, weights }: WeighedValues): WeighedValues {
  const distinct: unknown[] = [];
  const sums: Value[] = [];
  values.forEach((value, i) => {
    const place = distinct.findIndex((other) => areSame(other, value));
    if (place < 0) {
      distinct.push(value);
      sums.push(weights[i]);
    } else sums[place] = ops.add(sums[place], weights[i]);
  });
  return { values: distinct, weights: sums };
}

/** A moment that a component knows of itself. */
function momentOf(dist: Distribution<unknown>, name: 'mean' | 'variance'): Value {
  const known = (dist as Partial<Record<typeof name, () => Value>>)[name]?.();
  if (known !== undefined) return known;
  throw new WaymarkError(
    `The ${name} of a Mixture needs that of its component ${dist.name}, which has none in closed form.`,
  );
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

  mean(): number {
    return this.average((dist) => momentOf(dist, 'mean')) as number;
  }

  variance(): number {
    const mean = this.mean() as Value;
    return this.average((dist) =>
      ops.add(momentOf(dist, 'variance'), ops.square(ops.sub(momentOf(dist, 'mean'), mean))),
    ) as number;
  }

  /** The average over the components. */
  private average(of: (dist: Distribution<unknown>) => Value): Value {
    const terms = this.params.dists.map((dist, i) => ops.mul(this.weights[i], of(dist)));
    const total = terms.reduce((a, b) => ops.add(a, b));
    return ops.div(total, ops.exp(this.logTotal));
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
  private known: WeighedValues | null = null;

  /** Logarithms of probabilities, where these are what is given. */
  private readonly logs: readonly Value[] | undefined;

  constructor(override readonly params: { vs: readonly unknown[]; ps?: Weights; logits?: Weights }) {
    super();
    const { vs, ps, logits } = params;
    const { each, logTotal } =
      logits === undefined ? read(ps ?? vs.map(() => 1)) : { each: itemsOf(logits), logTotal: 0 };
    checkLengths('Categorical', each, vs, 'vs');
    this.logTotal = logTotal;
    if (logits === undefined) this.weights = each;
    else {
      const total = logSumExp(each) as Value;
      this.logs = each.map((logit) => ops.sub(logit, total));
      this.weights = this.logs.map((log) => ops.exp(log));
    }
  }

  get family(): unknown {
    return plainFamilies.Categorical.family;
  }

  /** As they were given, as plain distributions draw from them. */
  weighed(): WeighedValues {
    return { values: this.params.vs, weights: this.weights };
  }

  /** Equal values are counted together. Plain values decide which are equal, since there are fewer values then. */
  private get distinct(): WeighedValues {
    this.known ??= distinctOf(this.weighed());
    return this.known;
  }

  override support(): readonly unknown[] {
    return this.distinct.values;
  }

  override draw(random: Random): unknown {
    const ps = this.weights.map((weight) => settled(weight) as number);
    return this.params.vs[plainFamilies.Discrete({ ps }).draw(random)];
  }

  override score(value: unknown): number {
    const { values, weights } = this.distinct;
    const place = values.findIndex((one) => one === value || areSame(one, value));
    if (this.logs !== undefined && place >= 0 && values.length === this.logs.length) return this.logs[place] as number;
    return place < 0 ? -Infinity : (ops.sub(ops.log(weights[place]), this.logTotal) as unknown as number);
  }

  mean(): number {
    return averageOf(numbersOf('mean', this.list)) as number;
  }

  variance(): number {
    return varianceOf(numbersOf('variance', this.list)) as number;
  }

  cdf(x: number): number {
    return cdfOf(numbersOf('cdf', this.list), x) as number;
  }

  quantile(p: number): number {
    return quantileOf(numbersOf('quantile', this.list), settled(p) as number) as number;
  }

  override entropy(): number {
    return entropyOf(this.list.scores) as number;
  }

  override MAP(): Scored<unknown> {
    const { values, scores } = this.list;
    return mostProbable(values, scores);
  }

  override toJSON(): { probs: number[]; support: readonly unknown[] } {
    const { values, scores } = this.list;
    return { probs: scores.map((score) => ops.exp(score) as number), support: values };
  }

  private get list(): Weighed {
    const values = this.support();
    return { values, scores: values.map((value) => this.score(value)) };
  }
}
