/** Gathers and scatters on lanes that each run finds anew, against the same on lanes that are known. */
import { describe, expect, it } from 'vitest';
import { gatherTo } from '../../src/tensor/lane-gather.ts';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { input } from '../../src/tensor/leaves.ts';
import type { Node } from '../../src/tensor/node.ts';
import { scatter } from '../../src/tensor/ops/indexing.ts';
import * as ops from '../../src/tensor/ops.ts';
import { openSpace } from '../../src/tensor/partition.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { SCALAR } from '../../src/tensor/shape.ts';

const LANES = 9;
/** So many that the steps of the plan become one function. */
const RUNS = 7;

const space = new LaneSpace(LANES);
const condition = input(SCALAR, 'bool', space);
condition.data = new Float32Array(LANES).fill(1);
const side = openSpace(
  space,
  condition,
  true,
  Int32Array.from({ length: LANES }, (_, i) => i),
);

const table = input([5, 2]);
const rows = input([12], 'f64', space);
const index = input(SCALAR, 'f64', space);
const onSide = (node: Node): Node => gatherTo(node, side);
/** A row of one table, an element of each lane's own (long) row, and the adjoint of the first. */
const picked = ops.gather(table, onSide(index)) as Node;
const own = ops.gather(onSide(rows), onSide(index)) as Node;
const collected = scatter(ops.mul(picked, 2) as Node, [onSide(index)], [5], null);
const outputs = [ops.sumLanes(picked), ops.sumLanes(own), collected];

/** Row i of the table is [i, 10 + i], and element k of lane l's row is 100 l + k. */
const given = (truth: readonly number[], places: readonly number[]) => [
  Float32Array.from(truth),
  Float64Array.from({ length: 10 }, (_, i) => (i >> 1) + 10 * (i % 2)),
  Float64Array.from({ length: 12 * LANES }, (_, i) => 100 * Math.floor(i / 12) + (i % 12)),
  Float64Array.from(places),
];

describe('indices of lanes that take a side', () => {
  const plan = compilePlan(outputs, [condition, table, rows, index]);

  it('pick and collect rows for those who take it now', () => {
    for (let run = 0; run < RUNS; run++) {
      const truth = Array.from({ length: LANES }, (_, lane) => (run === 3 ? 0 : (lane + run) % 3 === 0 ? 1 : 0));
      const places = Array.from({ length: LANES }, (_, lane) => (lane * (run + 1)) % 5);
      const taking = truth.flatMap((is, lane) => (is === 1 ? [lane] : []));
      const sum = (of: (lane: number) => number): number => taking.reduce((all, lane) => all + of(lane), 0);
      const [all, ownAll, back] = plan.run(given(truth, places));
      expect([...(all as Float64Array)]).toEqual([sum((lane) => places[lane]), sum((lane) => 10 + places[lane])]);
      expect(ownAll).toBe(sum((lane) => 100 * lane + places[lane]));
      const times = (row: number): number => sum((lane) => (places[lane] === row ? 1 : 0));
      const rowsBack = [0, 1, 2, 3, 4].flatMap((row) => [2 * row * times(row), 2 * (10 + row) * times(row)]);
      expect([...(back as Float64Array)]).toEqual(rowsBack);
    }
  });

  it('are refused where a table has no such row, for those alone who take it', () => {
    const places = [0, 1, 2, 3, 4, 0, 1, 5, 3];
    const truth = new Array<number>(LANES).fill(1);
    expect(() => plan.run(given(truth, places))).toThrow('Index 5 is not a whole number from 0 to 4.');
    truth[7] = 0;
    expect(() => plan.run(given(truth, places))).not.toThrow();
  });
});
