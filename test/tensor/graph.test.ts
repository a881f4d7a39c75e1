import { describe, expect, it } from 'vitest';
import { evaluate } from '../../src/tensor/evaluate.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { topological } from '../../src/tensor/graph.ts';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { constant, input, scalar } from '../../src/tensor/leaves.ts';
import { Node } from '../../src/tensor/node.ts';
import * as ops from '../../src/tensor/ops.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { ShapeError } from '../../src/tensor/shape.ts';
import { Tensor } from '../../src/tensor/tensor.ts';
import { lanes } from './inputs.ts';

const tensor = (dims: number[], ...values: number[]): Tensor => new Tensor(dims, Float64Array.from(values));

describe('plain values', () => {
  it('stay plain', () => {
    expect(ops.add(2, 3)).toBe(5);
    expect(ops.softplus(0)).toBe(Math.log(2));
    expect(ops.lt(2, 3)).toBe(true);
    expect(ops.select(true, 'a', 'b')).toBe('a');
    expect(ops.gammaP(1, 2)).toBeCloseTo(1 - Math.exp(-2), 15);
  });

  it('give tensors from tensors', () => {
    const sum = ops.add(tensor([2], 1, 2), 10);
    expect(sum).toBeInstanceOf(Tensor);
    expect(sum).toEqual(tensor([2], 11, 12));
    expect(ops.sum(tensor([2, 2], 1, 2, 3, 4))).toBe(10);
    expect(ops.matmul(tensor([1, 2], 1, 2), tensor([2, 1], 3, 4))).toEqual(tensor([1, 1], 11));
  });

  it('become nodes only where they meet one', () => {
    const x = scalar(2);
    const y = ops.mul(x, 3);
    expect(y).toBeInstanceOf(Node);
    expect(y.value()).toBe(6);
    expect(ops.lt(x, 3).value()).toBe(true);
  });
});

describe('conditions', () => {
  it('take 0 and NaN for false, on numbers, in lanes and in plans', () => {
    const numbers = [0, Number.NaN, -2, 1];
    const expected = [20, 20, 10, 10];
    const scalarInput = input();
    const scalarPlan = compilePlan([ops.select(scalarInput, 10, 20), ops.not(scalarInput)], [scalarInput]);
    numbers.forEach((x, i) => {
      expect(ops.select(scalar(x), 10, 20).value()).toBe(expected[i]);
      expect(ops.and(scalar(x), scalar(1)).value()).toBe(expected[i] === 10);
      expect(scalarPlan.run([x])).toEqual([expected[i], expected[i] === 10 ? 0 : 1]);
    });
    const space = new LaneSpace(4);
    for (let time = 0; time < 3; time++) {
      const x = lanes(numbers, space);
      expect([...ops.select(x, 10, 20).elements()]).toEqual(expected);
      expect([...ops.or(x, 0).elements()]).toEqual([0, 0, 1, 1]);
    }
  });
});

describe('shapes that do not fit', () => {
  const a = constant(new Float64Array(6), [2, 3]);
  const b = constant(new Float64Array(4), [2, 2]);

  it.each<[string, () => unknown, string]>([
    ['addition', () => ops.add(a, b), 'add: shapes [2, 3] and [2, 2] do not fit together.'],
    ['a product', () => ops.matmul(a, b), 'matmul: shapes [2, 3] and [2, 2] do not fit together.'],
    ['a reshape', () => ops.reshape(a, [4]), 'reshape: shape [2, 3] has 6 elements, [4] has 4.'],
    ['an axis', () => ops.sum(a, 2), 'sum: shape [2, 3] has no axis 2.'],
    ['joining', () => ops.concat([a, b], 0), 'concat: shapes [2, 3] and [2, 2] differ beside axis 0.'],
    ['a slice', () => ops.slice(a, [0, 2], [1, 2]), 'slice: a window of [1, 2] at [0, 2] is not inside shape [2, 3].'],
    ['Cholesky', () => ops.cholesky(a), 'cholesky: shape [2, 3] is not a square matrix.'],
  ])('are refused in %s when it is recorded', (_name, record, message) => {
    expect(record).toThrow(new ShapeError(message));
  });
});

describe('lanes', () => {
  const root = new LaneSpace(3);
  const child = new LaneSpace(4, root, Int32Array.of(2, 0, 0, 1));
  const grandchild = new LaneSpace(2, child, Int32Array.of(3, 0));

  it('are gathered from an ancestor through the composed map, once', () => {
    const x = lanes([10, 20, 30], root);
    const y = lanes([1, 2], grandchild);
    const sum = ops.add(x, y);
    expect(sum.space).toBe(grandchild);
    expect([...sum.elements()]).toEqual([21, 32]);
    expect(ops.mul(x, y).inputs[0]).toBe(sum.inputs[0]);
  });

  it('are followed through thousands of resamplings', () => {
    let space: LaneSpace = root;
    for (let i = 0; i < 20_000; i++) space = new LaneSpace(3, space, Int32Array.of(1, 2, 0));
    // 20,000 rotations by one are two rotations.
    expect([...space.mapTo(root)]).toEqual([2, 0, 1]);
    expect([...ops.neg(ops.broadcastTo(lanes([10, 20, 30], root), [], space)).elements()]).toEqual([-30, -10, -20]);
  });

  it('of unrelated spaces are refused', () => {
    const other = new LaneSpace(3);
    expect(() => ops.add(lanes([1, 2, 3], root), lanes([1, 2, 3], other))).toThrow(
      'add: the operands belong to lane spaces of 3 and 3 lanes, neither of which descends from the other.',
    );
  });

  it('may be none', () => {
    const empty = new LaneSpace(0, root, new Int32Array(0));
    const x = ops.exp(lanes(new Float64Array(0), empty));
    expect(ops.sumLanes(x).value()).toBe(0);
  });

  it('share a plan whatever their number', () => {
    for (const size of [3, 7, 1, 64, 7]) {
      const space = new LaneSpace(size);
      const x = lanes(
        Float64Array.from({ length: size }, (_, i) => i),
        space,
      );
      const y = ops.add(ops.mul(x, 2), constant(Float64Array.of(1, 2), [2]));
      const total = ops.sumLanes(ops.sum(y));
      expect(total.value()).toBe(2 * size * (size - 1) + 3 * size);
      expect([...y.elements()].slice(0, 2)).toEqual([1, 2]);
    }
  });

  it('of the sides of a branch merge without mixing', () => {
    const yes = new LaneSpace(2, root, Int32Array.of(0, 2));
    const no = new LaneSpace(1, root, Int32Array.of(1));
    const x = lanes([4, -1, 9], root);
    const merged = ops.mergeLanes(root, [
      { value: ops.sqrt(ops.broadcastTo(x, [], yes)), space: yes },
      { value: 0, space: no },
    ]);
    expect([...merged.elements()]).toEqual([2, 0, 3]);
    const [g] = gradient(merged, [x]);
    expect([...g.elements()]).toEqual([0.25, 0, 1 / 6]);
  });
});

describe('indexing', () => {
  it('an indexed row reads single elements, without copying rows', () => {
    const space = new LaneSpace(5);
    const table = constant(
      Float64Array.from({ length: 3000 }, (_, i) => i),
      [3, 1000],
    );
    const row = lanes([0, 2, 1, 2, 0], space);
    const word = lanes([5, 6, 7, 8, 9], space);
    const score = ops.gather(ops.gather(table, row), word);
    expect([...score.elements()]).toEqual([5, 2006, 1007, 2008, 9]);
    const widest = Math.max(...topological([ops.gather(ops.gather(table, row), word)]).map((node) => node.length));
    expect(widest).toBe(3000);
  });

  it('of processed rows processes the table, not a row per lane', () => {
    const [lanesCount, topics, words] = [500, 4, 300];
    const space = new LaneSpace(lanesCount);
    const logits = constant(
      Float64Array.from({ length: topics * words }, (_, i) => Math.sin(i)),
      [topics, words],
    );
    const z = lanes(
      Float64Array.from({ length: lanesCount }, (_, i) => i % topics),
      space,
    );
    const word = lanes(
      Float64Array.from({ length: lanesCount }, (_, i) => (7 * i) % words),
      space,
    );
    const row = ops.gather(logits, z);
    const scores = [
      ops.gather(ops.logSoftmax(row), word),
      ops.sub(ops.gather(row, word), ops.logsumexp(row)),
      ops.log(ops.gather(ops.div(ops.exp(row), ops.sum(ops.exp(row))), word)),
    ];
    for (const score of scores) {
      const [g] = gradient(ops.sumLanes(score), [logits]);
      const widest = Math.max(...topological([score, g]).map((node) => node.length));
      expect(widest).toBe(topics * words);
      const expected = Float64Array.from({ length: lanesCount }, (_, i) => {
        const own = Array.from({ length: words }, (_unused, w) => Math.sin((i % topics) * words + w));
        return own[(7 * i) % words] - Math.log(own.reduce((total, x) => total + Math.exp(x), 0));
      });
      for (let i = 0; i < lanesCount; i++) expect(score.elements()[i]).toBeCloseTo(expected[i], 12);
      // Each lane takes its softmax from its topic and adds 1 at its word: rows sum to 0.
      let total = 0;
      for (let w = 0; w < words; w++) total += g.elements()[w];
      expect(Math.abs(total)).toBeLessThan(1e-10);
    }
  });

  it('refuses what is not an index', () => {
    const table = constant(Float64Array.of(1, 2, 3), [3]);
    for (const bad of [3, -1, 0.5, Number.NaN]) {
      expect(() => ops.gather(table, scalar(bad)).value()).toThrow(`Index ${bad} is not a whole number from 0 to 2.`);
    }
  });
});

describe('gradients', () => {
  /** Expressions whose untaken side is infinite or undefined at 0. */
  const traps: [string, (x: Node) => Node][] = [
    ['log', (x) => ops.log(x)],
    ['1/x', (x) => ops.div(1, x)],
    ['sqrt', (x) => ops.sqrt(x)],
    ['a power', (x) => ops.pow(x, 0.5)],
    ['lgamma', (x) => ops.lgamma(x)],
    ['x · ∞', (x) => ops.mul(x, Infinity)],
    ['x · NaN', (x) => ops.mul(x, Number.NaN)],
    ['log of log', (x) => ops.log(ops.log(x))],
  ];

  it.each(traps)('of the side not taken are exactly zero: %s', (_name, trap) => {
    const space = new LaneSpace(4);
    for (let round = 0; round < 2; round++) {
      const x = lanes([0, 0, 2, 3], space);
      const y = ops.select(ops.gt(x, 1.5), ops.square(x), trap(x));
      const z = ops.select(ops.gt(x, 1.5), trap(x), ops.mul(3, x));
      const safe = ops.select(ops.gt(x, 1.5), y, ops.mul(3, x));
      const [g] = gradient(safe, [x]);
      expect([...g.elements()]).toEqual([3, 3, 4, 6]);
      const second = gradient(g, [x])[0];
      expect([...second.elements()]).toEqual([0, 0, 2, 2]);
      expect([...gradient(z, [x])[0].elements()].slice(0, 2)).toEqual([3, 3]);
    }
    const at = scalar(0);
    const plain = ops.select(ops.gt(at, 1), trap(at), ops.mul(3, at));
    expect(gradient(plain, [at])[0].value()).toBe(3);
  });

  it('of logsumexp survive −∞', () => {
    const x = constant(Float64Array.of(-Infinity, 0, Math.log(3)), [3]);
    const y = ops.logsumexp(x);
    const [g] = gradient(y, [x]);
    expect(y.value()).toBeCloseTo(Math.log(4), 15);
    expect(g.elements()[0]).toBe(0);
    expect(g.elements()[1]).toBeCloseTo(0.25, 15);
    expect(ops.logsumexp(constant(Float64Array.of(-Infinity, -Infinity), [2])).value()).toBe(-Infinity);
  });

  it('of products with zeros are products of the others', () => {
    const x = constant(Float64Array.of(2, 0, 5), [3]);
    expect([...gradient(ops.prod(x), [x])[0].elements()]).toEqual([0, 10, 0]);
  });

  it('are zero for what the output does not depend on', () => {
    const x = scalar(1);
    const y = constant(Float64Array.of(1, 2), [2]);
    const [g] = gradient(ops.mul(x, 2), [y]);
    expect([...g.elements()]).toEqual([0, 0]);
  });

  it('of operations without one are refused', () => {
    const x = scalar(1);
    expect(() => gradient(ops.trigamma(x), [x])).toThrow('The gradient of trigamma with respect to its argument');
  });

  it('reach through graphs of any depth', () => {
    const x = scalar(1);
    let y: Node = x;
    for (let i = 0; i < 100_000; i++) y = ops.add(y, x);
    const [value, g] = evaluate([y, gradient(y, [x])[0]]);
    expect([value, g]).toEqual([100_001, 100_001]);
  });

  it('of float32 values are float32', () => {
    const w = constant(Float32Array.of(1, 2, 3, 4), [2, 2]);
    const x = constant(Float32Array.of(1, -1), [2]);
    const total = ops.sum(ops.tanh(ops.matmul(x, w)));
    expect(total.dtype).toBe('f64');
    const [g] = gradient(total, [w]);
    expect(g.dtype).toBe('f32');
    const slope = 1 - Math.tanh(-2) ** 2;
    [slope, slope, -slope, -slope].forEach((expected, i) => {
      expect(g.elements()[i]).toBeCloseTo(expected, 6);
    });
  });
});

describe('segments', () => {
  const values = constant(Float64Array.of(3, -1, 3, 2), [4]);
  const index = constant(Float64Array.of(0, 2, 0, 2), [4]);

  it('without values are as if nothing had been reduced', () => {
    const results = [ops.segmentSum, ops.segmentMean, ops.segmentMax, ops.segmentMin].map((reduce) =>
      Array.from(reduce(values, index, 3).elements()),
    );
    expect(results).toEqual([
      [6, 0, 1],
      [3, 0, 0.5],
      [3, -Infinity, 2],
      [3, Infinity, -1],
    ]);
  });

  it('share the slope of a maximum between those who attain it', () => {
    const [slope] = gradient(ops.sum(ops.gather(ops.segmentMax(values, index, 3), index)) as Node, [values]);
    expect(Array.from(slope.elements())).toEqual([1, 0, 1, 2]);
  });
});
