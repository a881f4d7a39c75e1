/** Which values a discrete guide may draw although its target excludes them, and which values of the target the guide never draws. */
import { drawnCount, kindOf } from '../distributions/of-family.ts';
import { describe } from '../runtime/describe.ts';
import type { Distribution } from '../runtime/handler.ts';
import { lifting } from '../runtime/lifting.ts';
import { valueKey } from '../runtime/values.ts';

type AnyDistribution = Distribution<unknown>;

/** An example of each difference, in words; undefined where there is none. */
interface Differences {
  /** What the guide may draw and the target never is. */
  readonly beyond?: string;
  /** What the target may be and the guide never draws. */
  readonly missed?: string;
}

/** Undefined where nothing is known of the values of one of them. */
export function compareLists(target: AnyDistribution, guide: AnyDistribution): Differences | undefined {
  const wanted = drawnCount(target);
  const offered = drawnCount(guide);
  if (wanted !== undefined && offered !== undefined) {
    if (wanted === offered) return undefined;
    return offered > wanted
      ? { beyond: between(guide, wanted, offered) }
      : { missed: between(target, offered, wanted) };
  }
  return compareListed(target, guide);
}

/** How many values from the first one on are checked. */
const MOST_LOOKED_AT = 64;

/** The first whole number, from one on and below another, that a distribution may be; undefined if there is none. */
function between(distribution: AnyDistribution, from: number, to: number): string | undefined {
  if (to === Infinity) return `${from} or more`;
  for (let value = from; value < Math.min(to, from + MOST_LOOKED_AT); value++) {
    if (mayBe(distribution, value)) return String(value);
  }
  return undefined;
}

/** Unless it is known to have probability 0. */
function mayBe(distribution: AnyDistribution, value: unknown): boolean {
  return lifting.current?.holds(distribution.params) === true || distribution.score(value) !== -Infinity;
}

function compareListed(target: AnyDistribution, guide: AnyDistribution): Differences | undefined {
  const wanted = listOf(target);
  const offered = listOf(guide) ?? (drawnCount(guide) === Infinity ? NATURALS : undefined);
  if (wanted === undefined && offered === undefined) return undefined;
  if (offered === undefined) {
    const kind = kindOf(guide);
    return kind === undefined || wanted!.some(kind.contains) ? undefined : { beyond: 'values of another kind' };
  }
  if (wanted?.length === offered.length && wanted.every((value, i) => value === offered[i])) return undefined;
  const beyond = oddOne(guide, offered, allowing(target, wanted));
  const missed = wanted && offered !== NATURALS ? oddOne(target, wanted, isIn(offered)) : undefined;
  return { beyond, missed };
}

type Test = (value: unknown) => boolean;

/** Whole numbers that are checked in place of all. */
const NATURALS: readonly number[] = Array.from({ length: MOST_LOOKED_AT }, (_, i) => i);

/** The first possible value of a distribution that fails the test. */
function oddOne(of: AnyDistribution, values: readonly unknown[], test: Test): string | undefined {
  const odd = values.findIndex((value) => !test(value) && mayBe(of, value));
  return odd < 0 ? undefined : describe(values[odd]);
}

function isIn(values: readonly unknown[]): Test {
  const known = new Set(values.map(valueKey));
  return (value) => known.has(valueKey(value));
}

/** Whether a target allows a value, as far as that is known. */
function allowing(target: AnyDistribution, values: readonly unknown[] | undefined): Test {
  if (values !== undefined) return isIn(values);
  const kind = kindOf(target);
  return (value) => kind === undefined || kind.contains(value);
}

/** The values of a distribution that lists them, or has few whole numbers. */
function listOf(distribution: AnyDistribution): readonly unknown[] | undefined {
  const { vs } = distribution.params as { vs?: unknown };
  const count = drawnCount(distribution);
  if (!Array.isArray(vs) && !(count !== undefined && count <= MOST_LOOKED_AT)) return undefined;
  const values = Array.isArray(vs) ? vs : distribution.support?.();
  return Array.isArray(values) && lifting.current?.holds(values) !== true ? values : undefined;
}
