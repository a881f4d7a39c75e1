/** What is recorded in another way than it was asked for: the same values and gradients, with less to do. */
import { describe, expect, it } from 'vitest';
import '../../src/tensor/evaluate.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { topological } from '../../src/tensor/graph.ts';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { constant, input } from '../../src/tensor/leaves.ts';
import type { Node } from '../../src/tensor/node.ts';
import * as ops from '../../src/tensor/ops.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import type { Shape } from '../../src/tensor/shape.ts';
import { generator } from './inputs.ts';

const space = new LaneSpace(7);
const random = generator(5);
const numbers = (length: number, scale = 1): Float64Array =>
  Float64Array.from({ length }, () => scale * (2 * random() - 1));
const leaf = (shape: Shape, lanes: LaneSpace | null = null, scale = 1): Node => {
  const node = input(shape, 'f64', lanes);
  node.data = numbers(node.length, scale);
  return node;
};
const places = (most: number): Node =>
  constant(
    Float64Array.from({ length: space.size }, () => Math.floor(most * random())),
    [],
    space,
  );

/** Names of the operations a value is made of. */
const names = (node: Node): string[] => topological([node]).map(({ op }) => op.name);

/** Values and gradients of both, by plans: each element off by no more than rounding. */
function same(found: Node, expected: Node, leaves: readonly Node[]): void {
  const slopes = (y: Node): Node[] => gradient(ops.mul(y, 1.5) as Node, leaves);
  const data = leaves.map((node) => node.data as Float64Array);
  for (const node of leaves) node.data = null;
  const a = compilePlan([found, ...slopes(found)], leaves).run(data);
  const b = compilePlan([expected, ...slopes(expected)], leaves).run(data);
  leaves.forEach((node, i) => {
    node.data = data[i];
  });
  a.forEach((value, k) => {
    const [x, y] = [value, b[k]].map((of) => (typeof of === 'number' ? [of] : [...of]));
    expect(x).toHaveLength(y.length);
    x.forEach((number, i) => {
      if (!(Math.abs(number - y[i]) <= 1e-12 * Math.max(1, Math.abs(y[i])))) {
        expect.fail(`output ${k}, element ${i}: ${number} is not ${y[i]}`);
      }
    });
  });
}

/** A logarithm that knows nothing of what it is given. */
const plainLog = (x: Node): Node => ops.mul(ops.log2(x), Math.LN2) as Node;

describe('the logarithm of a softmax', () => {
  it('is that of its argument, through whatever picks elements of it', () => {
    const x = leaf([5], space);
    const table = leaf([4, 3]);
    const other = leaf([1, 3]);
    const z = places(5);
    const row = places(4);
    const column = places(3);
    const both = ops.concat([ops.softmax(table, 1), ops.softmax(other, 1)]) as Node;
    const cases: [Node, Node[]][] = [
      [ops.softmax(x), [x]],
      [ops.reshape(ops.softmax(x), [5, 1]) as Node, [x]],
      [ops.gather(ops.softmax(x), z) as Node, [x]],
      [ops.sliceAxis(ops.softmax(x), 0, 1, 3) as Node, [x]],
      [ops.gather(ops.softmax(table, 1), row, column) as Node, [table]],
      [ops.gather(both, row, column) as Node, [table, other]],
    ];
    for (const [probabilities, leaves] of cases) {
      const log = ops.log(probabilities);
      expect(names(log)).not.toContain('log');
      same(log, plainLog(probabilities), leaves);
    }
  });

  it('is finite where the softmax has rounded to 0, and NaN where that is', () => {
    const x = constant(Float64Array.of(0, -1000), [2]);
    expect([...ops.log(ops.softmax(x) as Node).elements()]).toEqual([0, -1000]);
    const none = constant(Float64Array.of(0, Number.NaN), [2]);
    expect([...ops.log(ops.softmax(none) as Node).elements()]).toEqual([Number.NaN, Number.NaN]);
  });

  it('leaves other logarithms alone', () => {
    const x = leaf([5], space);
    const shifted = ops.log(ops.add(ops.softmax(x) as Node, 1));
    expect(names(shifted)).toContain('log');
  });
});

/** An exponential that knows nothing of what it is given. */
const plainExp = (x: Node): Node => ops.add(ops.expm1(x), 1) as Node;

describe('the exponential of the logarithm of a probability', () => {
  const x = leaf([5], space);
  const table = leaf([4, 3]);
  const logits = leaf([], space, 3);
  const z = places(5);
  const picked = ops.gather(ops.log(ops.softmax(x) as Node), z) as Node;
  const ofTable = ops.gather(ops.logSoftmax(table, 1), places(4), places(3)) as Node;

  it('is the probability, and a product where logarithms are added up', () => {
    const cases: [Node, Node[]][] = [
      [picked, [x]],
      [ops.logSigmoid(logits), [logits]],
      [ops.add(picked, ofTable) as Node, [x, table]],
      [ops.add(ops.add(picked, ofTable), ops.logSigmoid(logits)) as Node, [x, table, logits]],
    ];
    for (const [log, leaves] of cases) {
      const found = ops.exp(log);
      expect(names(found)).not.toContain('exp');
      same(found, plainExp(log), leaves);
    }
  });

  it('is 0, with a gradient of 0, where the probability has rounded to 0', () => {
    const far = constant(Float64Array.of(0, -1000), [2]);
    const log = ops.sliceAxis(ops.logSoftmax(far), 0, 1, 2) as Node;
    const both = ops.exp(ops.add(log, ops.logSigmoid(constant(Float64Array.of(5), [1])))) as Node;
    expect(names(both)).not.toContain('exp');
    expect([...both.elements()]).toEqual([0]);
    const [slope] = gradient(ops.sum(both) as Node, [far]);
    expect([...slope.elements()]).toEqual([0, 0]);
  });

  it('has a gradient in what is constant in an execution, as parameters are', () => {
    const parameter = constant(Float64Array.of(0.3, -1.2), [2]);
    for (const log of [
      ops.add(parameter, ops.logSigmoid(leaf([2]))),
      ops.sub(ops.logSigmoid(leaf([2])), parameter),
      ops.add(parameter, constant(Float64Array.of(2), [1])),
    ]) {
      const value = ops.exp(log) as Node;
      const [slope] = gradient(ops.sum(value) as Node, [parameter]);
      const [expected] = gradient(ops.sum(plainExp(log as Node)) as Node, [parameter]);
      const found = [...slope.elements()];
      [...expected.elements()].forEach((one, i) => {
        expect(found[i]).toBeCloseTo(one, 12);
      });
      expect(found).not.toContain(0);
    }
  });

  it('is a multiple of it where constants are added, and has no gradient where it is stopped', () => {
    const shares = constant(numbers(space.size, 3), [], space);
    const cases: [Node, Node[]][] = [
      [ops.sub(ops.add(ops.stopGradient(picked), Math.log(5)), shares) as Node, [x]],
      [ops.add(shares, ofTable), [table]],
      [ops.add(-2, ops.logSigmoid(logits)), [logits]],
    ];
    for (const [log, leaves] of cases) {
      const found = ops.exp(log);
      for (const power of topological([found]).filter(({ op }) => op.name === 'exp'))
        expect(['constant', 'exp', 'neg']).toEqual(expect.arrayContaining(names(power)));
      same(found, plainExp(log), leaves);
    }
  });

  it('leaves sums with something else alone', () => {
    const large = constant(
      Float64Array.from({ length: space.size }, (_, i) => 20 * i),
      [],
      space,
    );
    for (const other of [800, Number.NEGATIVE_INFINITY, logits, large]) {
      expect(names(ops.exp(ops.add(picked, other) as Node))).toContain('exp');
    }
    for (const other of [logits, ofTable]) {
      expect(names(ops.exp(ops.sub(picked, other)))).toContain('exp');
      expect(names(ops.exp(ops.sub(1, picked) as Node))).toContain('exp');
    }
  });
});

describe('the logarithm of 1 + eˣ', () => {
  it('is one operation', () => {
    const x = leaf([3], space, 4);
    for (const sum of [ops.add(1, ops.exp(x)), ops.add(ops.exp(x), 1)]) {
      const found = ops.log(sum as Node) as Node;
      expect(names(found)).toEqual(['input', 'softplus']);
      same(found, plainLog(ops.add(1, ops.exp(x)) as Node), [x]);
    }
    expect(names(ops.log(ops.add(2, ops.exp(x)) as Node) as Node)).toContain('log');
  });
});

describe('the logarithm of 1 − (1 − x)', () => {
  it('is that of x, and one logarithm serves both sides of a condition', () => {
    const x = leaf([], space);
    x.data = (x.data as Float64Array).map((number) => 0.5 + 0.4 * number);
    const p = ops.sub(1, x) as Node;
    const seen = constant(
      Float32Array.from({ length: space.size }, (_, i) => i % 2),
      [],
      space,
      'bool',
    );
    const score = ops.select(seen, ops.log(p), ops.log1p(ops.neg(p))) as Node;
    expect(names(score).filter((name) => name.startsWith('log'))).toEqual(['log']);
    same(score, ops.select(seen, plainLog(p), plainLog(x)) as Node, [x]);
  });

  it('has all digits of a small x', () => {
    const x = constant(Float64Array.of(1e-20, 0.25), [], new LaneSpace(2));
    const found = ops.log1p(ops.neg(ops.sub(1, x) as Node) as Node).elements();
    expect([...found]).toEqual([Math.log(1e-20), Math.log(0.25)]);
  });
});

describe('the score of a truth value whose probability is a sigmoid', () => {
  it('takes one logarithm of one argument with either sign, through whatever the probability passed', () => {
    const x = leaf([6, 1], space, 3);
    const p = ops.reshape(ops.sigmoid(x), [6]) as Node;
    const seen = ops.gt(constant(numbers(6 * space.size), [6], space), 0) as Node;
    const score = ops.select(seen, ops.log(p), ops.log1p(ops.neg(p))) as Node;
    expect(names(score).filter((name) => name.startsWith('log'))).toEqual(['logSigmoid']);
    // The gradient has one share of x, not one for each sign.
    const [slope] = gradient(score, [x]);
    expect(names(slope).filter((name) => name === 'add')).toEqual([]);
    same(score, ops.select(seen, plainLog(p), plainLog(ops.sub(1, p) as Node)) as Node, [x]);
  });

  it('has the gradient of the side taken where both sides are one value', () => {
    const x = leaf([4], space);
    const y = leaf([4]);
    const seen = ops.gt(constant(numbers(4 * space.size), [4], space), 0) as Node;
    for (const of of [x, y]) {
      // The product hides that one is the negative of the other.
      same(ops.exp(ops.select(seen, of, ops.neg(of)) as Node), ops.exp(ops.select(seen, of, ops.mul(of, -1)) as Node), [
        of,
      ]);
    }
  });
});

describe('probabilities sum to 1', () => {
  const x = leaf([3, 4]);
  const rows = ops.softmax(x, 1) as Node;

  it('where one softmax made all of them', () => {
    const inLanes = ops.softmax(leaf([4], space)) as Node;
    expect(ops.isNormalised(inLanes)).toBe(true);
    expect(ops.isNormalised(ops.reshape(inLanes, [4, 1]))).toBe(true);
    expect(ops.isNormalised(ops.gather(rows, places(3)))).toBe(true);
    expect(ops.isNormalised(ops.sliceAxis(rows, 0, 1, 2))).toBe(true);
    const joined = ops.concat([rows, ops.softmax(leaf([1, 4]), 1) as Node]);
    expect(ops.isNormalised(ops.gather(joined, places(4)))).toBe(true);
  });

  it('but not if something is missing, or comes from several', () => {
    expect(ops.isNormalised(rows)).toBe(false);
    expect(ops.isNormalised(ops.sliceAxis(rows, 1, 0, 3))).toBe(false);
    expect(ops.isNormalised(ops.sliceAxis(rows, 0, 0, 2))).toBe(false);
    expect(ops.isNormalised(ops.gather(rows, places(3), places(4)))).toBe(false);
    expect(ops.isNormalised(ops.gather(ops.softmax(x, 0), places(3)))).toBe(false);
    expect(ops.isNormalised(ops.concat([ops.softmax(leaf([2])) as Node, ops.softmax(leaf([2])) as Node]))).toBe(false);
    expect(ops.isNormalised(leaf([4]))).toBe(false);
    expect(ops.isNormalised(constant(Float64Array.of(1), [1]))).toBe(false);
  });
});

describe('what was cut into pieces', () => {
  it('is put together again by leaving it as it was', () => {
    const x = leaf([4, 3]);
    const pieces = (...at: number[]): Node[] => at.map((i) => ops.sliceAxis(x, 0, i, i + 1) as Node);
    expect(ops.concat(pieces(0, 1, 2, 3))).toBe(x);
    for (const other of [pieces(0, 1, 2), pieces(0, 2, 1, 3), pieces(0, 1, 1, 3), [...pieces(0, 1, 2), leaf([1, 3])]]) {
      const joined = ops.concat(other) as Node;
      expect(joined).not.toBe(x);
      expect([...joined.elements()]).toEqual(other.flatMap((piece) => [...piece.elements()]));
    }
  });
});

describe('a matrix times vectors joined from several', () => {
  it('multiplies what lanes share once', () => {
    const matrix = leaf([4, 6]);
    const own = leaf([2, 1], space);
    const shared = leaf([3, 1]);
    const last = leaf([1, 1], space);
    const joined = ops.concat([own, shared, last]) as Node;
    const product = ops.matmul(matrix, joined) as Node;
    expect(names(product)).not.toContain('concat');
    // Without lanes to share anything, nothing is taken apart.
    const whole = ops.matmul(ops.mul(matrix, 1), ops.mul(joined, 2)) as Node;
    expect(names(whole)).toContain('concat');
    same(product, ops.mul(whole, 0.5) as Node, [matrix, own, shared, last]);
    same(
      ops.matmul(ops.transposeMatrix(ops.transposeMatrix(matrix) as Node) as Node, joined) as Node,
      ops.mul(whole, 0.5) as Node,
      [matrix, own, shared, last],
    );
  });

  it('as often as a network is used, with one cut of the matrix', () => {
    const matrix = leaf([2, 5]);
    const shared = leaf([3, 1]);
    let state = leaf([2, 1], space);
    const first = state;
    for (let i = 0; i < 3; i++) state = ops.tanh(ops.matmul(matrix, ops.concat([state, shared]) as Node) as Node);
    const cuts = new Set(topological([state]).filter(({ op }) => op.name === 'slice'));
    expect(cuts.size).toBe(2);
    let plain = first;
    for (let i = 0; i < 3; i++) {
      const joined = ops.mul(ops.concat([plain, shared]) as Node, 2);
      plain = ops.tanh(ops.mul(ops.matmul(matrix, joined) as Node, 0.5)) as Node;
    }
    same(state, plain, [matrix, shared, first]);
  });
});
