/**
 * Tensors that differ between executions side by side: one block of numbers with a row for each execution. Programs read fields
 * and entries of them as of any tensor.
 */

import { OneByOne } from '../../runtime/signals.ts';
import { type Shape, sameShape, sizeOf } from '../../tensor/shape.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { type Column, column, Differing, tensorLists } from './column.ts';
import { currentGroup, type Group } from './group.ts';
import { Doubles } from './kernel-memory.ts';

export class TensorColumn extends Differing {
  /** How many numbers each execution has. */
  readonly length: number;
  /** The numbers of a group below, where they were asked for last. */
  private below: Group | null = null;
  private belowRows: Float64Array | null = null;

  constructor(
    private own: Float64Array,
    private group: Group,
    /** Of the tensor of one execution. */
    readonly dims: Shape,
  ) {
    super();
    this.length = sizeOf(dims);
  }

  get rank(): number {
    return this.dims.length;
  }

  /** What networks and the graph call the dims. */
  get shape(): Shape {
    return this.dims;
  }

  /** The numbers of the current group, one execution after the other. Not to be changed. */
  get rows(): Float64Array {
    const { passage } = this.group;
    if (passage !== null) {
      this.own = gatherRows(this.own, passage.map.array, this.length);
      this.group = passage.group;
      this.below = null;
    }
    const group = currentGroup();
    if (group === this.group) return this.own;
    if (this.below !== group) {
      this.belowRows = gatherRows(this.own, group.placesIn(this.group).array, this.length);
      this.below = group;
    }
    return this.belowRows!;
  }

  /** The tensor of one execution, by its place in the current group. */
  at(lane: number): Tensor {
    const { length, rows } = this;
    return new Tensor(this.dims, rows.slice(lane * length, (lane + 1) * length));
  }

  /** The entry with this index, counted row after row. */
  entry(index: number): Column {
    const { length, rows } = this;
    const { size } = currentGroup();
    const result = new Float64Array(size);
    for (let lane = 0, at = index; lane < size; lane++, at += length) result[lane] = rows[at];
    return column(Doubles.of(result));
  }

  /** All entries, as `tensor.data` has them. */
  get data(): readonly Column[] {
    // A write to this list is no write to a tensor.
    return Object.freeze(Array.from({ length: this.length }, (_, i) => this.entry(i)));
  }

  [Symbol.toPrimitive](): never {
    throw new OneByOne('value', 'the program makes a number or text of a tensor that differs');
  }

  toJSON(): never {
    throw new OneByOne('value', 'the program makes text of a tensor that differs');
  }
}

/** Rows of so many numbers at these places. */
export function gatherRows(rows: Float64Array, places: Int32Array, length: number): Float64Array {
  const result = new Float64Array(places.length * length);
  for (let i = 0, to = 0; i < places.length; i++) {
    for (let from = places[i] * length, end = from + length; from < end; ) result[to++] = rows[from++];
  }
  return result;
}

/** A tensor of the current group, from the numbers of one execution after the other. */
export function tensorColumn(rows: Float64Array, dims: Shape): TensorColumn {
  return new TensorColumn(rows, currentGroup(), dims);
}

/** The dims of a tensor, whether it differs or not; undefined for anything else. */
export const dimsOf = (value: unknown): Shape | undefined =>
  value instanceof TensorColumn || value instanceof Tensor ? value.dims : undefined;

/** The numbers of a value for the executions of the current group; undefined if it is no tensor. */
export function rowsOf(value: unknown): Float64Array | undefined {
  if (value instanceof TensorColumn) return value.rows;
  return value instanceof Tensor ? repeated(value.data, currentGroup().size) : undefined;
}

/** The same numbers so many times. */
export function repeated(numbers: Float64Array, times: number): Float64Array {
  const { length } = numbers;
  const result = new Float64Array(times * length);
  for (let i = 0; i < times; i++) result.set(numbers, i * length);
  return result;
}

/** One value from the tensors of two sides, if they are of one shape; `a` and `b` are given as their sides have them. */
export function mergeTensors(
  a: { readonly rows: Float64Array; readonly places: Int32Array },
  b: { readonly rows: Float64Array; readonly places: Int32Array },
  dims: Shape,
  group: Group,
): TensorColumn {
  const length = sizeOf(dims);
  const result = new Float64Array((a.places.length + b.places.length) * length);
  for (const { rows, places } of [a, b]) {
    for (let i = 0; i < places.length; i++) {
      result.set(rows.subarray(i * length, (i + 1) * length), places[i] * length);
    }
  }
  return new TensorColumn(result, group, dims);
}

/** Tensors of one shape, one for each execution. */
tensorLists.join = (values) => {
  const [first] = values as readonly Tensor[];
  if (!values.every((value) => value instanceof Tensor && sameShape(value.dims, first.dims))) return undefined;
  const { length } = first;
  const rows = new Float64Array(values.length * length);
  for (let i = 0; i < values.length; i++) rows.set((values[i] as Tensor).data, i * length);
  return tensorColumn(rows, first.dims);
};
