/** Distributions whose parameters differ between executions. */
import { keepOrigin } from '../../algebra/identity.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { isRecord } from '../../runtime/values.ts';
import { Differing, differs, isDiffering, laneAt, sourceAt, variousOf } from './column.ts';
import { inEachLane } from './each-lane.ts';
import { checkParameters, columnFamily, parametersOf } from './families.ts';

type Make = (params: object) => Distribution<unknown>;

/** Looks like any other distribution, and has one for each execution. */
export class LaneDistribution extends Differing implements Distribution<unknown> {
  constructor(
    readonly name: string,
    readonly params: Readonly<Record<string, unknown>>,
    private readonly make: Make,
    readonly family: object,
    readonly isContinuous: boolean,
  ) {
    super();
  }

  /** That of one execution, by its place in the current group. */
  at(lane: number): Distribution<unknown> {
    return this.make(laneAt(this.params, lane) as object);
  }

  override ownAt(lane: number): object {
    return keepOrigin(this.at(lane), sourceAt(this, lane));
  }

  draw(): never {
    throw new OneByOne('family', 'a distribution that differs is drawn from by the host');
  }

  score(): never {
    throw new OneByOne('family', 'a distribution that differs is scored by the host');
  }

  /** The same family with other parameters. */
  with(params: Readonly<Record<string, unknown>>): Distribution<unknown> {
    return differs(params)
      ? new LaneDistribution(this.name, params, this.make, this.family, this.isContinuous)
      : this.make(params as object);
  }
}

/** A distribution for each execution. */
const madeForEach = (make: Make, params: unknown): unknown =>
  inEachLane(make as (params: unknown) => unknown, [params], undefined, true);

/** A constructor that takes columns for parameters. */
export function constructorOf(name: string, make: Make & { readonly family: object }): (...args: unknown[]) => unknown {
  const family = columnFamily(make.family);
  return (...args) => {
    const [params] = args;
    if (args.length !== 1 || !differs(params)) return (make as (...args: unknown[]) => unknown)(...args);
    if (!isRecord(params) || isDiffering(params)) return madeForEach(make, params);
    const given = family === undefined ? undefined : parametersOf(family, params as Record<string, unknown>);
    if (given === undefined || Object.keys(params).length !== family!.names.length) {
      return madeForEach(make, params);
    }
    checkParameters(name, family!, params as Record<string, unknown>);
    return new LaneDistribution(name, params as Record<string, unknown>, make, make.family, family!.isContinuous);
  };
}

/** One distribution from those of two sides, if they are of one family; undefined if not. */
export function mergeDistributions(
  a: unknown,
  b: unknown,
  merge: (a: unknown, b: unknown) => unknown,
): object | undefined {
  const lane = a instanceof LaneDistribution ? a : b instanceof LaneDistribution ? b : undefined;
  if (lane === undefined) return undefined;
  const other = (lane === a ? b : a) as Distribution<unknown>;
  if (typeof other !== 'object' || other === null || other.name !== lane.name) return undefined;
  const left = (a as Distribution<unknown>).params as Record<string, unknown>;
  const right = (b as Distribution<unknown>).params as Record<string, unknown>;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length || !keys.every((key) => Object.hasOwn(right, key))) return undefined;
  return lane.with(Object.fromEntries(keys.map((key) => [key, merge(left[key], right[key])])));
}

/** What gives the distribution of each execution: one for all, or one for each. */
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
