/** What the network is told of a number among those of its list. */
import { describe, expect, it } from 'vitest';
import { DataShape, tokensOf } from '../../src/amortize/data-shape.ts';
import { listMoments } from '../../src/amortize/list-standing.ts';

const NONE: ReadonlySet<string> = new Set();

/** The rows of tokens of data, after a shape has learned from them. */
function rowsOf(data: unknown): number[][] {
  const shape = new DataShape(NONE, {});
  const tokens = tokensOf(data, NONE);
  const at = (place: readonly (string | number)[]): unknown =>
    place.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], data);
  const values = tokens.map(({ leaves }) => leaves.map(({ place }) => [at(place)]));
  const lists = listMoments(tokens, values, 1);
  const signature = shape.signature(tokens[0])!;
  shape.learn(
    signature,
    signature.leaves.map((_, k) => values.map((leaves) => leaves[k][0])),
  );
  return tokens.map((_, t) => {
    const row = new Float64Array(signature.width);
    shape.write(signature, { leaves: values[t], lists: lists[t] }, 1, row, 0);
    return [...row];
  });
}

describe('a number among those of its list', () => {
  it('stands where it is, in units of the spread of the list', () => {
    const rows = rowsOf([1, 2, 3, 6]);
    const spread = Math.sqrt((4 + 1 + 0 + 9) / 4);
    expect(rows.map((row) => row[6])).toEqual([-2, -1, 0, 3].map((off) => expect.closeTo(off / spread, 12)));
    expect(new Set(rows.map((row) => row[5])).size).toBe(1);
  });

  it('stands in its own list, where there are lists of lists', () => {
    const rows = rowsOf([[1, 2, 3], [100, 200], [7]]);
    const off = Math.sqrt(1.5);
    expect(rows.map((row) => row[6])).toEqual([-off, 0, off, -1, 1, 0].map((x) => expect.closeTo(x, 12)));
    // Of a single number nothing is known.
    expect(rows[5].slice(4)).toEqual([0, 0, 0]);
  });

  it('has products with the other numbers of its element, whose mean is the correlation', () => {
    const rows = rowsOf([
      { x: 1, y: 30 },
      { x: 2, y: 20 },
      { x: 3, y: 10 },
    ]);
    expect(rows.reduce((sum, row) => sum + row.at(-1)!, 0) / 3).toBeCloseTo(-1, 12);
  });

  it('is not counted where it is missing', () => {
    const rows = rowsOf([1, undefined, 3]);
    expect(rows.map((row) => row[6])).toEqual([-1, 0, 1]);
    expect(rows[1].slice(0, 4)).toEqual([0, 0, 0, 0]);
  });
});
