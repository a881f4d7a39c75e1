/**
 * Tensors that differ between executions side by side: one block of numbers with a row for each execution, or a column for each
 * entry, as networks make and read them. Programs read fields and entries of them as of any tensor.
 */

import { during } from '../../runtime/machine.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { type Shape, sameShape, sizeOf } from '../../tensor/shape.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { Column, column, differs, tensorLists, truths } from './column.ts';
import { Differing } from './differing.ts';
import { current, currentGroup, type Group, SideBySide } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import { meter } from './meter.ts';

/** Which row of a table each execution has, where few different tensors are kept as one. */
class RowPlaces {
  private below: Group | null = null;
  private belowPlaces: Int32Array | null = null;

  constructor(
    private own: Int32Array,
    private group: Group,
    /** How many rows there are. */
    readonly count: number,
  ) {}

  /** The places of the executions of the current group. */
  get here(): Int32Array {
    const { passage } = this.group;
    if (passage !== null) {
      this.own = gathered(this.own, passage.map.array);
      this.group = passage.group;
      this.below = null;
    }
    const group = currentGroup();
    if (group === this.group) return this.own;
    if (this.below !== group) {
      this.belowPlaces = gathered(this.own, group.placesIn(this.group).array);
      this.below = group;
    }
    return this.belowPlaces!;
  }
}

const gathered = (places: Int32Array, map: Int32Array): Int32Array => map.map((place) => places[place]);

/** One of the columns that an operation on tensors gives, which is counted once for all of them. */
export function columnOfTensor(numbers: Doubles): Column {
  return new Column(numbers, currentGroup(), false, null, false);
}

/** An entry of a tensor: a number for each execution, or the same for all. */
export type Entry = Column | number;

export class TensorColumn extends Differing {
  /** How many numbers each execution has. */
  readonly length: number;
  /** The numbers of the group that last asked for them. */
  private below: Group | null = null;
  private belowRows: Float64Array | null = null;

  constructor(
    private own: Float64Array,
    private group: Group,
    /** The dims of the tensor of one execution. */
    readonly dims: Shape,
    /** Where rows are those of a table. */
    readonly places: RowPlaces | null = null,
    /** The column of each entry, or the number that it is for all executions. Rows are made of them when they are asked for. */
    private readonly ofEntries: readonly Entry[] | null = null,
  ) {
    super();
    this.length = sizeOf(dims);
  }

  /** The column of each entry, where there are columns and no rows. */
  protected get entries(): readonly Entry[] | null {
    return this.ofEntries;
  }

  /** Whether there is a column for each entry, and no rows. */
  get hasColumns(): boolean {
    return this.ofEntries !== null;
  }

  get rank(): number {
    return this.dims.length;
  }

  /** The dims, under the name that networks and the graph use. */
  get shape(): Shape {
    return this.dims;
  }

  /** The rows of the table. */
  get table(): Float64Array {
    return this.own;
  }

  /** The numbers of the current group, one execution after the other. Not to be changed. */
  get rows(): Float64Array {
    const { places, entries } = this;
    const group = currentGroup();
    if (entries !== null) {
      if (this.below !== group) this.belowRows = rowsOfEntries(entries);
      this.below = group;
      return this.belowRows!;
    }
    if (places !== null) {
      if (this.below !== group) this.belowRows = gatherRows(this.own, places.here, this.length);
      this.below = group;
      return this.belowRows!;
    }
    const { passage } = this.group;
    if (passage !== null) {
      this.own = gatherRows(this.own, passage.map.array, this.length);
      this.group = passage.group;
      this.below = null;
    }
    if (group === this.group) return this.own;
    if (this.below !== group) {
      this.belowRows = gatherRows(this.own, group.placesIn(this.group).array, this.length);
      this.below = group;
    }
    return this.belowRows!;
  }

  /** The tensor of one execution, by its place in the current group. */
  at(lane: number): Tensor {
    const { length, places } = this;
    const row = places === null ? lane : places.here[lane];
    const rows = places === null ? this.rows : this.own;
    return new Tensor(this.dims, rows.slice(row * length, (row + 1) * length));
  }

  /** The column of each entry, or its number. */
  get columns(): readonly Entry[] {
    return this.entries ?? Array.from({ length: this.length }, (_, i) => columnOfTensor(this.numbersAt(i)));
  }

  /** The entry with this index, counted row after row. */
  entry(index: number): Column {
    const { entries } = this;
    if (entries === null) return column(this.numbersAt(index));
    const { size } = currentGroup();
    meter.operation(size);
    const entry = entries[index];
    return entry instanceof Column ? entry : columnOfTensor(Doubles.filled(size, entry));
  }

  private numbersAt(index: number): Doubles {
    const { length, places } = this;
    const { size } = currentGroup();
    const result = new Float64Array(size);
    if (places !== null) {
      const { own } = this;
      const here = places.here;
      for (let lane = 0; lane < size; lane++) result[lane] = own[here[lane] * length + index];
    } else {
      const { rows } = this;
      for (let lane = 0, at = index; lane < size; lane++, at += length) result[lane] = rows[at];
    }
    return Doubles.of(result);
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

/** The numbers of the current group, one execution after the other. */
function rowsOfEntries(entries: readonly Entry[]): Float64Array {
  const { size } = currentGroup();
  const { length } = entries;
  const rows = new Float64Array(size * length);
  entries.forEach((entry, k) => {
    if (typeof entry === 'number') for (let at = k; at < rows.length; at += length) rows[at] = entry;
    else {
      const { data } = entry;
      for (let lane = 0, at = k; lane < size; lane++, at += length) rows[at] = data[lane];
    }
  });
  return rows;
}

/** Rows of so many numbers at these places. */
function gatherRows(rows: Float64Array, places: Int32Array, length: number): Float64Array {
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

/** A tensor of the current group, from the column of each entry. */
export function tensorOfColumns(entries: readonly Entry[], dims: Shape): TensorColumn {
  return new TensorColumn(NO_ROWS, currentGroup(), dims, null, entries);
}

/** What tensors have in place of rows that have a column for each entry. */
export const NO_ROWS = new Float64Array(0);

/** The dims of a tensor, whether it differs or not; undefined for anything else. */
export const dimsOf = (value: unknown): Shape | undefined =>
  value instanceof TensorColumn || value instanceof Tensor ? value.dims : undefined;

/** The numbers of a value for the executions of the current group; undefined if it is no tensor. */
export function rowsOf(value: unknown): Float64Array | undefined {
  if (value instanceof TensorColumn) return value.rows;
  return value instanceof Tensor ? repeated(value.data, currentGroup().size) : undefined;
}

/** The same numbers so many times. */
function repeated(numbers: Float64Array, times: number): Float64Array {
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

const haveOneShape = (values: readonly unknown[]): values is readonly Tensor[] =>
  values.every((value) => value instanceof Tensor && sameShape(value.dims, (values[0] as Tensor).dims));

/** Tensors of one shape, one after the other. */
function inRows(tensors: readonly Tensor[]): Float64Array {
  const [{ length }] = tensors;
  const rows = new Float64Array(tensors.length * length);
  tensors.forEach((tensor, i) => {
    rows.set(tensor.data, i * length);
  });
  return rows;
}

tensorLists.join = (values) => (haveOneShape(values) ? tensorColumn(inRows(values), values[0].dims) : undefined);

/** From so many executions for each row of a table on, it pays. */
const WORTH_A_TABLE = 2;

/** One object for all tensors with the same places, so that comparing these is `===`. */
const knownPlaces = new WeakMap<Int32Array, { readonly group: Group; readonly places: RowPlaces }>();

tensorLists.joinTable = (table, codes) => {
  if (table.length * WORTH_A_TABLE > codes.length || !haveOneShape(table)) return undefined;
  const group = currentGroup();
  let known = knownPlaces.get(codes);
  if (known?.group !== group) {
    known = { group, places: new RowPlaces(codes, group, table.length) };
    knownPlaces.set(codes, known);
  }
  return new TensorColumn(inRows(table), group, table[0].dims, known.places);
};

/** The places that all operands share which differ; undefined if some have others. */
function placesOfAll(args: readonly unknown[]): RowPlaces | undefined {
  let found: RowPlaces | undefined;
  for (const arg of args) {
    const places = arg instanceof TensorColumn ? arg.places : null;
    if (places === null ? differs(arg) : found !== undefined && places !== found) return undefined;
    found ??= places ?? undefined;
  }
  return found;
}

/** Runs `work` once for each row of a table, if the tensors are all rows of tables with the same places; undefined if not. */
export function onTable(args: readonly unknown[], work: (args: unknown[]) => unknown): { value: unknown } | undefined {
  const places = placesOfAll(args);
  if (places === undefined) return undefined;
  const columns = new SideBySide(places.count, current.columns!.memory);
  const { group } = columns;
  const given = args.map((arg) => (arg instanceof TensorColumn ? new TensorColumn(arg.table, group, arg.dims) : arg));
  const rowsOfTable = during({ columns, sideBySide: columns }, () => takenOut(work(given)));
  return { value: putIn(rowsOfTable, places) };
}

/** Results for each row of a table, before they are copied to each execution. */
class OfTable {
  constructor(
    readonly numbers: Float64Array,
    /** Null for a number, and whether it is a truth value. */
    readonly dims: Shape | null,
    readonly isTruth = false,
  ) {}
}

function takenOut(value: unknown): unknown {
  if (value instanceof TensorColumn) return new OfTable(value.rows, value.dims);
  if (value instanceof Column) return new OfTable(value.data.slice(), null, value.isTruth);
  return Array.isArray(value) ? value.map(takenOut) : value;
}

function putIn(value: unknown, places: RowPlaces): unknown {
  if (Array.isArray(value)) return value.map((part) => putIn(part, places));
  if (!(value instanceof OfTable)) return value;
  const { numbers, dims, isTruth } = value;
  if (dims !== null) return new TensorColumn(numbers, currentGroup(), dims, places);
  const own = Doubles.of(Float64Array.from(places.here, (row) => numbers[row]));
  return isTruth ? truths(own) : column(own);
}
