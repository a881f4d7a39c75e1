/** Scalars between kernels: interpreted at first, then part of the one function that a plan becomes, with the same bits as in JavaScript. */
import { expect, test } from 'vitest';
import '../../src/tensor/evaluate.ts';
import { recordBinary, recordTernary, recordUnary } from '../../src/tensor/elementwise/record.ts';
import { arityOf, elementwiseOps } from '../../src/tensor/elementwise/table.ts';
import { input } from '../../src/tensor/leaves.ts';
import type { Node, Op } from '../../src/tensor/node.ts';
import * as ops from '../../src/tensor/ops.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';

/** More than it takes until the steps are one function. */
const RUNS = 40;
/** Fewer than make a function of their own, where other functions are called. */
const TOGETHER = 20;

const SPECIAL = [0, -0, 1, -1, 0.5, 2, -2.5, 1e-9, 700, -750, 1e300, Infinity, -Infinity, Number.NaN, 0.3, -0.7, 1.9];

function apply(op: Op, [a, b, c]: readonly Node[]): Node {
  if (arityOf(op) === 1) return recordUnary(op, a);
  return arityOf(op) === 2 ? recordBinary(op, a, b) : recordTernary(op, a, b, c);
}

const batches = Array.from({ length: Math.ceil(elementwiseOps.length / TOGETHER) }, (_, i) =>
  elementwiseOps.slice(i * TOGETHER, (i + 1) * TOGETHER),
);

test.each(batches.map((batch) => ({ first: batch[0].name, batch })))('$first and the next ones', ({ batch }) => {
  const operands = [input(), input(), input()];
  const [row, matrix] = [input([3]), input([2, 3])];
  const others = [ops.exp(row), ops.sum(ops.mul(matrix, 2)), ops.matmul(matrix, row)] as Node[];
  const outputs = [...batch.map((op) => apply(op, operands)), ...others];
  const plan = compilePlan(outputs, [...operands, row, matrix]);
  for (let run = 0; run < RUNS; run++) {
    const given = [0, 1, 2].map((k) => SPECIAL[(run * (k + 1) + 5 * k) % SPECIAL.length]);
    const results = plan.run([...given, new Float64Array(3).fill(run), new Float64Array(6).fill(1)]);
    const [a, b, c] = given;
    batch.forEach((op, k) => {
      const expected = op.compute!(a, b, c);
      const isSame = results[k] === expected || Object.is(results[k], expected);
      expect(isSame, `run ${run}: ${op.name}(${given}) is ${results[k]}, not ${expected}`).toBe(true);
    });
    expect(results[batch.length + 1]).toBe(12);
    expect([...(results[batch.length + 2] as Float64Array)]).toEqual([3 * run, 3 * run]);
  }
});
