/** Guides that are mixtures: a value is drawn from one of several distributions, and scored by the density of all of them. */

import { Bernoulli } from '../distributions/bernoulli.ts';
import { Categorical } from '../distributions/categorical.ts';
import { BaseDistribution } from '../distributions/distribution.ts';
import { drawIndex, totalOf } from '../distributions/draws/weights.ts';
import { fewValues } from '../distributions/of-family.ts';
import type { Distribution } from '../runtime/handler.ts';
import { lifting } from '../runtime/lifting.ts';
import type { Random } from '../runtime/random.ts';
import { valueKey } from '../runtime/values.ts';
import type { Value } from '../tensor/node.ts';
import { logSumExp } from '../tensor/special/exponentials.ts';

/** One of the distributions of a mixture, and the logarithm of how much it counts. */
export interface Component {
  readonly dist: Distribution<unknown>;
  readonly log: Value;
}

/** The sum of two numbers, of which either may be a node. */
export function plus(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (a === 0) return b;
  return b === 0 ? a : lifting.current!.ops.add(a, b);
}

/** The logarithm of a sum, given the logarithms of its terms. */
function logSum(logs: readonly Value[]): Value {
  if (logs.length === 1) return logs[0];
  if (logs.every((log) => typeof log === 'number')) return logSumExp(logs);
  const { ops } = lifting.current!;
  return ops.logsumexp(ops.stack(logs as never) as never) as Value;
}

/**
 * A guide that is a mixture of continuous distributions, or of distributions over infinitely many values. Mixtures over few values are
 * tables (`guideMixture`).
 */
export class GuideMixture extends BaseDistribution<unknown> {
  override readonly name: string;
  override readonly isContinuous: boolean;
  override readonly params: { readonly dists: readonly Distribution<unknown>[] };

  constructor(
    /** The components that a value is drawn from, with their weights. */
    readonly own: readonly Component[],
    /** The components that a value is scored by. */
    private readonly all: readonly Component[],
    /** The score of the choices that the guide itself made. Gradients do not pass through it. */
    readonly logChance: Value,
  ) {
    super();
    const dists = all.map(({ dist }) => dist);
    const names = [...new Set(dists.map(({ name }) => name))];
    this.name = `Mixture of ${dists.length} ${names.join(' and ')}`;
    this.isContinuous = dists[0].isContinuous;
    this.params = { dists };
  }

  override draw(random: Random): unknown {
    const { own } = this;
    if (own.length === 1) return own[0].dist.draw(random);
    const weights = own.map(({ log }) => Math.exp(log as number));
    return own[drawIndex(weights, totalOf(weights), random)].dist.draw(random);
  }

  override score(value: unknown): number {
    return logSum(this.all.map(({ dist, log }) => plus(log, dist.score(value) as Value))) as number;
  }
}

/** The score of choices that a guide itself made. */
export const chanceOf = (guide: Distribution<unknown>): Value => (guide as { logChance?: Value }).logChance ?? 0;

/**
 * The mixture of the components `all`. Values are drawn from `own`, which is some or all of them. Over few values it
 * is a table of their probabilities, so that the gradient rules of such choices apply.
 */
export function guideMixture(
  own: readonly Component[],
  all: readonly Component[],
  logChance: Value,
): Distribution<unknown> {
  const mixture = new GuideMixture(own, all, logChance);
  const values = mixture.isContinuous ? undefined : valuesOfAll(all);
  if (values === undefined) return mixture;
  const probability = (value: unknown): number => exponential(mixture.score(value)) as number;
  const areCoins = all.every(({ dist }) => dist.name === 'Bernoulli');
  const table = areCoins
    ? Bernoulli({ p: atMostOne(probability(true)) as number })
    : Categorical({ vs: values, ps: values.map(probability) });
  return Object.assign(table, { logChance }) as Distribution<unknown>;
}

/** A sum of probabilities may come out above 1 by rounding. */
const atMostOne = (p: Value): Value => (typeof p === 'number' ? Math.min(p, 1) : lifting.current!.ops.min(p, 1));

const exponential = (log: Value): Value => (typeof log === 'number' ? Math.exp(log) : lifting.current!.ops.exp(log));

/** The most values of a table. */
const MOST_VALUES = 64;

/** All values of all components, if each can list its own, and these are few. */
function valuesOfAll(all: readonly Component[]): unknown[] | undefined {
  const values = new Map<unknown, unknown>();
  for (const { dist } of all) {
    const own = fewValues(dist, MOST_VALUES);
    if (own === undefined) return undefined;
    for (const value of own) {
      if (lifting.current?.holds(value)) return undefined;
      values.set(valueKey(value), value);
    }
  }
  return values.size > MOST_VALUES ? undefined : [...values.values()];
}
