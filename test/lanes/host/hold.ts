/** Holds the rows of the table to what Node computes. */
import { describe, expect, test } from 'vitest';
import { FAMILIES, type Family, wrongWith } from './families.ts';
import { isFault } from './faults.ts';
import { ROWS } from './rows/index.ts';

/** With TABLE=all each row runs in every way; otherwise one in so many runs in one of each family, in turn. */
const inEveryWay = process.env.TABLE === 'all';
const ONE_IN: Readonly<Record<Family, number>> = {
  ...{ columns: 5, recordings: 9, plain: 16 },
  ...{ trajectories: 6, lanes: 6, graph: 6 },
};

/** Tests of all rows in the ways of some families. */
export function holdRows(families: readonly Family[]): void {
  describe.each(families)('%s', (family) => {
    test.each(Object.keys(ROWS))('%s', (group) => hold(ROWS[group], family), 600_000);
  });
}

async function hold(rows: readonly string[], family: Family): Promise<void> {
  const wrong: string[] = [];
  for (const [i, code] of rows.entries()) {
    const ways = [...new Set(FAMILIES[family])];
    const turn = Math.floor(i / ONE_IN[family]);
    const marked = isFault(code, family);
    if (!inEveryWay && !marked && i % ONE_IN[family] !== turn % ONE_IN[family]) continue;
    let found: string | undefined;
    for (const way of inEveryWay || marked ? ways : [FAMILIES[family][turn % FAMILIES[family].length]]) {
      const why = await wrongWith(code, way);
      if (why !== undefined) found = `${way}: ${code}\n    ${why}`;
      if (found !== undefined) break;
    }
    if (!marked && found !== undefined) wrong.push(found);
    if (marked && found === undefined) wrong.push(`${code}\n    is right now: delete its mark in faults.ts`);
  }
  expect(wrong.join('\n')).toBe('');
}
