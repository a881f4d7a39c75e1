/** Reductions over the values that an index puts together, whichever lanes they are in; sums along runs. */
import { expandTo } from '../elementwise/record.ts';
import { segmentMaxKernel } from '../kernels/indexing.ts';
import { type RunAttributes, runningSumsKernel } from '../kernels/reduce.ts';
import { meetingSpace } from '../lane-space.ts';
import { constant } from '../leaves.ts';
import { kernelOp, Node } from '../node.ts';
import { ShapeError, sameShape, shapeText, sizeOf } from '../shape.ts';
import { div, max, neg } from './arithmetic.ts';
import { scatter } from './indexing.ts';
import { reshape } from './structure.ts';

export const SEGMENT_MAX = kernelOp('segmentMax', segmentMaxKernel);
export const RUNNING_SUMS = kernelOp('runningSums', runningSumsKernel);

/** Values and index in one lane space; the leading axes of the values are those of the index. */
function together(name: string, values: Node, index: Node): { values: Node; index: Node } {
  if (!sameShape(values.shape.slice(0, index.shape.length), index.shape)) {
    throw new ShapeError(
      `${name}: values of shape ${shapeText(values.shape)} with indices of ${shapeText(index.shape)}.`,
    );
  }
  const space = meetingSpace(name, values.space, index.space);
  return {
    values: expandTo(values, values.shape, space),
    index: space === null ? index : expandTo(index, index.shape, space),
  };
}

/** For each position, the sum of the values whose index names it. */
export function segmentSum(values: Node, index: Node, segments: number): Node {
  const given = together('segmentSum', values, index);
  return scatter(given.values, [given.index], [segments], null);
}

/** For each position, the mean of the values whose index names it; 0 if there is none. */
export function segmentMean(values: Node, index: Node, segments: number): Node {
  const given = together('segmentMean', values, index);
  const ones = expandTo(
    constant(new Float64Array(sizeOf(index.shape)).fill(1), index.shape),
    index.shape,
    given.values.space,
  );
  const counts = max(scatter(ones, [given.index], [segments], null), 1);
  const rest = values.shape.length - index.shape.length;
  const sums = scatter(given.values, [given.index], [segments], null);
  return div(sums, reshape(counts, [segments, ...new Array<number>(rest).fill(1)]));
}

const RUNS: readonly RunAttributes[] = [false, true].map((reverse) => ({ key: `${reverse}`, reverse }));

/**
 * For each row the sum of the rows before it (after it, if `reverse`) that belong to the same run. A run begins with each row at whose
 * place `begins` is not 0.
 */
export function runningSums(x: Node, begins: Node, reverse = false): Node {
  const { values, index } = together('runningSums', x, begins);
  return new Node(RUNNING_SUMS, [values, index], RUNS[Number(reverse)], x.shape, x.dtype, values.space);
}

/** For each position, the largest of the values whose index names it; −∞ if there is none. */
export function segmentMax(values: Node, index: Node, segments: number): Node {
  const given = together('segmentMax', values, index);
  const shape = [segments, ...values.shape.slice(index.shape.length)];
  const attributes = { key: `${segments}`, leading: [segments] };
  return new Node(SEGMENT_MAX, [given.values, given.index], attributes, shape, values.dtype, null);
}

/** For each position, the smallest of the values whose index names it; ∞ if there is none. */
export function segmentMin(values: Node, index: Node, segments: number): Node {
  return neg(segmentMax(neg(values), index, segments));
}
