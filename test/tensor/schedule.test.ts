import { describe, expect, it } from 'vitest';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { constant, input } from '../../src/tensor/leaves.ts';
import type { Data, Node } from '../../src/tensor/node.ts';
import * as ops from '../../src/tensor/ops.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { programOf } from '../../src/tensor/plan/program.ts';
import { schedule } from '../../src/tensor/plan/schedule.ts';
import { withoutUnitAxes } from '../../src/tensor/plan/unit-axes.ts';
import { computeAll } from '../../src/tensor/reference.ts';

const space = new LaneSpace(5);

describe('functions made of the same exponential', () => {
  it('are computed by one kernel, whatever comes between', () => {
    const x = input([9], 'f64', space);
    const sums = ops.cumsum(ops.logSigmoid(x)) as Node;
    const later = [ops.mul(sums, ops.sigmoid(ops.neg(x))), ops.add(sums, ops.softplus(x))] as Node[];
    const { steps, stepOf } = schedule(programOf(later, [x]));
    const functions = [...stepOf.keys()].filter(({ op }) => ['logSigmoid', 'sigmoid', 'softplus'].includes(op.name));
    expect(functions).toHaveLength(3);
    expect(new Set(functions.map((value) => stepOf.get(value))).size).toBe(1);
    expect(steps).toHaveLength(3);
    const data = Float64Array.from({ length: 45 }, (_, i) => Math.sin(i) * i);
    const found = compilePlan(later, [x]).run([data]) as Data[];
    const expected = computeAll(later, new Map([[x, data]])) as Data[];
    found.forEach((numbers, k) => {
      numbers.forEach((number, i) => {
        expect(Math.abs(number - expected[k][i])).toBeLessThanOrEqual(1e-14 * Math.max(1, Math.abs(expected[k][i])));
      });
    });
  });
});

/** Values and sums of both kinds of a column that lanes have, with a bias. */
function columns(dtype: 'f64' | 'f32') {
  const x = input([6, 1], dtype, space);
  const bias = input([6, 1], dtype);
  const active = ops.tanh(ops.add(x, bias)) as Node;
  const vector = ops.reshape(active, [6]) as Node;
  const costs = ops.sum(ops.mul(vector, vector)) as Node;
  const outputs = [ops.mul(active, 2) as Node, costs, ops.sumLanes(ops.reshape(vector, [1, 6, 1]) as Node) as Node];
  return { inputs: [x, bias], outputs };
}

describe('axes of length 1', () => {
  it('do not divide what one kernel can compute', () => {
    const { inputs, outputs } = columns('f64');
    const program = programOf(outputs, inputs);
    expect(schedule(program).steps.length).toBeGreaterThan(1);
    expect(schedule(withoutUnitAxes(program)).steps).toHaveLength(1);
  });

  it.each(['f64', 'f32'] as const)('make no difference to values in %s', (dtype) => {
    const { inputs, outputs } = columns(dtype);
    const single = input([1, 1], dtype);
    const row = input([1, 6], dtype);
    const more = [
      ...outputs,
      ops.sum(ops.add(inputs[0], row), [0, 1]) as Node,
      ops.add(inputs[1], row) as Node,
      ops.sum(ops.mul(single, inputs[1]), 1) as Node,
      ops.sum(ops.mul(single, 3)) as Node,
      ops.add(single, 1) as Node,
      ops.max(ops.sub(inputs[0], single), 0) as Node,
    ];
    const all = [...inputs, single, row];
    const make = (length: number) => Float64Array.from({ length }, (_, i) => Math.sin(i + length));
    const data = all.map((node) => (dtype === 'f64' ? make(node.length) : Float32Array.from(make(node.length))));
    const found = compilePlan(more, all).run(data);
    const expected = computeAll(more, new Map(all.map((node, i) => [node, data[i]])));
    const close = dtype === 'f64' ? 1e-14 : 2e-6;
    found.forEach((value, k) => {
      const [a, b] = [value, expected[k]].map((of) => (typeof of === 'number' ? [of] : [...of]));
      expect(a).toHaveLength(b.length);
      a.forEach((number, i) => {
        expect(Math.abs(number - b[i]), `output ${k}`).toBeLessThanOrEqual(close * Math.max(1, Math.abs(b[i])));
      });
    });
  });
});

describe('numbers repeated to a shape', () => {
  it('are taken as numbers, and a factor of 1 not at all', () => {
    const x = input([7], 'f32', space);
    const ones = constant(new Float32Array(35).fill(1), [7], space, 'f32');
    const threes = constant(new Float32Array(35).fill(3), [7], space, 'f32');
    const { values, outputs } = programOf([ops.weigh(ones, x) as Node, ops.weigh(threes, x) as Node], [x]);
    expect(outputs[0].source?.kind).toBe('input');
    expect(values.filter(({ source }) => source?.kind === 'baked').map(({ isScalar }) => isScalar)).toEqual([true]);
    const data = Float32Array.from({ length: 35 }, (_, i) => i - 9);
    const [tripled] = compilePlan([ops.weigh(threes, x) as Node], [x]).run([data]);
    expect(tripled).toEqual(data.map((number) => 3 * number));
  });
});

describe('constants of the same numbers', () => {
  it('are one, and so is what is computed of them', () => {
    const weights = input([3, 2]);
    const layer = (...numbers: number[]): Node =>
      ops.tanh(ops.matmul(weights, constant(Float64Array.from(numbers), [2]))) as Node;
    const outputs = [layer(1, 2), layer(1, 2), layer(0, 1), layer(-0, 1)];
    const { values } = programOf(outputs, [weights]);
    expect(values.filter(({ op }) => op.name === 'matmul')).toHaveLength(3);
    const found = compilePlan(outputs, [weights]).run([Float64Array.from([1, 0, 0, 1, 1, 1])]);
    expect(found[1]).toEqual(found[0]);
    expect(found[0]).toEqual(Float64Array.from([1, 2, 3], Math.tanh));
  });
});
