/**
 * Rows that are wrong today: the row, the families of ways in which it is wrong, and what is wrong in the first of them. Who mends
 * one deletes its mark: a row that is marked has to fail.
 */
import type { Family } from './families.ts';

type Mark = readonly [row: string, families: readonly Family[], wrong: string];

// biome-ignore format: a line for each row.
const MARKS: readonly Mark[] = [
  ['[f, g, Math.abs][k](x)', ['lanes', 'graph'], 'the gradient is 0, not 15.4'],
  ['let t = 0; for (const q of new Set([k, x])) { t += q; } return t;', ['lanes', 'graph'], 'the gradient is 0, not 11.5499'],
  ['_.meanBy([k, 1], t => t * x)', ['lanes', 'graph'], 'the gradient is 0, not 13.0300'],
  ['[...new Set([x])][0] * x', ['lanes', 'graph'], 'the gradient is 8.7965, not 17.5930'],
];

const marked = new Map(MARKS.map(([row, families]) => [row, families]));

/** Whether the row is known to be wrong in some way of the family. */
export const isFault = (row: string, family: Family): boolean => marked.get(row)?.includes(family) ?? false;
