/** Operations on short rows of lanes, in plans that take the rows apart, against the reference. */
import { describe, expect, it } from 'vitest';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { fromLanes } from '../../src/tensor/lane-gather.ts';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { constant, input } from '../../src/tensor/leaves.ts';
import type { Data, Node } from '../../src/tensor/node.ts';
import { scatter } from '../../src/tensor/ops/indexing.ts';
import * as ops from '../../src/tensor/ops.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { programOf } from '../../src/tensor/plan/program.ts';
import { schedule } from '../../src/tensor/plan/schedule.ts';
import { withShortRows } from '../../src/tensor/plan/short-rows.ts';
import { computeAll } from '../../src/tensor/reference.ts';
import type { Shape } from '../../src/tensor/shape.ts';
import { generator } from './inputs.ts';

// Odd, so that vectors do not come out even.
const space = new LaneSpace(7);
const random = generator(11);

const leaf = (shape: Shape, dtype: 'f64' | 'f32' = 'f64'): Node => input(shape, dtype, space);
const dataOf = (node: Node): Data => {
  const numbers = Float64Array.from({ length: node.length }, () => Math.fround(4 * random() - 2));
  return node.dtype === 'f32' ? Float32Array.from(numbers) : numbers;
};

/** Runs both ways; rows are really taken apart. */
function check(outputs: readonly Node[], leaves: readonly Node[], data = leaves.map(dataOf)): void {
  const program = withShortRows(programOf(outputs, leaves));
  expect(program.values.some(({ op }) => op.name === 'part' || op.name === 'row')).toBe(true);
  const found = compilePlan(outputs, leaves).run(data);
  const expected = computeAll(outputs, new Map(leaves.map((node, i) => [node, data[i]])));
  outputs.forEach((_, k) => {
    const [a, b] = [found[k], expected[k]].map((value) => (typeof value === 'number' ? [value] : [...value]));
    expect(a).toHaveLength(b.length);
    a.forEach((x, i) => {
      const off = Object.is(x, b[i]) ? 0 : Math.abs(x - b[i]);
      if (!(off <= 1e-13 * Math.max(1, Math.abs(b[i])))) expect.fail(`output ${k}, element ${i}: ${x}, not ${b[i]}`);
    });
  });
}

describe('short rows', () => {
  it('are reduced along all axes or some', () => {
    const x = leaf([2, 3]);
    const reductions = [ops.sum, ops.prod, ops.maxOf, ops.minOf];
    const outputs = reductions.flatMap((reduce) =>
      [undefined, 0, 1, [0, 1]].map((axes) => reduce(ops.mul(x, 2) as Node, axes) as Node),
    );
    check([...outputs, ops.sum(x, 1, true) as Node], [x]);
  });

  it('are added up in order, from either end', () => {
    const x = leaf([2, 3]);
    check(
      [0, 1].flatMap((axis) => [false, true].map((reverse) => ops.cumsum(x, axis, reverse) as Node)),
      [x],
    );
  });

  it('meet numbers, numbers of lanes, constants and rows of other shapes', () => {
    const x = leaf([2, 3]);
    const y = leaf([3]);
    const number = leaf([]);
    const shared = constant(Float64Array.of(1, -2, 3, 4, 5, 0.5), [2, 3]);
    const mixed = ops.add(ops.mul(x, y), ops.select(ops.lt(x, number), shared, ops.neg(y)));
    check(
      [mixed as Node, ops.sum(mixed as Node, 1) as Node, ops.gt(ops.sum(mixed as Node) as Node, 0)],
      [x, y, number],
    );
  });

  it('are cut, padded, turned and joined', () => {
    const x = leaf([2, 3]);
    const turned = ops.transpose(x) as Node;
    const padded = ops.pad(ops.slice(x, [0, 1], [2, 2]) as Node, [0, 1], [0, 1]) as Node;
    const both = ops.concat([ops.sliceAxis(x, 1, 0, 1) as Node, ops.sliceAxis(x, 1, 2, 3) as Node], 1) as Node;
    check(
      [turned, padded, both].flatMap((node) => [node, ops.sum(node, 0) as Node]),
      [x],
    );
  });

  it('are read and written at an index of their lane', () => {
    const x = leaf([4]);
    const value = leaf([]);
    const index = leaf([]);
    const picked = ops.gather(ops.exp(x), index) as Node;
    const put = scatter(value, [index], [4], space);
    const places = Float64Array.from({ length: space.size }, (_, lane) => lane % 4);
    check([picked, put, ops.sum(put) as Node], [x, value, index], [dataOf(x), dataOf(value), places]);
    const bad = places.slice();
    bad[3] = 4;
    bad[5] = Number.NaN;
    const reading = compilePlan([picked], [x, index]);
    expect(() => reading.run([dataOf(x), bad])).toThrow('2 indices of lanes are no whole number from 0 to 3.');
    bad[5] = 1;
    const writing = compilePlan([put], [value, index]);
    expect(() => writing.run([dataOf(value), bad])).toThrow('An index of a lane is no whole number from 0 to 3.');
  });

  it('of single precision and truth values are used as they are', () => {
    const x = leaf([3], 'f32');
    const z = leaf([3]);
    const isLarge = ops.gt(z, x);
    check(
      [ops.sum(ops.select(isLarge, z, x) as Node) as Node, isLarge, ops.cumsum(ops.mul(z, x) as Node) as Node],
      [x, z],
    );
  });

  it('of single precision are taken apart and put together where kernels use them, and computed whole', () => {
    const x = leaf([3, 1], 'f32');
    const row = ops.mul(x, x) as Node;
    const part = (at: number): Node => ops.reshape(ops.slice(row, [at, 0], [1, 1]) as Node, []) as Node;
    const score = ops.add(ops.mul(part(0), part(1)), ops.exp(part(2))) as Node;
    const single = (node: Node): Node => ops.inSinglePrecision(ops.reshape(node, [1])) as Node;
    const joined = ops.concat([single(score), single(part(1))]) as Node;
    const outputs = [score, joined, ...gradient(score, [x])];
    check(outputs, [x]);
    const program = withShortRows(programOf(outputs, [x]));
    const names = new Set(program.values.map(({ op }) => op.name));
    for (const name of ['slice', 'pad', 'concat']) expect(names).not.toContain(name);
    const square = program.values.filter(({ op, dtype }) => op.name === 'mul' && dtype === 'f32');
    expect(square.every(({ shape }) => shape.length > 0)).toBe(true);
  });

  it('have the gradients of a small choice', () => {
    const x = leaf([4]);
    const noise = leaf([]);
    const probabilities = ops.softmax(ops.pad(x, [0], [1]) as Node) as Node;
    const below = ops.sum(ops.select(ops.le(ops.cumsum(probabilities), noise), 1, 0) as Node) as Node;
    const place = ops.min(below, 4) as Node;
    const score = ops.log(ops.gather(probabilities, place) as Node);
    const outputs = [place, score, probabilities, ...gradient(score, [x])];
    const uniform = Float64Array.from({ length: space.size }, random);
    check(outputs, [x, noise], [dataOf(x), uniform]);
    // All of it in as few kernels as their size allows.
    const { steps } = schedule(withShortRows(programOf(outputs, [x, noise])));
    expect(steps.length).toBeLessThanOrEqual(2);
    expect(steps.every(({ kind }) => kind === 'fused')).toBe(true);
  });

  it('are picked from within kernels where they are of single precision, and computed in double', () => {
    const x = leaf([3], 'f32');
    const index = leaf([]);
    const probabilities = ops.softmax(x) as Node;
    const outputs = [ops.log(ops.gather(probabilities, index)) as Node];
    const places = Float64Array.from({ length: space.size }, (_, i) => i % 3);
    const { steps } = schedule(withShortRows(programOf(outputs, [x, index])));
    expect(steps.every(({ kind }) => kind === 'fused')).toBe(true);
    // As the same numbers give it that were doubles from the start.
    const rows = dataOf(x);
    const double = leaf([3]);
    const exact = ops.log(ops.gather(ops.softmax(double) as Node, index)) as Node;
    const given = new Map<Node, Data>([
      [double, Float64Array.from(rows)],
      [index, places],
    ]);
    const [found] = compilePlan(outputs, [x, index]).run([rows, places]) as Data[];
    const [expected] = computeAll([exact], given) as Data[];
    found.forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i], 12);
    });
  });

  it('are left alone where nothing is done along them, or they are long', () => {
    const x = leaf([4]);
    const long = leaf([9]);
    for (const output of [ops.exp(ops.mul(x, 2)), ops.softmax(long) as Node, ops.reshape(x, [2, 2]) as Node]) {
      const { values } = withShortRows(programOf([output], [x, long]));
      expect(values.some(({ op }) => op.name === 'part' || op.name === 'row')).toBe(false);
    }
  });
});

it('views of what stands for a softmax of single precision read it as it is', () => {
  const x = leaf([2], 'f32');
  for (const op of [ops.softmax, ops.logSoftmax]) {
    const rows = op(x) as Node;
    check([fromLanes(rows), ops.reshape(rows, [1, 2]) as Node], [x]);
  }
});
