/** The same values and gradients on every device, forced and replayed. */
import { afterEach, describe, expect, it } from 'vitest';
import { useDevice } from '../../src/tensor/devices.ts';
import { evaluate } from '../../src/tensor/evaluate.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { constant, input } from '../../src/tensor/leaves.ts';
import type { Node } from '../../src/tensor/node.ts';
import { square, sum, sumLanes } from '../../src/tensor/ops.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { evaluateReference } from '../../src/tensor/reference.ts';
import { arrangements, type Case, cases, laneCaseSpace, laneCases } from './cases.ts';
import { inputData, inputNodes, seedOf } from './inputs.ts';

type Spaces = (input: number) => ReturnType<(typeof arrangements)[string]>;

afterEach(() => useDevice('wasm'));

function expectSame(actual: ArrayLike<number>, expected: ArrayLike<number>, what: string, tolerance = 1e-13): void {
  expect(actual.length, what).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) {
    const scale = tolerance * (1 + Math.abs(expected[i]));
    const same = Object.is(actual[i], expected[i]) || Math.abs(actual[i] - expected[i]) <= scale;
    if (!same) throw new Error(`${what}: element ${i} is ${actual[i]}, expected ${expected[i]}`);
  }
}

/** The value of a case and the gradients of the sum of its squares. */
function quantities(row: Case, inputs: readonly Node[]): Node[] {
  const value = row.build(inputs);
  if (row.refused) return [value];
  const total = sum(square(value));
  const wrt = inputs.filter((_, i) => !row.whole?.includes(i) && !row.fixed?.includes(i));
  return [value, ...gradient(total.space === null ? total : sumLanes(total), wrt)];
}

function reference(row: Case, spaces: Spaces, data: readonly Float64Array[]): ArrayLike<number>[] {
  const nodes = quantities(row, inputNodes(row, spaces, data));
  evaluateReference(nodes);
  return nodes.map((node) => node.elements());
}

function eachCase(check: (row: Case, spaces: Spaces, name: string) => void): void {
  for (const [arrangement, spaces] of Object.entries(arrangements)) {
    for (const row of cases) {
      if (row.shapes.length === 1 && arrangement !== 'no lanes' && arrangement !== 'all in lanes') continue;
      check(row, spaces, `${row.name}, ${arrangement}`);
    }
  }
  for (const row of laneCases) check(row, () => laneCaseSpace, row.name);
}

describe('the wasm device', () => {
  it('gives the values of the reference, at first sight and from a plan', () => {
    eachCase((row, spaces, name) => {
      const data = inputData(row, spaces, seedOf(name));
      const expected = reference(row, spaces, data);
      for (const time of ['first', 'second', 'third']) {
        const nodes = quantities(row, inputNodes(row, spaces, data));
        nodes.forEach((node, i) => {
          expectSame(node.elements(), expected[i], `${name}, quantity ${i}, ${time} time`);
        });
      }
    });
  });
});

describe('float32 on the wasm device', () => {
  it('differs from the reference by single-precision rounding alone', () => {
    eachCase((row, spaces, name) => {
      const data = inputData(row, spaces, seedOf(name));
      const leaves = (): Node[] =>
        row.shapes.map((shape, i) => {
          const single = shape.length > 0 && !row.whole?.includes(i);
          return constant(single ? Float32Array.from(data[i]) : data[i], shape, spaces(i));
        });
      const expected = quantities(row, leaves());
      evaluateReference(expected);
      for (const time of ['first', 'second']) {
        const actual = quantities(row, leaves());
        evaluate(actual);
        actual.forEach((node, i) => {
          const what = `${name}, quantity ${i}, ${time} time`;
          expect(node.dtype, what).toBe(expected[i].dtype);
          // Some 10 roundings, each of half a unit of 6e-8, relative to 1 or the value.
          expectSame(node.elements(), expected[i].elements(), what, 3e-6);
        });
      }
    });
  });
});

describe.each(['js', 'wasm'] as const)('plans on %s', (device) => {
  it('replayed with new inputs equal fresh evaluation', () => {
    useDevice(device);
    eachCase((row, spaces, name) => {
      const leaves = row.shapes.map((shape, i) => input(shape, 'f64', spaces(i)));
      const plan = compilePlan(quantities(row, leaves), leaves);
      for (const seed of [1, 2]) {
        const data = inputData(row, spaces, seed);
        const outputs = plan.run(data.map((array, i) => (leaves[i].dims.length === 0 ? array[0] : array)));
        const expected = reference(row, spaces, data);
        outputs.forEach((output, i) => {
          expectSame(typeof output === 'number' ? [output] : output, expected[i], `${name}, quantity ${i}`);
        });
      }
    });
  });
});
