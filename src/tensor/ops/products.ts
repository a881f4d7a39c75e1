/** Matrix products. */

import { castTo, commonType, expandTo } from '../elementwise/record.ts';
import { EXPAND, TO_F32 } from '../elementwise/table.ts';
import { contractKernel, matmulKernel, type ProductAttributes } from '../kernels/product.ts';
import type { TransposeAttributes } from '../kernels/structure.ts';
import { gatherTo } from '../lane-gather.ts';
import { meetingSpace } from '../lane-space.ts';
import { toNode } from '../leaves.ts';
import { kernelOp, Node, RESHAPE, type Value } from '../node.ts';
import { type Shape, ShapeError, sameShape, shapeText } from '../shape.ts';
import { add } from './arithmetic.ts';
import { gather, ONE_HOT } from './indexing.ts';
import { type Result, settle } from './settle.ts';
import { aligned, CONCAT, reshape, sliceAxis, TRANSPOSE, transposeMatrix } from './structure.ts';

export const MATMUL = kernelOp('matmul', matmulKernel);
/** Sums the outer products of matching rows over all axes but the last, lanes included: the adjoint of sharing. */
export const CONTRACT = kernelOp('contract', contractKernel);

const flags: readonly ProductAttributes[] = [
  { key: 'nn', transposeA: false, transposeB: false },
  { key: 'nt', transposeA: false, transposeB: true },
  { key: 'tn', transposeA: true, transposeB: false },
  { key: 'tt', transposeA: true, transposeB: true },
];

/**
 * The product of matrices on the last two axes, with equal batch axes before them or none on one side. A vector of
 * rank 1 is a row on the left and a column on the right, and its axis is missing in the result.
 */
export function matmul<T extends Value>(a: T, b: T, transposeA = false, transposeB = false): Result<T> {
  return settle(matmulNodes(toNode(a), toNode(b), transposeA, transposeB), a, b);
}

function matmulNodes(a: Node, b: Node, transposeA: boolean, transposeB: boolean): Node {
  if (a.shape.length === 0 || b.shape.length === 0) misfit(a, b, transposeA, transposeB);
  if (a.shape.length === 1) {
    const out = matmulNodes(reshape(a, [1, a.shape[0]]), b, false, transposeB);
    return reshape(out, b.shape.length === 1 ? [] : out.shape.filter((_, i) => i !== out.shape.length - 2));
  }
  if (b.shape.length === 1) {
    const out = matmulNodes(a, reshape(b, [b.shape[0], 1]), transposeA, false);
    return reshape(out, out.shape.slice(0, -1));
  }
  if (isSwap(a)) return matmulNodes(a.inputs[0], b, !transposeA, transposeB);
  if (isSwap(b)) return matmulNodes(a, b.inputs[0], transposeA, !transposeB);
  const k = a.shape[a.shape.length - (transposeA ? 2 : 1)];
  const m = a.shape[a.shape.length - (transposeA ? 1 : 2)];
  const n = b.shape[b.shape.length - (transposeB ? 2 : 1)];
  if (k !== b.shape[b.shape.length - (transposeB ? 1 : 2)]) misfit(a, b, transposeA, transposeB);
  if (b.shape.length === 2 && n === 1 && a.shape.length === 2 && a.space === null && b.space !== null) {
    const index = oneHotIndex(b);
    if (index !== null) {
      return reshape(gather(transposeA ? a : (transposeMatrix(a) as Node), index) as Node, [m, 1]);
    }
    const parts = partsSharedByLanes(b);
    if (parts !== null) return productOfParts(transposeA ? (transposeMatrix(a) as Node) : a, parts);
    // One matrix times a vector in each lane: all lanes are the rows of a single product.
    return reshape(matmulNodes(reshape(b, [1, k]), a, false, !transposeA), [m, 1]);
  }
  return record(a, b, transposeA, transposeB, m, n);
}

function record(a: Node, b: Node, transposeA: boolean, transposeB: boolean, m: number, n: number): Node {
  const batchA = a.shape.slice(0, -2);
  const batchB = b.shape.slice(0, -2);
  if (batchA.length > 0 && batchB.length > 0 && !sameShape(batchA, batchB)) misfit(a, b, transposeA, transposeB);
  const batch = batchA.length > 0 ? batchA : batchB;
  const space = meetingSpace('matmul', a.space, b.space);
  const dtype = commonType([a, b]);
  let left = castTo(space === null ? a : gatherTo(a, space), dtype);
  let right = castTo(space === null ? b : gatherTo(b, space), dtype);
  // A factor either has all the batch axes (lanes and others) or none.
  const ready = (node: Node, own: Shape): Node =>
    (node.space === null && own.length === 0) || (node.space === space && own.length === batch.length)
      ? node
      : expandTo(node, [...batch, ...node.shape.slice(-2)], space);
  left = ready(left, batchA);
  right = ready(right, batchB);
  return new Node(MATMUL, [left, right], flags[+transposeA * 2 + +transposeB], [...batch, m, n], dtype, space);
}

/** The parts that a vector was joined from, if some of them are the same for all lanes. */
function partsSharedByLanes(vector: Node): readonly Node[] | null {
  if (vector.op !== CONCAT || vector.data !== null) return null;
  const parts = vector.inputs.map((part) => {
    const isRepeated = part.op === EXPAND && part.data === null && part.inputs[0].space === null;
    return isRepeated && sameShape(part.inputs[0].shape, part.shape)
      ? castTo(part.inputs[0], vector.dtype === 'f32' ? 'f32' : 'f64')
      : part;
  });
  return parts.some(({ space }) => space === null) ? parts : null;
}

/** A matrix times joined vectors, part by part: what lanes share is multiplied once, and not by each of them. */
function productOfParts(matrix: Node, parts: readonly Node[]): Node {
  let total: Node | null = null;
  let begin = 0;
  for (const part of parts) {
    const end = begin + part.shape[0];
    const product = matmulNodes(columnsOf(matrix, begin, end, part.dtype as 'f32' | 'f64'), part, false, false);
    total = total === null ? product : (add(total, product) as Node);
    begin = end;
  }
  return total as Node;
}

/** Columns cut out of a matrix before: a network that is used often has them once, and so a single gradient of them. */
const cut = new WeakMap<Node, Map<string, Node>>();

function columnsOf(matrix: Node, begin: number, end: number, dtype: 'f32' | 'f64'): Node {
  let known = cut.get(matrix);
  if (known === undefined) {
    known = new Map();
    cut.set(matrix, known);
  }
  const key = `${begin} ${end} ${dtype}`;
  let columns = known.get(key);
  if (columns === undefined) {
    columns = castTo(sliceAxis(matrix, 1, begin, end) as Node, dtype);
    known.set(key, columns);
  }
  return columns;
}

/** Where the 1 is, of a vector that is 1 in one place and 0 elsewhere. */
function oneHotIndex(vector: Node): Node | null {
  let node = vector;
  while (node.data === null && (node.op === RESHAPE || node.op === TO_F32)) node = node.inputs[0];
  return node.op === ONE_HOT && node.inputs[0].shape.length === 0 ? node.inputs[0] : null;
}

/** A transposition of just the last two axes, which the product can do itself. */
function isSwap(node: Node): boolean {
  if (node.op !== TRANSPOSE || node.data !== null) return false;
  const { permutation } = node.attributes as TransposeAttributes;
  const rank = permutation.length;
  return permutation.every((axis, i) => axis === (i < rank - 2 ? i : 2 * rank - 3 - i));
}

function misfit(a: Node, b: Node, transposeA: boolean, transposeB: boolean): never {
  const mark = (flag: boolean): string => (flag ? ' transposed' : '');
  throw new ShapeError(
    `matmul: shapes ${shapeText(a.shape)}${mark(transposeA)} and ${shapeText(b.shape)}${mark(transposeB)} do not fit together.`,
  );
}

/** Σ aᵢᵀ bᵢ over matching rows of all lanes and leading axes: [… , m] and [… , n] give [m, n], without lanes. */
export function contract(a: Node, b: Node): Node {
  const [left, right] = aligned('contract', [a, b]);
  if (!sameShape(left.shape.slice(0, -1), right.shape.slice(0, -1))) {
    throw new ShapeError(`contract: shapes ${shapeText(a.shape)} and ${shapeText(b.shape)} do not fit together.`);
  }
  const shape = [left.shape[left.shape.length - 1], right.shape[right.shape.length - 1]];
  return new Node(CONTRACT, [left, right], null, shape, left.dtype, null);
}
