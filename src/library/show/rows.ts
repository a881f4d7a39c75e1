/** Lists of objects with the same fields, as a table: what `mapData` gives, data from files, rows of results. */

import { isDistribution } from '../../runtime/primitives.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { commonFields } from '../summary.ts';
import { clip, grid, WIDTH, widthOf } from './grid.ts';
import { inlineText } from './inline.ts';
import { shortNumber } from './number.ts';

/** Fields beyond this many make no table. */
const MOST_FIELDS = 12;

/** Rows that are shown as text; the rest is counted. */
const ROWS = 30;

interface RowTable {
  /** The number of the row, then the fields. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table of a list of objects with the same fields; undefined for other values. */
export function rowTable(value: unknown): RowTable | undefined {
  if (!Array.isArray(value) || value.length < 2 || !value.every(isRecord)) return undefined;
  const fields = commonFields(value);
  if (fields === undefined || fields.length > MOST_FIELDS) return undefined;
  const cell = (field: unknown): string => (typeof field === 'number' ? shortNumber(field) : inlineText(field));
  return {
    head: ['', ...fields],
    rows: value.map((row, i) => [String(i), ...fields.map((field) => cell((row as Record<string, unknown>)[field]))]),
  };
}

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Tensor) &&
  !isDistribution(value);

/** The table as lines; undefined if the value is none, or it would be too wide. */
export function rowLines(value: unknown): string[] | undefined {
  const table = rowTable(value);
  if (table === undefined) return undefined;
  const { head, rows } = table;
  const shown = rows.slice(0, ROWS).map((row) => row.map((text) => clip(text, 30)));
  const numeric = (column: number): boolean =>
    (value as Record<string, unknown>[]).every((row) => column === 0 || typeof row[head[column]] === 'number');
  const align = head.map((_, column) => (numeric(column) ? 'right' : 'left') as 'left' | 'right');
  const lines = grid([head.map((name) => clip(name, 30)), ...shown], align).map((line) => `  ${line}`);
  if (lines.some((line) => widthOf(line) > WIDTH)) return undefined;
  return rows.length > ROWS ? [...lines, `  … ${rows.length - ROWS} more rows`] : lines;
}
