/** Rows that are made at random, in the ways of running by turns. */
import { expect, test } from 'vitest';
import { FAMILIES, wrongWith } from './families.ts';
import { randomRow } from './random-rows.ts';

/** How many rows are tried; other numbers than these can be tried by hand. */
const { ROWS = '60', FIRST = '0' } = process.env;

test.each(Object.entries(FAMILIES))('%s', async (_family, ways) => {
  const wrong: string[] = [];
  const each = Math.ceil(Number(ROWS) / Object.keys(FAMILIES).length);
  for (let i = 0; i < each; i++) {
    const seed = Number(FIRST) + i * 7 + ways.length;
    const way = ways[i % ways.length];
    const code = randomRow(seed);
    const why = await wrongWith(code, way);
    if (why !== undefined) wrong.push(`row ${seed}, ${way}: ${why}\n    ${code}`);
  }
  expect(wrong.join('\n')).toBe('');
});
