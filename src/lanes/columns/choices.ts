/** Choices and scores for all executions of the current group. */
import { familiesOver, type Params } from '../../algebra/families.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import { ofCombinations, tableOf } from './coded.ts';
import {
  type Column,
  column,
  differs,
  fromLanes,
  isDiffering,
  isNumeric,
  isTruth,
  lanesOf,
  operand,
  tableBehind,
  variousOf,
} from './column.ts';
import type { ColumnFamily } from './column-family.ts';
import { type AnyDistribution, distributionAt, LaneDistribution } from './distribution.ts';
import { columnDomain, inEachLane, ofFields } from './each-lane.ts';
import { checkParameters, columnFamily } from './families.ts';
import { currentGroup } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import { gain, type Operand } from './kernels.ts';
import { LaneRandom } from './lane-random.ts';
import { meter } from './meter.ts';
import { addScores, dropScore } from './scores.ts';
import type { ColumnStreams } from './streams.ts';

const { formOf, operandsOf, isOfKind, scoreOf, constructorOf, methodOf } = familiesOver<
  ColumnFamily,
  LaneDistribution | readonly Distribution<unknown>[],
  Operand,
  Operand
>({
  ...columnDomain,
  isNumeric,
  isTruth: isTruth as (value: unknown) => boolean,
  formOf: columnFamily,
  operand: operand as (value: unknown) => Operand,
  distribution(form, name, params, make) {
    checkParameters(name, form, params);
    return new LaneDistribution(name, params, make, (make as { family?: object }).family!, form.isContinuous);
  },
  madeForEach: (_name, make, args) =>
    (ofFields(make, args) ?? { value: inEachLane(make, args, undefined, true) }).value,
  severalOf(value) {
    if (value instanceof LaneDistribution) return value;
    const various = variousOf(value);
    return isDistribution(various?.[0]) ? (various as readonly Distribution<unknown>[]) : undefined;
  },
  isSeveral: (distribution) => distribution instanceof LaneDistribution || Array.isArray(distribution),
  score: (form, value, params) => form.score(value, ...params),
  scoreOfEach,
  scored: (score) => (typeof score === 'number' ? score : column(score)),
});

/** The score of a value: one for all, or one for each. */
export const scoreColumns: (distribution: AnyDistribution, value: unknown) => Operand = scoreOf;
export { constructorOf, methodOf };

/** The value of a choice. `streams` are at the choice. */
export function drawColumns(distribution: AnyDistribution, streams: ColumnStreams): unknown {
  meter.choice(currentGroup().size);
  const { params } = distribution as Distribution<unknown>;
  const family = formOf(distribution);
  if (family !== undefined) {
    const given = operandsOf(family, params as Params);
    if (given !== undefined) return family.draw(streams, ...given);
  }
  const { size } = currentGroup();
  const values = new Array<unknown>(size);
  meter.each(size);
  const random = new LaneRandom(streams);
  for (let lane = 0; lane < size; lane++) values[lane] = distributionAt(distribution, lane).draw(random.at(lane));
  return fromLanes(values);
}

/** Draws the value of a choice, and adds its score to those of all executions. */
export function drawScored(distribution: AnyDistribution, streams: ColumnStreams, totals: Doubles): unknown {
  const { isWhole, size } = currentGroup();
  const family = formOf(distribution);
  const direct = isWhole ? family?.drawScored : undefined;
  const drawnScore = family?.drawnScore;
  const given =
    direct === undefined && drawnScore === undefined
      ? undefined
      : operandsOf(family!, (distribution as Distribution<unknown>).params as Params);
  if (given !== undefined && direct !== undefined) {
    meter.choice(size);
    return direct(streams, totals, ...given);
  }
  const value = drawColumns(distribution, streams);
  const score = given === undefined ? scoreColumns(distribution, value) : drawnScore!(value as Column, ...given);
  addScores(totals, score);
  dropScore(score);
  return value;
}

/**
 * Adds the score of a value to scores and to log-weights of all executions; gives the largest of these, or NaN if a score is
 * not finite.
 */
export function gainOf(distribution: AnyDistribution, value: unknown, scores: Doubles, weights: Doubles): number {
  meter.choice(currentGroup().size);
  const { params } = distribution as Distribution<unknown>;
  const family = isDiffering(distribution) || isDiffering(value) ? formOf(distribution) : undefined;
  if (family?.gain !== undefined && isOfKind(value, family)) {
    const given = operandsOf(family, params as Params);
    if (given !== undefined) return family.gain(operand(value as Column), scores, weights, ...given);
  }
  const score = scoreColumns(distribution, value);
  const most = gain(score, scores, weights);
  dropScore(score);
  return most;
}

/** The scores where there are few different distributions and values: each is computed once. */
function scoresOfFew(distribution: AnyDistribution, value: unknown, size: number): Doubles | undefined {
  if (distribution instanceof LaneDistribution) return undefined;
  const distributions = Array.isArray(distribution) ? tableOf(distribution) : undefined;
  if (Array.isArray(distribution) && distributions === undefined) return undefined;
  const values = differs(value) ? tableBehind(value) : undefined;
  if (differs(value) && values === undefined) return undefined;
  const score = ([one, own]: unknown[]): number => (one as Distribution<unknown>).score(own);
  const found = ofCombinations(score, [distribution, value], [distributions, values], size);
  if (found === undefined) return undefined;
  const { results, codes } = found;
  const each = new Float64Array(size);
  for (let i = 0; i < size; i++) each[i] = results[codes[i]] as number;
  meter.codes(size);
  return Doubles.of(each);
}

/** The score that each one's own distribution gives. */
function scoreOfEach(distribution: AnyDistribution, value: unknown): Doubles {
  const { size } = currentGroup();
  const few = scoresOfFew(distribution, value, size);
  if (few !== undefined) return few;
  const values = lanesOf(value);
  const result = new Float64Array(size);
  meter.each(size);
  for (let lane = 0; lane < size; lane++) result[lane] = distributionAt(distribution, lane).score(values[lane]);
  return Doubles.of(result);
}
