/** Coordinates of points: two lists, pairs, or objects whose fields are coordinates and group. */
import { describe } from '../../runtime/describe.ts';
import { didYouMean, WaymarkError } from '../../runtime/errors.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { commonFields, fieldOf } from '../summary.ts';
import { type Component, componentsOf, coordinates, type Drawable, drawn } from './data.ts';
import type { DrawingOptions } from './options.ts';

type GroupBy = DrawingOptions['groupBy'];

/** Two columns, and what groups their rows. */
interface Frame {
  readonly xs: readonly unknown[];
  readonly ys: readonly unknown[];
  readonly groups?: readonly string[];
}

const isNumeric = (value: unknown): boolean => typeof value === 'number';

/** Whether these are objects with a label and a number each. */
export function isFrame(data: unknown, groupBy: GroupBy): data is readonly unknown[] {
  if (isDistribution(data) || !Array.isArray(data) || data.length === 0) return false;
  const fields = commonFields(data)?.filter((field) => field !== groupBy);
  if (fields?.length !== 2) return false;
  return data.every((row) => isNumeric(fieldOf(row, fields[1])));
}

/** The first two fields, and the group of each row. */
export function frameOf(caller: string, rows: readonly unknown[], groupBy: GroupBy): Frame {
  const parts = componentsOf(rows);
  const [x, y] = parts.filter(({ name }) => name !== groupBy);
  return { xs: x.values, ys: y.values, groups: groupsOf(caller, parts, rows.length, groupBy) };
}

function groupsOf(
  caller: string,
  parts: readonly Component[],
  length: number,
  groupBy: GroupBy,
): readonly string[] | undefined {
  if (groupBy === undefined) return undefined;
  if (typeof groupBy !== 'string') {
    if (groupBy.length === length) return groupBy.map(String);
    throw new WaymarkError(`${caller}: groupBy must have an item for each of ${length} points, got ${groupBy.length}.`);
  }
  const field = parts.find(({ name }) => name === groupBy);
  if (field !== undefined) return field.values.map(String);
  const fields = parts.map(({ name }) => name).filter((name) => name !== '');
  throw new WaymarkError(
    `${caller}: the values have no field '${groupBy}' to group by${
      fields.length === 0 ? '' : `; they have ${fields.join(', ')}`
    }.${didYouMean(groupBy, fields)}`,
  );
}

/** Two lists of coordinates, or values with two components. */
export function pairsOf(
  caller: string,
  first: unknown,
  second: unknown,
  { groupBy, samples }: DrawingOptions,
): { xs: number[]; ys: number[]; weights: ArrayLike<number>; groups?: readonly string[] } {
  if (second !== undefined && (Array.isArray(second) || ArrayBuffer.isView(second) || second instanceof Tensor)) {
    const [xs, ys] = [coordinates(caller, first), coordinates(caller, second)];
    if (xs.length !== ys.length) {
      throw new WaymarkError(`${caller} needs two lists of one length, got lengths ${xs.length} and ${ys.length}.`);
    }
    const groups = groupsOf(caller, [], xs.length, groupBy);
    return { xs, ys, weights: xs.map(() => 1 / xs.length), groups };
  }
  const { values, weights } = drawn(caller, first as Drawable, samples);
  const parts = componentsOf(values);
  const [x, y] = parts.filter(({ name }) => name !== groupBy);
  if (x === undefined || y === undefined) {
    throw new WaymarkError(
      `${caller} needs two lists, as in ${caller}(xs, ys), or values with two parts; got ${describe(values[0])}.`,
    );
  }
  const groups = groupsOf(caller, parts, values.length, groupBy);
  return { xs: coordinates(caller, x.values), ys: coordinates(caller, y.values), weights, groups };
}
