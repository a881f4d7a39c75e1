/** Data of which several lanes each try values of choices: what these have in common is there once. */
import { expect, test } from 'vitest';
import { Lanes } from '../../src/lanes/lanes.ts';
import { areWhole } from '../../src/lanes/once-each.ts';
import { LaneStreams } from '../../src/lanes/streams.ts';
import { laneValue } from '../../src/lanes/value.ts';
import '../../src/tensor/evaluate.ts';
import { overLanes } from '../../src/optimize/over-lanes.ts';
import type { Strand } from '../../src/optimize/record.ts';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import type { Node } from '../../src/tensor/node.ts';
import { mul } from '../../src/tensor/ops.ts';

const streams = new LaneStreams(6, () => {
  throw new Error('nothing is drawn here');
});
const data = new LaneSpace(3);
const twice = Int32Array.of(0, 0, 1, 1, 2, 2);
const lanes = new Lanes(new LaneSpace(6, data, twice), null, twice, streams, 'iterations', false, data);

const numbers = (value: unknown): number[] => Array.from((value as Node).elements());

test('what is computed from a datum alone is computed once for it', () => {
  const datum = laneValue([1, 1, 2, 2, 3, 3], lanes) as Node;
  const double = mul(datum, 2) as Node;
  expect(double.space).toBe(data);
  expect(numbers(double)).toEqual([2, 4, 6]);
  const tried = laneValue([0, 1, 0, 1, 0, 1], lanes) as Node;
  expect(tried.space).toBe(lanes.space);
  expect(numbers(mul(double, tried))).toEqual([0, 2, 0, 4, 0, 6]);
});

test('it counts for each of the lanes, and lanes know their data', () => {
  const datum = laneValue([1, 1, 2, 2, 3, 3], lanes) as Node;
  expect(numbers(overLanes(datum, { lanes } as Strand))).toEqual([12]);
  expect([0, 3, 5].map((lane) => lanes.path(lane))).toEqual([[0], [1], [2]]);
});

test('only where all lanes of the data are there', () => {
  expect(areWhole(Int32Array.of(2, 3, 6, 7), 2)).toBe(true);
  for (const places of [
    [0, 2],
    [1, 2],
    [0, 1, 2],
    [0, 3],
  ])
    expect(areWhole(Int32Array.from(places), 2)).toBe(false);
});
