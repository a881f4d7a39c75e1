import { describe, expect, it } from 'vitest';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { input } from '../../src/tensor/leaves.ts';
import type { Data, Node } from '../../src/tensor/node.ts';
import * as ops from '../../src/tensor/ops.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { programOf } from '../../src/tensor/plan/program.ts';
import { schedule } from '../../src/tensor/plan/schedule.ts';
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
