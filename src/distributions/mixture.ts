import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution, Interval } from '../runtime/handler.ts';
import { isDistribution } from '../runtime/primitives.ts';
import type { Random } from '../runtime/random.ts';
import { valueKey } from '../runtime/values.ts';
import { logSumExp } from '../tensor/special/exponentials.ts';
import { customFamily } from './custom-family.ts';
import { BaseDistribution } from './distribution.ts';
import { drawIndex, totalOf } from './draws/weights.ts';
import { elementsOf, fixed, type Numbers, weights } from './parameter.ts';
import { namedText } from './parameter-text.ts';

export interface MixtureParams<V> {
  dists: readonly Distribution<V>[];
  /** In the order of `dists`; they need not add up to 1. */
  ps: Numbers;
}

const table = {
  dists: fixed<readonly Distribution<unknown>[]>(
    'an array of at least one distribution',
    (value) => Array.isArray(value) && value.length > 0 && value.every(isDistribution),
  ),
  ps: weights,
};

class MixtureDistribution<V> extends BaseDistribution<V> {
  override readonly name = 'Mixture';
  override readonly isContinuous: boolean;
  private readonly weights: ArrayLike<number>;
  private readonly total: number;

  constructor(override readonly params: MixtureParams<V>) {
    super();
    const { dists, ps } = params;
    this.weights = elementsOf(ps)!;
    this.total = totalOf(this.weights);
    this.isContinuous = dists[0].isContinuous;
    if (this.weights.length !== dists.length) {
      throw new WaymarkError(
        `Mixture: ps and dists must have the same length, got ${this.weights.length} and ${dists.length}.`,
      );
    }
    const odd = dists.findIndex((dist) => dist.isContinuous !== this.isContinuous);
    if (odd >= 0) {
      throw new WaymarkError(
        `Mixture: dists must be all continuous or all discrete, got ${dists[0].name} at index 0 and ` +
          `${dists[odd].name} at index ${odd}.`,
      );
    }
    const support = this.isContinuous ? sharedInterval(dists) : listedUnion(dists);
    if (support !== undefined) this.support = () => support;
  }

  get family(): typeof Mixture.family {
    return Mixture.family;
  }

  override draw(random: Random): V {
    return this.params.dists[drawIndex(this.weights, this.total, random)].draw(random);
  }

  override score(value: V): number {
    const { dists } = this.params;
    const scores = new Float64Array(dists.length);
    for (let i = 0; i < dists.length; i++) {
      const weight = this.weights[i];
      scores[i] = weight === 0 ? -Infinity : Math.log(weight / this.total) + dists[i].score(value);
    }
    return logSumExp(scores);
  }

  /** Of components over numbers that have one. */
  mean(): number {
    return this.average((dist) => numberOf(dist, 'mean'));
  }

  /** Of components over numbers that have one: within them, and between their means. */
  variance(): number {
    const mean = this.mean();
    return this.average((dist) => numberOf(dist, 'variance') + (numberOf(dist, 'mean') - mean) ** 2);
  }

  private average(of: (dist: Distribution<V>) => number): number {
    let total = 0;
    this.params.dists.forEach((dist, i) => {
      if (this.weights[i] > 0) total += (this.weights[i] / this.total) * of(dist);
    });
    return total;
  }

  override toString(): string {
    return `Mixture(${namedText({ dists: this.params.dists, ps: this.params.ps })})`;
  }
}

function numberOf(dist: Distribution<unknown>, moment: 'mean' | 'variance'): number {
  const value = (dist as { mean?(): unknown; variance?(): unknown })[moment]?.();
  if (typeof value === 'number') return value;
  throw new WaymarkError(
    `This Mixture has no ${moment}, because its component ${dist.name} has none that is a number.`,
  );
}

/** The interval of all components, if they have one; components of different intervals are refused. */
function sharedInterval(dists: readonly Distribution<unknown>[]): Interval | undefined {
  const intervals = dists.map((dist) => (dist.support?.() ?? WHOLE_LINE) as Interval);
  const [first] = intervals;
  const odd = intervals.findIndex((one) => one.lower !== first.lower || one.upper !== first.upper);
  if (odd >= 0) {
    throw new WaymarkError(
      `Mixture: dists must have the same support, got ${dists[0].name} from ${first.lower} to ${first.upper} at index 0 ` +
        `and ${dists[odd].name} from ${intervals[odd].lower} to ${intervals[odd].upper} at index ${odd}.`,
    );
  }
  return first === WHOLE_LINE ? undefined : first;
}

const WHOLE_LINE: Interval = { lower: -Infinity, upper: Infinity };

/** All values of all components, if each can list its own. */
function listedUnion<V>(dists: readonly Distribution<V>[]): readonly V[] | undefined {
  const values = new Map<unknown, V>();
  for (const dist of dists) {
    const support = dist.support?.();
    if (!Array.isArray(support)) return undefined;
    for (const value of support) {
      const key = valueKey(value);
      if (!values.has(key)) values.set(key, value);
    }
  }
  return [...values.values()];
}

/** A draw from one of `dists`, chosen with probability in proportion to `ps`. */
export const Mixture = customFamily(
  'Mixture',
  table,
  <V>(params: MixtureParams<V>): MixtureDistribution<V> => new MixtureDistribution(params),
);
