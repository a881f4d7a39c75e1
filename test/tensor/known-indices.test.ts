/** Gathers and scatters by indices that a plan knows, against the reference. */
import { describe, expect, it } from 'vitest';
import { fromLanes, gatherTo, scatterTo } from '../../src/tensor/lane-gather.ts';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { constant, input } from '../../src/tensor/leaves.ts';
import type { Data, Node } from '../../src/tensor/node.ts';
import { scatter } from '../../src/tensor/ops/indexing.ts';
import * as ops from '../../src/tensor/ops.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { withKnownIndices } from '../../src/tensor/plan/known-indices.ts';
import { withPicksThrough } from '../../src/tensor/plan/picks-through.ts';
import { programOf } from '../../src/tensor/plan/program.ts';
import { computeAll } from '../../src/tensor/reference.ts';
import { PICK } from '../../src/tensor/wasm/emit.ts';
import { generator } from './inputs.ts';

const outer = new LaneSpace(3);
const inner = new LaneSpace(7, outer, Int32Array.of(0, 0, 1, 1, 1, 2, 2));
const random = generator(8);

const dataOf = (node: Node): Data => {
  const numbers = Float64Array.from({ length: node.length }, () => Math.fround(2 * random() - 1));
  return node.dtype === 'f32' ? Float32Array.from(numbers) : numbers;
};

/** The names of operations that are left of a program. */
function check(outputs: readonly Node[], leaves: readonly Node[]): string[] {
  const data = leaves.map(dataOf);
  const found = compilePlan(outputs, leaves).run(data);
  const expected = computeAll(outputs, new Map(leaves.map((node, i) => [node, data[i]])));
  outputs.forEach((_, k) => {
    const [a, b] = [found[k], expected[k]].map((value) => (typeof value === 'number' ? [value] : [...value]));
    expect(a).toEqual(b);
  });
  const { values } = withKnownIndices(programOf(outputs, leaves));
  return values.filter(({ source }) => source === null).map(({ op }) => op.name);
}

const list = (numbers: readonly number[], lanes: LaneSpace | null = inner): Node =>
  constant(Float64Array.from(numbers), lanes === null ? [numbers.length] : [], lanes);

describe('indices that a plan knows', () => {
  it.each(['f64', 'f32'] as const)('pick elements of a table in the kernel that uses them, in %s', (dtype) => {
    const table = input([4, 2], dtype);
    const row = list([3, 0, 1, 1, 2, 3, 0]);
    const column = list([0, 1, 1, 0, 0, 1, 0]);
    const picked = ops.gather(ops.mul(table, 2) as Node, row, column) as Node;
    const several = ops.gather(table, constant(Float64Array.of(3, 0, 2), [3])) as Node;
    const left = check([ops.add(picked, 1) as Node, ops.sum(several) as Node], [table]);
    // Rows are moved as rows.
    expect(left.filter((name) => name === 'gather')).toHaveLength(1);
    expect(left).toContain('pick');
  });

  it('pick along axes that are reduced', () => {
    const table = input([5]);
    const places = constant(
      Float64Array.from({ length: 7 * 9 }, (_, i) => (3 * i) % 5),
      [9],
      inner,
    );
    const picked = ops.gather(table, places) as Node;
    const left = check([ops.minOf(picked) as Node, ops.maxOf(ops.neg(picked) as Node) as Node], [table]);
    expect(left).not.toContain('gather');
  });

  it('pick from a table that is used as it is too', () => {
    const x = input([], 'f64', inner);
    const reversed = ops.gather(fromLanes(x), list([6, 5, 4, 3, 2, 1, 0])) as Node;
    check(
      [
        ops.add(x, reversed) as Node,
        ops.mul(ops.exp(x), ops.gather(fromLanes(ops.neg(x) as Node), list([1, 1, 1, 2, 2, 2, 0])) as Node),
      ],
      [x],
    );
  });

  it('pick for lanes further in, and of rows of the lane itself', () => {
    const number = input([], 'f64', outer);
    const row = input([3], 'f64', inner);
    const own = ops.gather(row, list([0, 2, 1, 1, 0, 2, 2])) as Node;
    const left = check([ops.add(gatherTo(number, inner), own) as Node], [number, row]);
    expect(left.sort()).toEqual(['add', 'pick', 'pick']);
  });

  it.each(['f64', 'f32'] as const)('add elements up in their order, without looking at the indices, in %s', (dtype) => {
    const value = ops.mul(input([], dtype, inner), 3) as Node;
    const rows = input([2], dtype, inner);
    const places = constant(
      Float64Array.from({ length: 14 }, (_, i) => (3 * i) % 5),
      [2],
      inner,
    );
    const own = constant(
      Float64Array.from({ length: 14 }, (_, i) => (i * i) % 4),
      [2],
      inner,
    );
    const left = check(
      [
        scatter(value, [list([3, 0, 1, 1, 0, 3, 0]), list([0, 1, 1, 1, 1, 0, 0])], [4, 2], null),
        scatter(rows, [places], [5], null),
        scatter(rows, [own], [4], inner),
        scatterTo(value, outer),
      ],
      [value.inputs[0], rows],
    );
    expect(left.filter((name) => name === 'addAt')).toHaveLength(4);
    for (const name of ['scatter', 'laneScatter']) expect(left).not.toContain(name);
  });

  it('move nothing where they name all elements in order', () => {
    const table = input([7], 'f64');
    const value = input([], 'f64', inner);
    const order = list([0, 1, 2, 3, 4, 5, 6]);
    const same = new LaneSpace(3, outer, Int32Array.of(0, 1, 2));
    const number = input([], 'f64', outer);
    const left = check(
      [
        ops.neg(ops.gather(table, order) as Node) as Node,
        scatter(value, [order], [7], null),
        ops.exp(gatherTo(number, same)),
        scatterTo(ops.exp(gatherTo(number, same)), outer),
      ],
      [table, value, number],
    );
    for (const name of ['gather', 'scatter', 'laneGather', 'laneScatter', 'pick']) expect(left).not.toContain(name);
  });

  describe('of what other picks and constants are made of', () => {
    const truths = input([5], 'f64');
    // Of lanes further in, seven numbers, and out of them rows of three for the lanes outside.
    const own = (of: Node = ops.gather(truths, list([4, 0, 2, 2, 1, 3, 0])) as Node): Node =>
      ops.select(ops.gt(of, 0), list([0.5, 1, 2, 4, 8, 16, 32]), 1) as Node;
    const rows = (of: Node, each: number): Node => {
      const places = Float64Array.from({ length: 3 * each }, (_, i) => (5 * i) % 7);
      return ops.prod(ops.gather(fromLanes(of), constant(places, [each], outer)) as Node, -1) as Node;
    };
    /** How many operations are left on the seven lanes. */
    const leftOf = (outputs: readonly Node[], leaves: readonly Node[]): number => {
      check(outputs, leaves);
      const { values, spaces } = withPicksThrough(withKnownIndices(programOf(outputs, leaves)));
      return values.filter(({ source, space, op }) => source === null && spaces[space]?.size === 7 && op !== PICK)
        .length;
    };

    it('pick of these, with the same bits', () => {
      expect(leftOf([rows(own(), 3)], [truths])).toBe(0);
      const both = ops.mul(own(), ops.abs(ops.gather(truths, list([1, 1, 0, 0, 3, 3, 4])) as Node)) as Node;
      expect(leftOf([rows(both, 4)], [truths])).toBe(0);
    });

    it('choose once where rows are filled up with what the choice gives otherwise', () => {
      /** How many choices are left where rows of three are filled up, behind those that there are, with a number; or where these are found out in each run. */
      const choices = (filled: number, first: Node | null = null, turned = false): number => {
        const places = Float64Array.from({ length: 9 }, (_, i) => (5 * i) % 7);
        const row = ops.gather(fromLanes(own()), constant(places, [3], outer)) as Node;
        const there = constant(Uint8Array.of(1, 1, 0, 1, 0, 0, 1, 1, 1) as never, [3], outer, 'bool');
        const known = first === null ? there : (ops.gt(first, 0) as Node);
        const whole = (turned ? ops.select(known, filled, row) : ops.select(known, row, filled)) as Node;
        const leaves = first === null ? [truths] : [truths, first];
        check([ops.prod(whole, -1) as Node], leaves);
        const { values } = withPicksThrough(withKnownIndices(programOf([ops.prod(whole, -1) as Node], leaves)));
        return values.filter(({ op, source }) => source === null && op.name === 'select').length;
      };
      expect(choices(1)).toBe(1);
      expect(choices(2)).toBe(2);
      expect(choices(1, input([3], 'f64', outer))).toBe(2);
      expect(choices(1, null, true)).toBe(2);
    });

    it('pick of what is computed where that is dear, used elsewhere too, or picked often', () => {
      const value = input([], 'f64', inner);
      const kept: [Node[], Node[]][] = [
        [[rows(ops.sqrt(own()) as Node, 3)], [truths]],
        [[rows(own(), 5)], [truths]],
        [[rows(own(value), 3)], [value]],
      ];
      for (const [outputs, leaves] of kept) expect(leftOf(outputs, leaves)).toBeGreaterThan(0);
      const shared = own();
      expect(leftOf([rows(shared, 3), ops.neg(shared) as Node], [truths])).toBeGreaterThan(0);
    });
  });

  it('are refused as ever if they are none', () => {
    const table = input([3]);
    for (const bad of [3, -1, 0.5, Number.NaN]) {
      const picked = ops.gather(table, list([0, 1, 2, bad, 0, 0, 0])) as Node;
      const plan = compilePlan([ops.exp(picked)], [table]);
      expect(() => plan.run([Float64Array.of(1, 2, 3)])).toThrow(`Index ${bad} is not a whole number from 0 to 2.`);
    }
  });
});
