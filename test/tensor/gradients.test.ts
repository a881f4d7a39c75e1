/** Every gradient rule against central differences, in every lane arrangement. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDevice } from '../../src/tensor/devices.ts';
import '../../src/tensor/evaluate.ts';
import { gradient, isInterrupted } from '../../src/tensor/gradient/gradient.ts';
import type { LaneSpace } from '../../src/tensor/lane-space.ts';
import { constant } from '../../src/tensor/leaves.ts';
import type { Node } from '../../src/tensor/node.ts';
import { add, gt, mul, neg, select, sum, sumLanes } from '../../src/tensor/ops.ts';
import { arrangements, type Case, cases, laneCaseSpace, laneCases } from './cases.ts';
import { generator, inputData, inputNodes, objective, seedOf } from './inputs.ts';

type Spaces = (input: number) => LaneSpace | null;

function differentiable(row: Case): number[] {
  const out: number[] = [];
  for (let i = 0; i < row.shapes.length; i++) if (!row.whole?.includes(i) && !row.fixed?.includes(i)) out.push(i);
  return out;
}

/** Central differences of f in each element of data[input]. */
function differences(f: (data: readonly Float64Array[]) => number, data: Float64Array[], input: number, step: number) {
  return Float64Array.from(data[input], (x, i) => {
    const h = step * Math.max(1, Math.abs(x));
    const moved = (by: number): number => {
      const copies = data.map((array, at) => (at === input ? array.slice() : array));
      copies[input][i] = x + by;
      return f(copies);
    };
    return (moved(h) - moved(-h)) / (2 * h);
  });
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(actual.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) {
    expect(Math.abs(actual[i] - expected[i])).toBeLessThanOrEqual(tolerance * (1 + Math.abs(expected[i])));
  }
}

function checkFirst(row: Case, spaces: Spaces): void {
  const data = inputData(row, spaces, seedOf(row.name));
  const inputs = inputNodes(row, spaces, data);
  const value = (arrays: readonly Float64Array[]): number =>
    objective(row, inputNodes(row, spaces, arrays)).value() as number;
  const wrt = differentiable(row);
  const gradients = gradient(
    objective(row, inputs),
    wrt.map((i) => inputs[i]),
  );
  wrt.forEach((i, at) => {
    expect(gradients[at].shape).toEqual(inputs[i].shape);
    expect(gradients[at].space).toBe(inputs[i].space);
    const expected = row.flat ? new Float64Array(data[i].length) : differences(value, data, i, 1e-5);
    expectClose(gradients[at].elements(), expected, 2e-8);
  });
}

/** The gradient of a weighted sum of the gradients, against differences of that sum. */
function checkSecond(row: Case, spaces: Spaces): void {
  const data = inputData(row, spaces, seedOf(row.name));
  const wrt = differentiable(row);
  const combined = (arrays: readonly Float64Array[]): { total: Node; inputs: Node[] } => {
    const inputs = inputNodes(row, spaces, arrays);
    const gradients = gradient(
      objective(row, inputs),
      wrt.map((i) => inputs[i]),
    );
    const parts = gradients.map((g, at) => {
      const random = generator(at + 5);
      const weights = constant(
        Float64Array.from({ length: g.length }, () => 0.5 + random()),
        g.shape,
        g.space,
      );
      const weighted = sum(mul(g, weights));
      return weighted.space === null ? weighted : sumLanes(weighted);
    });
    return { total: parts.reduce((x, y) => add(x, y)), inputs };
  };
  const { total, inputs } = combined(data);
  const seconds = gradient(
    total,
    wrt.map((i) => inputs[i]),
  );
  wrt.forEach((i, at) => {
    const expected = differences((arrays) => combined(arrays).total.value() as number, data, i, 1e-5);
    expectClose(seconds[at].elements(), expected, 1e-7);
  });
}

// The rules are the same on every device; `devices.test.ts` compares those.
beforeAll(() => useDevice('js'));
afterAll(() => useDevice('wasm'));

describe('gradients', () => {
  for (const [arrangement, spaces] of Object.entries(arrangements)) {
    it(`match finite differences with ${arrangement}`, () => {
      for (const row of cases) {
        if (row.shapes.length === 1 && arrangement !== 'no lanes' && arrangement !== 'all in lanes') continue;
        if (row.refused) {
          expect(() => checkFirst(row, spaces)).toThrow('is not available');
          continue;
        }
        try {
          checkFirst(row, spaces);
        } catch (error) {
          throw new Error(`${row.name}: ${(error as Error).message}`, { cause: error });
        }
      }
    });
  }

  for (const arrangement of ['no lanes', 'first in lanes', 'parent and child']) {
    it(`can be differentiated again with ${arrangement}`, () => {
      for (const row of cases) {
        if (row.flat || row.once || row.refused) continue;
        if (row.shapes.length === 1 && arrangement === 'parent and child') continue;
        try {
          checkSecond(row, arrangements[arrangement]);
        } catch (error) {
          throw new Error(`${row.name}: ${(error as Error).message}`, { cause: error });
        }
      }
    });
  }

  it('pass through operations on lanes', () => {
    for (const row of laneCases) {
      checkFirst(row, () => laneCaseSpace);
      checkSecond(row, () => laneCaseSpace);
    }
  });

  it('are interrupted by what a comparison says, and not by a value that is selected with either sign', () => {
    const [x, sides] = [constant(Float64Array.of(0.3), []), constant(Float64Array.of(1), [])];
    const either = (on: Node): Node => select(on, x, neg(x)) as Node;
    expect(isInterrupted(either(gt(sides, 0.5) as Node), x)).toBe(false);
    expect(isInterrupted(either(gt(x, 0.5) as Node), x)).toBe(true);
  });
});
