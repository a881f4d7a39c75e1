/**
 * The table every operation is tested by: how to build it, and which inputs it takes. `gradients.test.ts` checks each row
 * against finite differences in every lane arrangement, `devices.test.ts` on every device; a new operation without
 * a row fails there.
 */

import { recordBinary, recordSelect, recordTernary, recordUnary } from '../../src/tensor/elementwise/record.ts';
import { arityOf, elementwiseOps } from '../../src/tensor/elementwise/table.ts';
import { asLanes, fromLanes } from '../../src/tensor/lane-gather.ts';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { constant } from '../../src/tensor/leaves.ts';
import type { Node, Op } from '../../src/tensor/node.ts';
import { patchesLike, unpatch } from '../../src/tensor/ops/convolution.ts';
import * as ops from '../../src/tensor/ops.ts';
import type { Shape } from '../../src/tensor/shape.ts';

export interface Case {
  readonly name: string;
  /** The shapes of its inputs. */
  readonly shapes: readonly Shape[];
  build(inputs: readonly Node[]): Node;
  /** Bounds of random inputs, one pair per input or one for all. */
  readonly domain?: readonly (readonly [number, number])[];
  /** Whole-number inputs (indices), which have no gradient. */
  readonly whole?: readonly number[];
  /** Inputs without a gradient for other reasons. */
  readonly fixed?: readonly number[];
  /** Makes an input from random numbers, for example positive definite. */
  prepare?(data: Float64Array, input: number, shape: Shape): void;
  /** Locally constant. */
  readonly flat?: boolean;
  /** Asking for its gradient is an error. */
  readonly refused?: boolean;
  /** Not differentiated twice: piecewise linear, or its rule is refused beyond the first order. */
  readonly once?: boolean;
  /** Whether inputs may be in lanes. */
  readonly lanes?: boolean;
}

type Domain = readonly (readonly [number, number])[];

/** Where each elementwise operation is defined and smooth; the default is [−2, 2]. */
const domains: Record<string, Domain> = {
  div: [
    [-2, 2],
    [0.5, 2],
  ],
  pow: [
    [0.3, 2],
    [-2, 2],
  ],
  mod: [
    [2.1, 2.9],
    [0.9, 1.02],
  ],
  hypot: [[0.2, 2]],
  atan2: [[0.2, 2]],
  reciprocal: [[0.3, 2]],
  sqrt: [[0.2, 4]],
  cbrt: [[0.2, 4]],
  log: [[0.2, 4]],
  log1p: [[-0.7, 3]],
  log2: [[0.2, 4]],
  log10: [[0.2, 4]],
  tan: [[-1.2, 1.2]],
  asin: [[-0.8, 0.8]],
  acos: [[-0.8, 0.8]],
  acosh: [[1.3, 4]],
  atanh: [[-0.8, 0.8]],
  abs: [[0.2, 2]],
  relu: [[0.2, 2]],
  lgamma: [[0.3, 5]],
  digamma: [[0.4, 5]],
  trigamma: [[0.4, 5]],
  erfinv: [[-0.8, 0.8]],
  normalQuantile: [[0.1, 0.9]],
  logBesselI0: [[0.3, 4]],
  besselRatio: [[0.3, 4]],
  besselRatioSlope: [[0.3, 4]],
  gammaP: [
    [0.5, 4],
    [0.3, 6],
  ],
  gammaQ: [
    [0.5, 4],
    [0.3, 6],
  ],
  logBeta: [[0.4, 5]],
  log1mExp: [[-3, -0.2]],
  gammaPShape: [
    [0.5, 4],
    [0.3, 6],
  ],
  gammaPInverse: [
    [0.5, 4],
    [0.1, 0.9],
  ],
  gammaQInverse: [
    [0.5, 4],
    [0.1, 0.9],
  ],
  betaI: [
    [0.6, 3],
    [0.6, 3],
    [0.1, 0.9],
  ],
  betaIFirst: [
    [0.6, 3],
    [0.6, 3],
    [0.1, 0.9],
  ],
  betaISecond: [
    [0.6, 3],
    [0.6, 3],
    [0.1, 0.9],
  ],
  betaIInverse: [
    [0.6, 3],
    [0.6, 3],
    [0.1, 0.9],
  ],
  select: [
    [0, 1],
    [-2, 2],
    [-2, 2],
  ],
  not: [[0, 1]],
  and: [[0, 1]],
  or: [[0, 1]],
};

const locallyConstant = [
  'lt',
  'le',
  'gt',
  'ge',
  'eq',
  'ne',
  'and',
  'or',
  'not',
  'sign',
  'floor',
  'ceil',
  'round',
  'trunc',
];
const refused = ['trigamma', 'besselRatioSlope', 'gammaPShape', 'betaIFirst', 'betaISecond'];
const onceOnly = [
  'min',
  'max',
  'mod',
  'abs',
  'relu',
  'select',
  'digamma',
  'betaI',
  'betaIInverse',
  'gammaPInverse',
  'gammaQInverse',
  'gammaP',
  'gammaQ',
  'besselRatio',
  'toF32',
];

function record(op: Op, [a, b, c]: readonly Node[]): Node {
  if (op.name === 'select') return recordSelect(op, a, b, c);
  const arity = arityOf(op);
  return arity === 1 ? recordUnary(op, a) : arity === 2 ? recordBinary(op, a, b) : recordTernary(op, a, b, c);
}

/** Operand shapes for each arity: scalars, equal shapes, and stretched axes. */
const operandShapes: readonly (readonly Shape[])[] = [
  [[], [], []],
  [[3], [3], [3]],
  [[2, 3], [3], []],
  [
    [2, 1],
    [1, 3],
    [2, 3],
  ],
  [[], [4], [1]],
];

function elementwiseCases(): Case[] {
  const cases: Case[] = [];
  for (const op of elementwiseOps) {
    if (['stop', 'toF32', 'toF64', 'expand'].includes(op.name)) continue;
    const arity = arityOf(op);
    const seen = new Set<string>();
    for (const shapes of operandShapes) {
      const own = shapes.slice(0, arity);
      const name = `${op.name} ${own.map((shape) => `[${shape.join(',')}]`).join(' ')}`;
      if (seen.has(name)) continue;
      seen.add(name);
      cases.push({
        name,
        shapes: own,
        build: (inputs) => record(op, inputs),
        domain: domains[op.name],
        whole: op.name === 'select' ? [0] : ['and', 'or', 'not'].includes(op.name) ? [0, 1] : [],
        flat: locallyConstant.includes(op.name),
        refused: refused.includes(op.name),
        once: onceOnly.includes(op.name),
      });
    }
  }
  return cases;
}

/** A Aᵀ + n I, so that Cholesky factors and inverses exist and are tame. */
function positiveDefinite(data: Float64Array, _input: number, shape: Shape): void {
  const n = shape[shape.length - 1];
  for (let base = 0; base < data.length; base += n * n) {
    const a = data.slice(base, base + n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        let total = i === j ? n : 0;
        for (let k = 0; k < n; k++) total += a[i * n + k] * a[j * n + k];
        data[base + i * n + j] = total;
      }
    }
  }
}

/** Away from 0 on the diagonal. */
function wellConditioned(data: Float64Array, input: number, shape: Shape): void {
  if (input > 0) return;
  const n = shape[shape.length - 1];
  for (let base = 0; base < data.length; base += n * n) for (let i = 0; i < n; i++) data[base + i * n + i] += 4;
}

const symmetric = (x: Node): Node => ops.mul(0.5, ops.add(x, ops.transposeMatrix(x)));
const patch = {
  key: '2,4,5,2,3,1,1',
  channels: 2,
  height: 4,
  width: 5,
  kernelHeight: 2,
  kernelWidth: 3,
  stride: 1,
  padding: 1,
};

const structural: Case[] = [
  { name: 'expand', shapes: [[3]], build: ([x]) => ops.broadcastTo(x, [2, 3]) },
  { name: 'stop', shapes: [[3]], build: ([x]) => ops.stopGradient(x), flat: true },
  { name: 'sum of all', shapes: [[2, 3]], build: ([x]) => ops.sum(x) },
  { name: 'sum first', shapes: [[2, 3]], build: ([x]) => ops.sum(x, 0) },
  { name: 'sum last', shapes: [[2, 3]], build: ([x]) => ops.sum(x, -1) },
  { name: 'sum middle', shapes: [[2, 3, 4]], build: ([x]) => ops.sum(x, 1, true) },
  { name: 'sum outer', shapes: [[2, 3, 4]], build: ([x]) => ops.sum(x, [0, 2]) },
  { name: 'sum of squares', shapes: [[2, 3]], build: ([x]) => ops.sum(ops.square(x), 1) },
  { name: 'mean', shapes: [[2, 3]], build: ([x]) => ops.mean(x, 0) },
  { name: 'prod', shapes: [[2, 3]], build: ([x]) => ops.prod(x, 1) },
  { name: 'prod of all', shapes: [[4]], build: ([x]) => ops.prod(x), domain: [[0.5, 2]] },
  { name: 'maxOf', shapes: [[2, 3]], build: ([x]) => ops.maxOf(x, 1), once: true },
  { name: 'minOf', shapes: [[2, 3]], build: ([x]) => ops.minOf(x, 0), once: true },
  { name: 'argmax', shapes: [[2, 3]], build: ([x]) => ops.argmax(x, 1), flat: true },
  { name: 'argsort', shapes: [[2, 5]], build: ([x]) => ops.argsort(x, 1), flat: true },
  { name: 'sort', shapes: [[2, 5]], build: ([x]) => ops.sort(x, 0), once: true },
  { name: 'topK', shapes: [[2, 5]], build: ([x]) => ops.topK(x, 3).values, once: true },
  { name: 'cumsum', shapes: [[2, 4]], build: ([x]) => ops.cumsum(x, 0) },
  { name: 'cumsum reversed', shapes: [[2, 4]], build: ([x]) => ops.cumsum(x, 1, true) },
  // Rows of single numbers, of several vectors and a rest, and several blocks of them.
  ...[0, 1, 2].flatMap((axis) =>
    [false, true].map(
      (reverse): Case => ({
        name: `cumsum along axis ${axis} of 3${reverse ? ', reversed' : ''}`,
        shapes: [[2, 3, 7]],
        build: ([x]) => ops.cumsum(x, axis, reverse),
      }),
    ),
  ),
  ...[false, true].map(
    (reverse): Case => ({
      name: `runningSums${reverse ? ' reversed' : ''}`,
      shapes: [[6, 5]],
      build: ([x]) => ops.runningSums(x, constant(Float64Array.of(0, 0, 1, 0, 0, 1), [6]), reverse),
    }),
  ),
  { name: 'logsumexp', shapes: [[2, 3]], build: ([x]) => ops.logsumexp(x, 1) },
  { name: 'logsumexp of all', shapes: [[2, 3]], build: ([x]) => ops.logsumexp(x) },
  { name: 'softmax', shapes: [[2, 3]], build: ([x]) => ops.softmax(x, 1) },
  { name: 'softmax of a column', shapes: [[3, 1]], build: ([x]) => ops.softmax(x) },
  { name: 'logSoftmax', shapes: [[2, 3]], build: ([x]) => ops.logSoftmax(x, 0) },
  { name: 'reshape', shapes: [[2, 3]], build: ([x]) => ops.reshape(x, [3, 2]) },
  { name: 'reshape to scalar', shapes: [[1, 1]], build: ([x]) => ops.exp(ops.reshape(x, [])) },
  { name: 'reshape of scalar', shapes: [[]], build: ([x]) => ops.exp(ops.reshape(x, [1, 1])) },
  { name: 'transpose', shapes: [[2, 3]], build: ([x]) => ops.transpose(x) },
  { name: 'transpose of rank 3', shapes: [[2, 3, 4]], build: ([x]) => ops.transpose(x, [1, 2, 0]) },
  {
    name: 'concat',
    shapes: [
      [2, 3],
      [2, 1],
      [2, 2],
    ],
    build: (xs) => ops.concat(xs, 1),
  },
  { name: 'stack', shapes: [[2], [2]], build: (xs) => ops.stack(xs, 1) },
  { name: 'slice', shapes: [[3, 4]], build: ([x]) => ops.slice(x, [1, 1], [2, 2]) },
  { name: 'split', shapes: [[2, 4]], build: ([x]) => ops.split(x, [1, 3], 1)[1] },
  { name: 'pad', shapes: [[2, 2]], build: ([x]) => ops.pad(x, [1, 0], [0, 2]) },
  {
    name: 'matmul',
    shapes: [
      [2, 3],
      [3, 4],
    ],
    build: ([a, b]) => ops.matmul(a, b),
  },
  {
    name: 'matmul tn',
    shapes: [
      [3, 2],
      [3, 4],
    ],
    build: ([a, b]) => ops.matmul(a, b, true),
  },
  {
    name: 'matmul nt',
    shapes: [
      [2, 3],
      [4, 3],
    ],
    build: ([a, b]) => ops.matmul(a, b, false, true),
  },
  {
    name: 'matmul tt',
    shapes: [
      [3, 2],
      [4, 3],
    ],
    build: ([a, b]) => ops.matmul(a, b, true, true),
  },
  { name: 'matmul row', shapes: [[3], [3, 2]], build: ([a, b]) => ops.matmul(a, b) },
  { name: 'matmul column', shapes: [[2, 3], [3]], build: ([a, b]) => ops.matmul(a, b) },
  {
    name: 'matmul n1',
    shapes: [
      [2, 3],
      [3, 1],
    ],
    build: ([a, b]) => ops.matmul(a, b),
  },
  { name: 'matmul dot', shapes: [[3], [3]], build: ([a, b]) => ops.matmul(a, b) },
  {
    name: 'matmul batched',
    shapes: [
      [2, 2, 3],
      [2, 3, 2],
    ],
    build: ([a, b]) => ops.matmul(a, b),
  },
  {
    name: 'matmul batch × shared',
    shapes: [
      [2, 2, 3],
      [3, 2],
    ],
    build: ([a, b]) => ops.matmul(a, b),
  },
  {
    name: 'matmul shared × batch',
    shapes: [
      [2, 3],
      [2, 3, 2],
    ],
    build: ([a, b]) => ops.matmul(a, b),
  },
  {
    name: 'contract',
    shapes: [
      [2, 3],
      [2, 2],
    ],
    build: ([a, b]) => ops.contract(a, b),
  },
  {
    name: 'gather',
    shapes: [[4, 3], [2]],
    build: ([table, index]) => ops.gather(table, index),
    whole: [1],
    domain: [
      [-2, 2],
      [0, 3],
    ],
  },
  {
    name: 'gather one row',
    shapes: [[4, 3], []],
    build: ([table, index]) => ops.gather(table, index),
    whole: [1],
    domain: [
      [-2, 2],
      [0, 3],
    ],
  },
  {
    name: 'gather of gather',
    shapes: [[4, 3], [], []],
    build: ([table, i, j]) => ops.gather(ops.gather(table, i), j),
    whole: [1, 2],
    domain: [
      [-2, 2],
      [0, 3],
      [0, 2],
    ],
  },
  {
    name: 'segmentSum',
    shapes: [[3], [3]],
    build: ([values, index]) => ops.segmentSum(values, index, 4),
    whole: [1],
    domain: [
      [-2, 2],
      [0, 3],
    ],
  },
  // Given indices, so that no segment is empty: −∞ has no slope.
  ...[ops.segmentMax, ops.segmentMin, ops.segmentMean].map((reduce) => ({
    name: reduce.name,
    shapes: [[4, 2]],
    build: ([values]: readonly Node[]) => reduce(values, constant(Float64Array.of(1, 0, 1, 1), [4]), 2),
    once: true,
  })),
  { name: 'meanPool2d', shapes: [[2, 4, 5]], build: ([x]) => ops.meanPool2d(x, 2, 1), once: true },
  { name: 'oneHot', shapes: [[3]], build: ([x]) => ops.oneHot(x, 4), whole: [0], domain: [[0, 3]], flat: true },
  { name: 'cholesky', shapes: [[3, 3]], build: ([x]) => ops.cholesky(symmetric(x)), prepare: positiveDefinite },
  {
    name: 'triangularSolve',
    shapes: [
      [3, 3],
      [3, 2],
    ],
    build: ([l, b]) => ops.triangularSolve(l, b),
    prepare: wellConditioned,
  },
  {
    name: 'triangularSolve transposed',
    shapes: [[3, 3], [3]],
    build: ([l, b]) => ops.triangularSolve(l, b, true),
    prepare: wellConditioned,
  },
  { name: 'inverse', shapes: [[3, 3]], build: ([x]) => ops.inverse(x), prepare: wellConditioned },
  { name: 'logdet', shapes: [[3, 3]], build: ([x]) => ops.logdet(x), prepare: wellConditioned },
  { name: 'determinant', shapes: [[2, 2]], build: ([x]) => ops.determinant(x), prepare: wellConditioned },
  { name: 'logdet of a batch', shapes: [[2, 2, 2]], build: ([x]) => ops.logdet(x), prepare: wellConditioned },
  { name: 'patches', shapes: [[2, 4, 5]], build: ([x]) => patchesLike(x, patch), once: true },
  { name: 'unpatch', shapes: [[12, 25]], build: ([x]) => unpatch(x, patch), once: true },
  {
    name: 'conv2d',
    shapes: [
      [2, 4, 4],
      [2, 2, 2, 2],
    ],
    build: ([x, w]) => ops.conv2d(x, w, { stride: 2, padding: 1 }),
  },
  { name: 'poolIndex', shapes: [[2, 4, 4]], build: ([x]) => ops.maxPool2d(x, 2), once: true },
];

const parent = new LaneSpace(2);
const child = new LaneSpace(3, parent, Int32Array.of(0, 1, 1));
const left = new LaneSpace(1, parent, Int32Array.of(1));
const right = new LaneSpace(1, parent, Int32Array.of(0));

/** Lane arrangements: the space of input i. */
export const arrangements: Record<string, (input: number) => LaneSpace | null> = {
  'no lanes': () => null,
  'all in lanes': () => parent,
  'first in lanes': (i) => (i === 0 ? parent : null),
  'others in lanes': (i) => (i === 0 ? null : parent),
  'parent and child': (i) => (i === 0 ? parent : child),
  'child and parent': (i) => (i === 0 ? child : parent),
};

/** Places that differ between the lanes of the parent. */
const pick = constant(Float64Array.of(3, 1), [], parent);

/** Operations about lanes themselves; their single input is in the parent space. */
export const laneCases: Case[] = [
  { name: 'sumLanes', shapes: [[2]], build: ([x]) => ops.sumLanes(ops.square(x)) },
  { name: 'sumLanes over axes', shapes: [[2, 3]], build: ([x]) => ops.sumLanes(ops.square(x), 1) },
  { name: 'laneGather', shapes: [[2]], build: ([x]) => ops.square(ops.broadcastTo(x, [2], child)) },
  {
    name: 'matmul with oneHot',
    shapes: [[3, 4]],
    build: ([x]) => ops.sum(ops.square(ops.matmul(ops.sumLanes(x), ops.reshape(ops.oneHot(pick, 4), [4, 1])))),
  },
  {
    name: 'asLanes, fromLanes',
    shapes: [[2]],
    build: ([x]) => {
      const across = ops.mul(fromLanes(ops.square(x)), ops.exp(fromLanes(x)));
      return ops.mul(x, asLanes(across, parent));
    },
  },
  {
    name: 'laneMerge',
    shapes: [[2]],
    build: ([x]) => {
      const there = ops.square(ops.broadcastTo(x, [2], left));
      const here = ops.exp(ops.broadcastTo(x, [2], right));
      return ops.mergeLanes(parent, [
        { value: there, space: left },
        { value: here, space: right },
      ]);
    },
  },
];

export const laneCaseSpace = parent;
export const cases: readonly Case[] = [...elementwiseCases(), ...structural];
