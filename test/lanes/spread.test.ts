import { expect, test } from 'vitest';
import { Spread } from '../../src/lanes/spread.ts';

const from = Int32Array.from({ length: 12 }, (_, i) => 100 + i);
const repeated = (...places: number[]): number[] => places.flatMap((place) => new Array<number>(20).fill(place));

test.each([
  ['in order', [0, 1, 2, 3, 4]],
  ['in order, all of them', [...from.keys()]],
  ['in runs', repeated(3, 0, 11, 0)],
  ['in one run', repeated(7)],
  ['in no order', [5, 5, 1, 0, 2, 11]],
  ['in runs and not', [...repeated(2), 1, 0, 1, 0, 1, 0, 1, 0, 1]],
  ['nowhere', []],
])('numbers at places %s', (_name, at) => {
  const into = new Int32Array(at.length);
  const spread = new Spread(at);
  for (const shift of [0, 50]) {
    const moved = from.map((number) => number + shift);
    spread.copy(moved, into);
    expect([...into]).toEqual(at.map((place) => moved[place]));
  }
});
