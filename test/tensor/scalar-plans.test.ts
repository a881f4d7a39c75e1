/** Plans of scalars: every elementwise operation as WebAssembly, beside its definition on numbers. */
import { describe, expect, test } from 'vitest';
import { RandomStream } from '../../src/runtime/random.ts';
import '../../src/tensor/evaluate.ts';
import { useDevice } from '../../src/tensor/devices.ts';
import { recordBinary, recordTernary, recordUnary } from '../../src/tensor/elementwise/record.ts';
import { arityOf, elementwiseOps } from '../../src/tensor/elementwise/table.ts';
import { input } from '../../src/tensor/leaves.ts';
import type { Node, Op } from '../../src/tensor/node.ts';
import * as ops from '../../src/tensor/ops.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { forget } from '../../src/tensor/plan/forget.ts';

const SPECIAL = [0, -0, 1, -1, 0.5, 2, -2.5, 1e-9, 700, -750, 1e300, Infinity, -Infinity, Number.NaN];
const random = RandomStream.fromSeed(4).begin();
const NUMBERS = [...SPECIAL, ...Array.from({ length: 30 }, () => 3 * random.gaussian())];

function apply(op: Op, operands: readonly Node[]): Node {
  const [a, b, c] = operands;
  if (arityOf(op) === 1) return recordUnary(op, a);
  return arityOf(op) === 2 ? recordBinary(op, a, b) : recordTernary(op, a, b, c);
}

/** Within a few units in the last place, and alike where there are no numbers. */
function expectSame(found: number, expected: number, what: string): void {
  if (Object.is(found, expected) || found === expected) return;
  const error = Math.abs(found - expected) / Math.max(Math.abs(expected), Number.MIN_VALUE);
  expect(error, `${what}: ${found}, expected ${expected}`).toBeLessThan(1e-15);
}

describe('plans of scalars', () => {
  // Enough of them in one plan for it to be WebAssembly.
  test('every operation', () => {
    const inputs = [input(), input(), input()];
    const applied = elementwiseOps.flatMap((op) =>
      [0, 1, 2].map((shift) => {
        const operands = inputs.map((_, i) => inputs[(i + shift) % 3]);
        return { op, shift, node: apply(op, operands) };
      }),
    );
    expect(applied.length).toBeGreaterThan(100);
    const plan = compilePlan(
      applied.map(({ node }) => node),
      inputs,
    );
    for (let i = 0; i < NUMBERS.length; i++) {
      const given = [0, 1, 2].map((k) => NUMBERS[(i * (k + 1) + 5 * k) % NUMBERS.length]);
      const results = plan.run(given) as number[];
      applied.forEach(({ op, shift }, k) => {
        const [a, b, c] = given.map((_, j) => given[(j + shift) % 3]);
        const expected = (op.compute as NonNullable<typeof op.compute>)(a, b, c);
        expectSame(results[k], expected, `${op.name}(${[a, b, c].slice(0, arityOf(op)).join(', ')})`);
      });
    }
  });

  test('long ones, in pieces', () => {
    const x = input();
    const sums: Node[] = [x];
    for (let i = 1; i < 9000; i++) sums.push(ops.add(ops.mul(sums[i - 1], 0.999), i % 7) as Node);
    const outputs = [sums[8999], sums[10], x, sums[4500]];
    const expected = (start: number): number[] => {
      const values = [start];
      for (let i = 1; i < 9000; i++) values.push(values[i - 1] * 0.999 + (i % 7));
      return [values[8999], values[10], start, values[4500]];
    };
    const plan = compilePlan(outputs, [x]);
    for (const start of [0, 1.5, -200]) expect(plan.run([start])).toEqual(expected(start));
    useDevice('js');
    try {
      expect(compilePlan(outputs, [x]).run([1.5])).toEqual(expected(1.5));
    } finally {
      useDevice('wasm');
    }
  });
});

describe('forget', () => {
  test('drops what was looked at, so that a plan computes it anew', () => {
    const x = input();
    const y = input([2]);
    x.data = 3;
    y.data = Float64Array.of(1, 2);
    const twice = ops.mul(x, 2) as Node;
    const soft = ops.logsumexp(ops.add(y, twice) as Node) as Node;
    expect(soft.value()).toBeCloseTo(Math.log(Math.exp(7) + Math.exp(8)), 12);
    expect(twice.value()).toBe(6);
    const constant = ops.add(ops.mul(ops.stopGradient(x), 0) as Node, 5) as Node;
    forget([soft, twice, constant], [x, y]);
    expect(twice.data).toBe(null);
    const plan = compilePlan([soft, twice], [x, y]);
    const [found, double] = plan.run([0, Float64Array.of(0, 0)]) as number[];
    expect(found).toBeCloseTo(Math.LN2, 12);
    expect(double).toBe(0);
  });
});
