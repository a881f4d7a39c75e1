/**
 * Random graphs, computed by plans and by the reference. Single operations are tested elsewhere: this is about how they
 * are grouped into kernels, in which order, and where their values lie in memory.
 */
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../src/tensor/evaluate.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { constant } from '../../src/tensor/leaves.ts';
import type { Node } from '../../src/tensor/node.ts';
import * as ops from '../../src/tensor/ops.ts';
import { evaluateReference } from '../../src/tensor/reference.ts';
import { sizeOf } from '../../src/tensor/shape.ts';
import { generator } from './inputs.ts';

type Random = () => number;

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)];

const unary = [
  ops.tanh,
  ops.sin,
  ops.sigmoid,
  ops.neg,
  ops.abs,
  ops.square,
  ops.softplus,
  ops.cos,
  ops.floor,
  ops.atan,
];
const binary = [ops.add, ops.sub, ops.mul, ops.min, ops.max, ops.weigh];

const SHAPES = [[], [3], [1], [2, 3], [2, 1], [4, 2, 3]];

/** Whether two values can meet in an elementwise operation. */
function compatible(a: Node, b: Node): boolean {
  const [m, n] = [a.shape, b.shape];
  for (let i = 1; i <= Math.min(m.length, n.length); i++) {
    const [x, y] = [m[m.length - i], n[n.length - i]];
    if (x !== y && x !== 1 && y !== 1) return false;
  }
  return a.space === null || b.space === null || a.space.descendsFrom(b.space) || b.space.descendsFrom(a.space);
}

/** Keeps values tame, so that rounding stays small. */
const bounded = (x: Node): Node => ops.mul(2, ops.tanh(x));

function grow(random: Random, nodes: Node[], spaces: readonly LaneSpace[]): Node {
  const a = pick(random, nodes);
  const kind = random();
  if (kind < 0.25) return pick(random, unary)(a);
  if (kind < 0.6) {
    const partners = nodes.filter((node) => compatible(a, node));
    return pick(random, binary)(a, pick(random, partners));
  }
  if (kind < 0.66) return ops.select(ops.gt(a, 0.1), ops.exp(ops.neg(ops.abs(a))), a);
  if (kind < 0.76 && a.shape.length > 0) return bounded(ops.sum(a, Math.floor(random() * a.shape.length)));
  if (kind < 0.8) return bounded(ops.sum(a));
  if (kind < 0.83 && a.shape.length > 0) return ops.maxOf(a, Math.floor(random() * a.shape.length), true);
  if (kind < 0.86 && a.space !== null)
    return bounded(ops.sumLanes(a, random() < 0.5 ? undefined : a.shape.map((_, i) => i)));
  if (kind < 0.88 && a.shape.length > 0) return ops.logSoftmax(a, -1);
  if (kind < 0.9) return ops.lgamma(ops.add(2, ops.tanh(a)));
  if (kind < 0.92) return ops.reshape(a, [sizeOf(a.shape)]);
  if (kind < 0.94 && a.shape.length === 2) return bounded(ops.matmul(a, ops.transpose(a)));
  if (kind < 0.96 && a.shape.length > 0) {
    const index = ops.mod(ops.floor(ops.mul(5, ops.abs(ops.sum(a)))), a.shape[0]);
    return ops.gather(a, index);
  }
  const below = spaces.filter((space) => a.space === null || space.descendsFrom(a.space));
  return below.length === 0 ? ops.neg(a) : ops.broadcastTo(a, a.shape, pick(random, below));
}

function graph(seed: number): Node[] {
  const random = generator(seed);
  const root = new LaneSpace(1 + Math.floor(random() * 6));
  const map = (length: number, size: number): Int32Array =>
    Int32Array.from({ length }, () => Math.floor(random() * size));
  const child = new LaneSpace(5, root, map(5, root.size));
  const sibling = new LaneSpace(2, root, map(2, root.size));
  const grandchild = new LaneSpace(7, child, map(7, 5));
  const spaces = [root, child, sibling, grandchild];
  const single = random() < 0.3;
  const leaves = Array.from({ length: 6 }, () => {
    const shape = pick(random, SHAPES);
    const space = random() < 0.5 ? null : pick(random, spaces);
    const data = Float64Array.from({ length: sizeOf(shape) * (space?.size ?? 1) }, () => 2 * random() - 1);
    return constant(single && shape.length > 0 ? Float32Array.from(data) : data, shape, space);
  });
  const nodes = [...leaves];
  const count = 5 + Math.floor(random() * 40);
  for (let i = 0; i < count; i++) nodes.push(grow(random, nodes, spaces));
  const outputs = [nodes[nodes.length - 1], pick(random, nodes), pick(random, nodes)];
  const total = ops.sum(outputs[0]);
  return [...outputs, ...gradient(total.space === null ? total : ops.sumLanes(total), leaves)];
}

describe('random graphs', () => {
  it('have the values of the reference', () => {
    for (let seed = 1; seed <= 250; seed++) {
      const expected = graph(seed);
      evaluateReference(expected);
      const single = expected.some((node) => node.dtype === 'f32');
      for (let time = 0; time < 3; time++) {
        const actual = graph(seed);
        evaluate(actual);
        actual.forEach((node, i) => {
          const [a, b] = [node.elements(), expected[i].elements()];
          expect(a.length).toBe(b.length);
          for (let k = 0; k < b.length; k++) {
            const off = Math.abs(a[k] - b[k]) / (1 + Math.abs(b[k]));
            // Rounding may decide a floor or a comparison in float32, where a value lies on the border.
            if (!(off <= (single ? 1e-3 : 1e-9)) && !Object.is(a[k], b[k])) {
              expect.fail(`graph ${seed}, value ${i} (${node}), element ${k}: ${a[k]}, expected ${b[k]}`);
            }
          }
        });
      }
    }
  });
});
