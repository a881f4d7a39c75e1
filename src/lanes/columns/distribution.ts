/** Distributions whose parameters differ between executions. */
import type { Make, Params } from '../../algebra/families.ts';
import { keepOrigin } from '../../algebra/identity.ts';
import { mergedParams } from '../../algebra/merging.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { differs, laneAt, sourceAt, variousOf } from './column.ts';
import { Differing } from './differing.ts';

/** Stands for a distribution of one family for each execution, with parameters that differ. */
export class LaneDistribution extends Differing implements Distribution<unknown> {
  constructor(
    readonly name: string,
    readonly params: Params,
    private readonly make: Make,
    readonly family: object,
    readonly isContinuous: boolean,
  ) {
    super();
  }

  /** The distribution of one execution, by its place in the current group. */
  at(lane: number): Distribution<unknown> {
    return this.make(laneAt(this.params, lane));
  }

  override ownAt(lane: number): object {
    return keepOrigin(this.at(lane), sourceAt(this, lane));
  }

  draw(): never {
    throw new OneByOne('family', 'host code draws from a distribution that differs');
  }

  score(): never {
    throw new OneByOne('family', 'host code scores values by a distribution that differs');
  }

  /** The same family with other parameters. */
  with(params: Params): Distribution<unknown> {
    return differs(params)
      ? new LaneDistribution(this.name, params, this.make, this.family, this.isContinuous)
      : this.make(params);
  }
}

/** One distribution from those of two sides, if they are of one family; undefined if not. */
export function mergeDistributions(
  sides: readonly unknown[],
  merge: (params: readonly unknown[]) => unknown,
): object | undefined {
  const differing = sides.find((one) => one instanceof LaneDistribution);
  const params = differing && mergedParams(sides, merge);
  return params && differing.with(params);
}

/** A distribution for all executions, or one for each. */
export type AnyDistribution = Distribution<unknown> | LaneDistribution | readonly Distribution<unknown>[];

/** A value given as a distribution, which may be a different one in each execution. */
export function distributionOf(given: unknown): AnyDistribution {
  return (variousOf(given) as readonly Distribution<unknown>[] | undefined) ?? (given as Distribution<unknown>);
}

/** The distribution of one execution. */
export function distributionAt(given: AnyDistribution, lane: number): Distribution<unknown> {
  if (given instanceof LaneDistribution) return given.at(lane);
  return Array.isArray(given) ? given[lane] : (given as Distribution<unknown>);
}
