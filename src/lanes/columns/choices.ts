/** Choices and scores for all executions of the current group. */
import type { Distribution } from '../../runtime/handler.ts';
import { Column, differs, fromLanes, lanesOf, operand } from './column.ts';
import { type AnyDistribution, distributionAt, LaneDistribution } from './distribution.ts';
import { columnFamily, parametersOf } from './families.ts';
import { currentGroup } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import type { Operand } from './kernels.ts';
import type { ColumnStreams } from './streams.ts';

/** The value of a choice. `streams` are at the choice. */
export function drawColumns(distribution: AnyDistribution, streams: ColumnStreams): unknown {
  const { name, params } = distribution as Distribution<unknown>;
  const family = name === undefined ? undefined : columnFamily(name);
  if (family !== undefined) {
    const given = parametersOf(family, params as Record<string, unknown>);
    if (given !== undefined) return family.draw(streams, ...given);
  }
  const { size } = currentGroup();
  const values = new Array<unknown>(size);
  for (let lane = 0; lane < size; lane++) values[lane] = distributionAt(distribution, lane).draw(streams.at(lane));
  return fromLanes(values);
}

/** The score of a value: one for all, or one for each. */
export function scoreColumns(distribution: AnyDistribution, value: unknown): Operand {
  const single = !(distribution instanceof LaneDistribution) && !Array.isArray(distribution);
  if (single && !differs(value)) return (distribution as Distribution<unknown>).score(value);
  const { name, params } = distribution as Distribution<unknown>;
  const family = name === undefined ? undefined : columnFamily(name);
  if (family !== undefined) {
    const given = parametersOf(family, params as Record<string, unknown>);
    // What is of another kind is left to the family itself, which knows best.
    const isTruth = value instanceof Column ? value.isTruth : typeof value === 'boolean';
    const isNumeric = family.truths ? isTruth : !isTruth && (typeof value === 'number' || value instanceof Column);
    if (isNumeric && given !== undefined) return family.score(operand(value as Column), ...given);
  }
  const { size } = currentGroup();
  const values = lanesOf(value);
  const result = new Float64Array(size);
  for (let lane = 0; lane < size; lane++) result[lane] = distributionAt(distribution, lane).score(values[lane]);
  return Doubles.of(result);
}
