/** Choices and scores for all executions of the current group. */
import type { Distribution } from '../../runtime/handler.ts';
import { tableOf } from './coded.ts';
import { Column, differs, fromLanes, isDiffering, lanesOf, operand } from './column.ts';
import { type AnyDistribution, distributionAt, LaneDistribution } from './distribution.ts';
import { type ColumnFamily, columnFamily, parametersOf } from './families.ts';
import { currentGroup } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import { gain, type Operand } from './kernels.ts';
import { LaneRandom } from './lane-random.ts';
import { meter } from './meter.ts';
import { addScores, dropScore } from './scores.ts';
import type { ColumnStreams } from './streams.ts';

/** How the family of a distribution goes in columns, if it does. Programs may make distributions of their own, without one. */
const familyOf = (distribution: AnyDistribution): ColumnFamily | undefined =>
  columnFamily((distribution as { family?: object }).family);

/** The value of a choice. `streams` are at the choice. */
export function drawColumns(distribution: AnyDistribution, streams: ColumnStreams): unknown {
  meter.choice(currentGroup().size);
  const { params } = distribution as Distribution<unknown>;
  const family = familyOf(distribution);
  if (family !== undefined) {
    const given = parametersOf(family, params as Record<string, unknown>);
    if (given !== undefined) return family.draw(streams, ...given);
  }
  const { size } = currentGroup();
  const values = new Array<unknown>(size);
  meter.each(size);
  const random = new LaneRandom(streams);
  for (let lane = 0; lane < size; lane++) values[lane] = distributionAt(distribution, lane).draw(random.at(lane));
  return fromLanes(values);
}

/** The same, and adds the score of the choice to those of all executions. */
export function drawScored(distribution: AnyDistribution, streams: ColumnStreams, totals: Doubles): unknown {
  if (currentGroup().isWhole) {
    const { params } = distribution as Distribution<unknown>;
    const family = familyOf(distribution);
    if (family?.drawScored !== undefined) {
      const given = parametersOf(family, params as Record<string, unknown>);
      if (given !== undefined) {
        meter.choice(currentGroup().size);
        return family.drawScored(streams, totals, ...given);
      }
    }
  }
  const value = drawColumns(distribution, streams);
  const score = scoreColumns(distribution, value);
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
  const family = isDiffering(distribution) || isDiffering(value) ? familyOf(distribution) : undefined;
  if (family?.gain !== undefined && isOfKind(value, family)) {
    const given = parametersOf(family, params as Record<string, unknown>);
    if (given !== undefined) return family.gain(operand(value as Column), scores, weights, ...given);
  }
  const score = scoreColumns(distribution, value);
  const most = gain(score, scores, weights);
  dropScore(score);
  return most;
}

/** What is of another kind is left to the family itself, which knows best. */
function isOfKind(value: unknown, { truths }: ColumnFamily): boolean {
  const isTruth = value instanceof Column ? value.isTruth : typeof value === 'boolean';
  return truths ? isTruth : !isTruth && (typeof value === 'number' || value instanceof Column);
}

/** The score of a value: one for all, or one for each. */
export function scoreColumns(distribution: AnyDistribution, value: unknown): Operand {
  const single = !(distribution instanceof LaneDistribution) && !Array.isArray(distribution);
  if (single && !differs(value)) return (distribution as Distribution<unknown>).score(value);
  const { params } = distribution as Distribution<unknown>;
  const family = familyOf(distribution);
  if (family !== undefined) {
    const given = parametersOf(family, params as Record<string, unknown>);
    if (given !== undefined && isOfKind(value, family)) return family.score(operand(value as Column), ...given);
  }
  const table = Array.isArray(distribution) && !differs(value) ? tableOf(distribution) : undefined;
  if (table !== undefined) {
    const scores = table.table.map((one) => (one as Distribution<unknown>).score(value));
    const each = new Float64Array(table.codes.length);
    for (let i = 0; i < each.length; i++) each[i] = scores[table.codes[i]];
    return Doubles.of(each);
  }
  const { size } = currentGroup();
  const values = lanesOf(value);
  const result = new Float64Array(size);
  meter.each(size);
  for (let lane = 0; lane < size; lane++) result[lane] = distributionAt(distribution, lane).score(values[lane]);
  return Doubles.of(result);
}
