/**
 * Gradient rules of the operations with kernels of their own and of the composites: the share of input number `at` in
 * the adjoint g of the result y. `null`: locally constant in that input.
 */
import { castTo, expandTo } from '../elementwise/record.ts';
import type { PatchAttributes } from '../kernels/convolution.ts';
import type { GatherAttributes } from '../kernels/indexing.ts';
import type { SolveAttributes } from '../kernels/linalg.ts';
import type { ProductAttributes } from '../kernels/product.ts';
import type { AxisAttributes, ReduceAttributes, RunAttributes } from '../kernels/reduce.ts';
import type { ConcatAttributes, TransposeAttributes, WindowAttributes } from '../kernels/structure.ts';
import { LANE_DRAW } from '../lane-draws.ts';
import {
  AS_LANES,
  asLanes,
  FROM_LANES,
  fromLanes,
  gatherTo,
  LANE_GATHER,
  LANE_SCATTER,
  scatterTo,
} from '../lane-gather.ts';
import type { LaneSpace } from '../lane-space.ts';
import type { Node, Op } from '../node.ts';
import { isScalar, RESHAPE } from '../node.ts';
import { add, div, eq, exp, mul, neg, select, sub, weigh } from '../ops/arithmetic.ts';
import { PATCHES, POOL_INDEX, patchesLike, UNPATCH, unpatch } from '../ops/convolution.ts';
import { GATHER, gather, LANE_MERGE, ONE_HOT, SCATTER, scatter } from '../ops/indexing.ts';
import {
  CHOLESKY,
  DETERMINANT,
  INVERSE,
  inverse,
  LOGDET,
  lowerTriangle,
  TRIANGULAR_SOLVE,
  triangularSolve,
} from '../ops/linalg.ts';
import { CONTRACT, contract, MATMUL, matmul } from '../ops/products.ts';
import {
  ARGMAX,
  ARGSORT,
  CUMSUM,
  cumsum,
  LOG_SOFTMAX,
  LOGSUMEXP,
  MAX_OF,
  MIN_OF,
  PROD,
  prod,
  SOFTMAX,
  SUM,
  softmax,
  sum,
  withOnes,
} from '../ops/reductions.ts';
import { RUNNING_SUMS, runningSums, SEGMENT_MAX, segmentSum } from '../ops/segments.ts';
import {
  CONCAT,
  PAD,
  pad,
  reshape,
  SLICE,
  slice,
  sliceAxis,
  TRANSPOSE,
  transpose,
  transposeMatrix,
} from '../ops/structure.ts';
import { LANE_NOISE, PARTITION } from '../partition.ts';
import { type Shape, sizeOf } from '../shape.ts';

type Rule = (g: Node, y: Node, at: number) => Node | null;

/** An adjoint of a reduced value, repeated over what was reduced. */
function spread(g: Node, x: Node, axes: readonly number[]): Node {
  const precision = x.dtype === 'f32' ? 'f32' : 'f64';
  if (isScalar(g)) return expandTo(g, x.shape, x.space, precision);
  return expandTo(reshape(castTo(g, precision), withOnes(x.shape, axes)), x.shape, x.space, precision);
}

const axesOf = (y: Node): readonly number[] => (y.attributes as ReduceAttributes).axes;

/** All of the adjoint goes to the elements that attain the extreme, in equal parts. */
const extreme: Rule = (g, y) => {
  const [x] = y.inputs;
  const axes = axesOf(y);
  const winners = select(eq(x, spread(y, x, axes)), 1, 0);
  const shares = div(winners, spread(sum(winners, axes), x, axes));
  return weigh(spread(g, x, axes), shares);
};

/** The same within each segment. */
const segmentExtreme: Rule = (g, y, at) => {
  if (at > 0) return null;
  const [x, index] = y.inputs;
  const { leading } = y.attributes as GatherAttributes;
  const winners = select(eq(x, gather(y, index)), 1, 0);
  const shares = div(winners, gather(segmentSum(winners, index, leading[0]), index));
  return weigh(gather(g, index), shares);
};

/** The product of the others; y / x where nothing is 0. */
const product: Rule = (g, y) => {
  const [x] = y.inputs;
  const axes = axesOf(y);
  const isZero = eq(x, 0);
  const nonzero = select(isZero, 1, x);
  const zeros = spread(sum(select(isZero, 1, 0), axes), x, axes);
  const others = spread(prod(nonzero, axes), x, axes);
  const derivative = select(isZero, select(eq(zeros, 1), others, 0), select(eq(zeros, 0), div(others, nonzero), 0));
  return weigh(spread(g, x, axes), derivative);
};

/** Brings the share of a factor back to the axes it has: a shared factor sums over lanes and batches. */
function matmulRule(g: Node, y: Node, at: number): Node {
  const [a, b] = y.inputs;
  const { transposeA, transposeB } = y.attributes as ProductAttributes;
  const shared = (x: Node): boolean => x.space !== y.space || x.shape.length !== y.shape.length;
  if (at === 0) {
    if (!shared(a)) return transposeA ? matmul(b, g, transposeB, true) : matmul(g, b, false, !transposeB);
    // A is shared: Σ G Bᵀ over the batch, as a contraction of columns.
    const columnsG = transposeMatrix(g);
    const columnsB = transposeB ? b : transposeMatrix(b);
    return transposeA ? contract(columnsB, columnsG) : contract(columnsG, columnsB);
  }
  if (!shared(b)) return transposeB ? matmul(g, a, true, transposeA) : matmul(a, g, !transposeA, false);
  const rowsA = transposeA ? transposeMatrix(a) : a;
  return transposeB ? contract(g, rowsA) : contract(rowsA, g);
}

export const structuralRules: ReadonlyMap<Op, Rule> = new Map<Op, Rule>([
  [SUM, (g, y) => spread(g, y.inputs[0], axesOf(y))],
  [PROD, product],
  [MAX_OF, extreme],
  [MIN_OF, extreme],
  [SEGMENT_MAX, segmentExtreme],
  [ARGMAX, () => null],
  [ARGSORT, () => null],
  [POOL_INDEX, () => null],
  [ONE_HOT, () => null],
  [
    LOGSUMEXP,
    (g, y) => {
      const [x] = y.inputs;
      const axes = axesOf(y);
      const share = exp(sub(x, spread(y, x, axes)));
      return weigh(spread(g, x, axes), select(eq(x, -Infinity), 0, share));
    },
  ],
  [
    SOFTMAX,
    (g, y) => {
      const gy = weigh(g, y);
      return sub(gy, mul(y, sum(gy, axesOf(y), true)));
    },
  ],
  [LOG_SOFTMAX, (g, y) => sub(g, mul(softmax(y.inputs[0], axesOf(y)), sum(g, axesOf(y), true)))],
  [
    CUMSUM,
    (g, y) => {
      const { axis, reverse } = y.attributes as AxisAttributes;
      return cumsum(g, axis, !reverse);
    },
  ],
  [
    RUNNING_SUMS,
    (g, y, at) => (at === 0 ? runningSums(g, y.inputs[1], !(y.attributes as RunAttributes).reverse) : null),
  ],
  [RESHAPE, (g, y) => reshape(g, y.inputs[0].shape)],
  [AS_LANES, (g, y) => fromLanes(expandTo(g, y.shape, y.space))],
  [FROM_LANES, (g, y) => asLanes(g, y.inputs[0].space as LaneSpace)],
  [
    TRANSPOSE,
    (g, y) => {
      const { permutation } = y.attributes as TransposeAttributes;
      return transpose(
        g,
        permutation.map((_, i) => permutation.indexOf(i)),
      );
    },
  ],
  [
    CONCAT,
    (g, y, at) => {
      const { axis } = y.attributes as ConcatAttributes;
      let begin = 0;
      for (let i = 0; i < at; i++) begin += y.inputs[i].shape[axis];
      return sliceAxis(g, axis, begin, begin + y.inputs[at].shape[axis]);
    },
  ],
  [
    SLICE,
    (g, y) => {
      const { begin } = y.attributes as WindowAttributes;
      const whole = y.inputs[0].shape;
      return pad(
        g,
        begin,
        whole.map((n, i) => n - begin[i] - y.shape[i]),
      );
    },
  ],
  [PAD, (g, y) => slice(g, (y.attributes as WindowAttributes).begin, y.inputs[0].shape)],
  [MATMUL, matmulRule],
  [
    CONTRACT,
    (g, y, at) =>
      at === 0 ? rowsTimes(y.inputs[1], g, true, y.inputs[0]) : rowsTimes(y.inputs[0], g, false, y.inputs[1]),
  ],
  [
    GATHER,
    (g, y, at) => {
      if (at > 0) return null;
      const [table, ...indices] = y.inputs;
      return scatter(g, indices, (y.attributes as GatherAttributes).leading, table.space);
    },
  ],
  [
    SCATTER,
    (g, y, at) => {
      if (at > 0) return null;
      return gather(g, ...y.inputs.slice(1));
    },
  ],
  [LANE_GATHER, (g, y, at) => (at === 0 ? scatterTo(g, y.inputs[0].space as LaneSpace) : null)],
  [LANE_SCATTER, (g, y, at) => (at === 0 ? gatherTo(g, y.inputs[0].space as LaneSpace) : null)],
  [LANE_MERGE, (g, y, at) => (at % 2 === 0 ? gatherTo(g, y.inputs[at].space as LaneSpace) : null)],
  [PARTITION, () => null],
  [LANE_NOISE, () => null],
  [LANE_DRAW, () => null],
  [
    CHOLESKY,
    (g, y) => {
      // Murray, "Differentiation of the Cholesky decomposition" (2016), equation 10, symmetrised.
      const middle = lowerTriangle(matmul(y, lowerTriangle(g), true), 0.5);
      const right = transposeMatrix(triangularSolve(y, transposeMatrix(triangularSolve(y, middle, true)), true));
      return mul(0.5, add(right, transposeMatrix(right)));
    },
  ],
  [
    TRIANGULAR_SOLVE,
    (g, y, at) => {
      const { transpose: transposed } = y.attributes as SolveAttributes;
      const share = triangularSolve(y.inputs[0], g, !transposed);
      if (at === 1) return share;
      return neg(lowerTriangle(transposed ? matmul(y, share, false, true) : matmul(share, y, false, true)));
    },
  ],
  [INVERSE, (g, y) => neg(matmul(matmul(y, g, true), y, false, true))],
  [LOGDET, (g, y) => weigh(matrixWise(g, y.inputs[0].shape), transposeMatrix(inverse(y.inputs[0])))],
  [DETERMINANT, (g, y) => weigh(matrixWise(weigh(g, y), y.inputs[0].shape), transposeMatrix(inverse(y.inputs[0])))],
  [PATCHES, (g, y) => unpatch(g, y.attributes as PatchAttributes)],
  [UNPATCH, (g, y) => patchesLike(g, y.attributes as PatchAttributes)],
]);

/** A value per matrix, repeated over the matrix. */
function matrixWise(g: Node, shape: Shape): Node {
  return expandTo(reshape(g, [...g.shape, 1, 1]), shape, g.space);
}

/** Each row of x (of any rank, in any lane) times a matrix, in the shape of `like`. */
function rowsTimes(x: Node, matrix: Node, transposed: boolean, like: Node): Node {
  const width = x.shape[x.shape.length - 1];
  const rows = reshape(x, [sizeOf(x.shape) / Math.max(1, width), width]);
  return reshape(matmul(rows, matrix, false, transposed), like.shape);
}
