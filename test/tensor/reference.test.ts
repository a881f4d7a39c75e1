import { describe, expect, it } from 'vitest';
import { constant, input } from '../../src/tensor/leaves.ts';
import type { Node } from '../../src/tensor/node.ts';
import { add, concat, exp, gather, mul, reshape, sum } from '../../src/tensor/ops.ts';
import { computeAll, evaluateReference } from '../../src/tensor/reference.ts';

const LENGTH = 20;
const numbers = (scale: number): Float64Array => Float64Array.from({ length: LENGTH }, (_, i) => scale * i);

describe('the portable evaluator', () => {
  it('leaves alone what was asked for when it uses arrays again', () => {
    const x = constant(numbers(1), [LENGTH]);
    const chain: Node[] = [x];
    for (let i = 0; i < 12; i++) chain.push(add(chain[i], 1) as Node);
    const viewed = reshape(chain[4], [4, 5]) as Node;
    const roots = [chain[12], viewed, chain[7]];
    evaluateReference(roots);
    const other = constant(numbers(2), [LENGTH]);
    evaluateReference([mul(exp(mul(other, 0.01)), other) as Node]);
    const plus = (more: number): number[] => Array.from(numbers(1), (value) => value + more);
    expect(roots.map(({ data }) => [...(data as Float64Array)])).toEqual([plus(12), plus(4), plus(7)]);
    // What lies between is dropped.
    expect(chain[5].data).toBeNull();
  });

  it('tells operations of few inputs from those of many', () => {
    const x = constant(numbers(1), [LENGTH]);
    const joined = concat([x, x, x, x, x]);
    const table = reshape(joined, [5, LENGTH]) as Node;
    const picked = gather(table, constant(Float64Array.of(2), []), constant(Float64Array.of(7), [])) as Node;
    evaluateReference([picked]);
    expect(picked.data).toBe(7);
  });

  it('leaves nothing behind of a run with given values, whether it succeeds or not', () => {
    const x = input([LENGTH]);
    const at = input([], 'f64');
    const doubled = mul(x, 2) as Node;
    const outputs = [reshape(doubled, [5, 4]) as Node, gather(doubled, at) as Node, sum(doubled) as Node];
    const run = (scale: number, place: number): unknown[] =>
      computeAll(
        outputs,
        new Map<Node, number | Float64Array>([
          [x, numbers(scale)],
          [at, place],
        ]),
      );
    const expected = (scale: number, place: number): unknown[] => [numbers(2 * scale), 2 * scale * place, 380 * scale];
    expect(run(1, 3)).toEqual(expected(1, 3));
    expect(run(2, 4)).toEqual(expected(2, 4));
    expect(() => run(3, LENGTH)).toThrow(/index/i);
    expect(run(4, 5)).toEqual(expected(4, 5));
    expect([x, at, doubled, ...outputs].every(({ data }) => data === null)).toBe(true);
  });
});
