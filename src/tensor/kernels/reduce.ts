/** Reference reductions. */
import type { Attributes, Data, Kernel } from '../node.ts';
import { type Shape, sizeOf } from '../shape.ts';
import { offsetsAlong } from './walk.ts';

/** Which axes go: logical ones, and the lane axis if `lanes`. */
export interface ReduceAttributes extends Attributes {
  readonly axes: readonly number[];
  readonly lanes: boolean;
}

/** Axes of the array in memory that are kept and reduced. */
function splitAxes(dims: Shape, lanes: boolean, attributes: ReduceAttributes): [number[], number[]] {
  const lead = lanes ? 1 : 0;
  const kept: number[] = [];
  const reduced: number[] = [];
  for (let i = 0; i < dims.length; i++) {
    const gone = i < lead ? attributes.lanes : attributes.axes.includes(i - lead);
    (gone ? reduced : kept).push(i);
  }
  return [kept, reduced];
}

type Fold = (data: Data, base: number, offsets: Int32Array, from: number, to: number) => number;

function reduction(fold: Fold): Kernel {
  return (out, [input], attributes) => {
    const [kept, reduced] = splitAxes(input.dims, input.lanes, attributes as ReduceAttributes);
    const bases = offsetsAlong(input.dims, kept);
    const offsets = offsetsAlong(input.dims, reduced);
    for (let i = 0; i < bases.length; i++) out.data[i] = fold(input.data, bases[i], offsets, 0, offsets.length);
  };
}

/** Pairwise, so that rounding errors grow with the logarithm of the length. */
const pairwise: Fold = (data, base, offsets, from, to) => {
  if (to - from > 64) {
    const middle = (from + to) >> 1;
    return pairwise(data, base, offsets, from, middle) + pairwise(data, base, offsets, middle, to);
  }
  let total = 0;
  for (let i = from; i < to; i++) total += data[base + offsets[i]];
  return total;
};

export const sumKernel = reduction(pairwise);

export const prodKernel = reduction((data, base, offsets, from, to) => {
  let total = 1;
  for (let i = from; i < to; i++) total *= data[base + offsets[i]];
  return total;
});

export const maxKernel = reduction((data, base, offsets, from, to) => {
  let best = -Infinity;
  for (let i = from; i < to; i++) best = Math.max(best, data[base + offsets[i]]);
  return best;
});

export const minKernel = reduction((data, base, offsets, from, to) => {
  let best = Infinity;
  for (let i = from; i < to; i++) best = Math.min(best, data[base + offsets[i]]);
  return best;
});

/** The number, within the reduced axes, of the first largest element. */
export const argmaxKernel = reduction((data, base, offsets, from, to) => {
  let at = from;
  for (let i = from + 1; i < to; i++) if (data[base + offsets[i]] > data[base + offsets[at]]) at = i;
  return at;
});

export interface AxisAttributes extends Attributes {
  readonly axis: number;
  readonly reverse: boolean;
}

/** Running sums along an axis, from its end if `reverse`. */
export const cumsumKernel: Kernel = (out, [input], attributes) => {
  const { axis, reverse } = attributes as AxisAttributes;
  const along = axis + (input.lanes ? 1 : 0);
  const length = input.dims[along];
  const stride = sizeOf(input.dims.slice(along + 1));
  const step = reverse ? -stride : stride;
  const source = input.data;
  const target = out.data;
  for (let block = 0; block < source.length; block += length * stride) {
    // Row after row, so that memory is read in its order.
    let at = reverse ? block + (length - 1) * stride : block;
    for (let k = 0; k < stride; k++) target[at + k] = source[at + k];
    for (let i = 1; i < length; i++) {
      const before = at;
      at += step;
      for (let k = 0; k < stride; k++) target[at + k] = target[before + k] + source[at + k];
    }
  }
};

export interface RunAttributes extends Attributes {
  readonly reverse: boolean;
}

/** For each row the sum of those before it in its run (after it, if `reverse`). A run begins where the second operand is not 0. */
export const runningSumsKernel: Kernel = (out, [input, begins], attributes) => {
  const { reverse } = attributes as RunAttributes;
  const rows = begins.dims[begins.dims.length - 1];
  const width = input.data.length / begins.data.length;
  const [source, target] = [input.data, out.data];
  for (let first = 0; first < begins.data.length; first += rows) {
    for (let i = 0; i < rows; i++) {
      const row = reverse ? first + rows - 1 - i : first + i;
      const before = (reverse ? row + 1 : row - 1) * width;
      const isFirst = i === 0 || begins.data[reverse ? row + 1 : row] !== 0;
      for (let k = 0; k < width; k++) {
        target[row * width + k] = isFirst ? 0 : target[before + k] + source[before + k];
      }
    }
  }
};

/** Positions in ascending order of value along an axis, or descending if `reverse`; NaN comes last, ties keep order. */
export const argsortKernel: Kernel = (out, [input], attributes) => {
  const { axis, reverse } = attributes as AxisAttributes;
  const along = axis + (input.lanes ? 1 : 0);
  const others = input.dims.map((_, i) => i).filter((i) => i !== along);
  const bases = offsetsAlong(input.dims, others);
  const offsets = offsetsAlong(input.dims, [along]);
  const order = new Int32Array(offsets.length);
  for (const base of bases) {
    const at = (i: number): number => input.data[base + offsets[i]];
    for (let i = 0; i < order.length; i++) order[i] = i;
    order.sort((i, j) => compare(reverse ? at(j) : at(i), reverse ? at(i) : at(j), at(i), at(j)) || i - j);
    for (let i = 0; i < order.length; i++) out.data[base + offsets[i]] = order[i];
  }
};

function compare(first: number, second: number, x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return +Number.isNaN(x) - +Number.isNaN(y);
  return first < second ? -1 : first > second ? 1 : 0;
}
