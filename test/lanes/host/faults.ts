/**
 * Rows that are wrong today: the row, the families of ways in which it is wrong, and what is wrong in the first of them. Who mends
 * one deletes its mark: a row that is marked has to fail.
 */
import type { Family } from './families.ts';

type Mark = readonly [row: string, families: readonly Family[], wrong: string];

// biome-ignore format: a line for each row.
const MARKS: readonly Mark[] = [
];

const marked = new Map(MARKS.map(([row, families]) => [row, families]));

/** Whether the row is known to be wrong in some way of the family. */
export const isFault = (row: string, family: Family): boolean => marked.get(row)?.includes(family) ?? false;
