/**
 * Functions of tensors, and of numbers that become tensors, for executions side by side. Each is computed for the numbers of
 * all executions at once, and each number as it is computed alone, to the last bit. All other functions of tensors are
 * called for one execution after the other.
 */
import type { Fn } from '../../algebra/domain.ts';
import type { Names } from '../../algebra/library.ts';
import { combinedDims, isVectorShape } from '../../tensor/broadcast.ts';
import { type Shape, sameShape, sizeOf } from '../../tensor/shape.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { Column, column, differs, isDiffering, isNumeric, isTruth } from './column.ts';
import { ofEntriesNamed, softmaxOfEntries } from './entry-functions.ts';
import { currentGroup } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import { elementwise } from './kernels.ts';
import { ACTIVATIONS, entriesOf } from './layer-operations.ts';
import {
  columnOfTensor,
  dimsOf,
  type Entry,
  onTable,
  rowsOf,
  TensorColumn,
  tensorColumn,
  tensorOfColumns,
} from './tensor-column.ts';

/** The result of a function for all executions; undefined if it has to be called for each. */
type OfAll = (plain: Fn, args: readonly unknown[]) => unknown;

/** A tensor with an axis more: the executions. */
const stacked = (rows: Float64Array, dims: Shape): Tensor => new Tensor([currentGroup().size, ...dims], rows);

/** A function of each entry by itself. */
const ofEntries: OfAll = (plain, [tensor, ...rest]) => {
  if (!(tensor instanceof TensorColumn) || rest.length > 0) return undefined;
  return tensorColumn((plain(stacked(tensor.rows, tensor.dims)) as Tensor).data, tensor.dims);
};

/** The numbers of an operand as a tensor of these dims has them. */
function operandRows(operand: unknown, dims: Shape): Float64Array | undefined {
  const own = dimsOf(operand);
  if (own !== undefined) return sameShape(own, dims) || haveOrder(own, dims) ? rowsOf(operand) : undefined;
  if (typeof operand !== 'number' && !(operand instanceof Column && !operand.isTruth)) return undefined;
  const { size } = currentGroup();
  const length = sizeOf(dims);
  if (typeof operand === 'number') return new Float64Array(size * length).fill(operand);
  const result = new Float64Array(size * length);
  const { data } = operand;
  for (let lane = 0; lane < size; lane++) result.fill(data[lane], lane * length, (lane + 1) * length);
  return result;
}

/** Vectors of one length correspond whether their dims are [n] or [n, 1]. */
const haveOrder = (a: Shape, b: Shape): boolean => isVectorShape(a) && isVectorShape(b) && sizeOf(a) === sizeOf(b);

/** A function of entries of two operands that correspond. */
const ofPairs: OfAll = (plain, [a, b, ...rest]) => {
  const dims = dimsOf(a);
  if (dims === undefined || rest.length > 0) return undefined;
  const others = dimsOf(b);
  const result = others === undefined ? dims : combinedDims(dims, others);
  if (result === null || !sameShape(result, dims)) return undefined;
  const left = rowsOf(a)!;
  const right = operandRows(b, dims);
  if (right === undefined) return undefined;
  const flat = [left.length];
  return tensorColumn((plain(new Tensor(flat, left), new Tensor(flat, right)) as Tensor).data, dims);
};

const isPlace = (value: unknown, length: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < length;

/** `T.get`; each execution may ask for another entry. */
const entryAt: OfAll = (_, [tensor, index]) => {
  const length = dimsOf(tensor) === undefined ? 0 : (tensor as Tensor).length;
  if (tensor instanceof TensorColumn && isPlace(index, length)) return tensor.entry(index);
  if (!(index instanceof Column) || index.isTruth || length === 0) return undefined;
  const { data } = index;
  const result = new Float64Array(data.length);
  const numbers = tensor instanceof TensorColumn ? tensor.rows : (tensor as Tensor).data;
  const step = tensor instanceof TensorColumn ? length : 0;
  for (let lane = 0; lane < data.length; lane++) {
    if (!isPlace(data[lane], length)) return undefined;
    result[lane] = numbers[lane * step + data[lane]];
  }
  return column(Doubles.of(result));
};

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && !isDiffering(value);

/** A tensor of the numbers in a list. */
const fromNumbers =
  (dims: (length: number) => Shape): OfAll =>
  (_, [items]) => {
    if (!isList(items) || !items.every(isNumeric)) return undefined;
    return tensorOfColumns(items.map(asEntry), dims(items.length));
  };

/** Truth values are numbers in a tensor. */
function asEntry(item: number | boolean | Column): Entry {
  if (!isTruth(item)) return item as Entry;
  return item instanceof Column
    ? columnOfTensor(elementwise('add', item.numbers.length, item.numbers, 0))
    : Number(item);
}

/** `Matrix([row, row, …])`. */
const fromRows: OfAll = (plain, [rows]) => {
  if (!isList(rows) || !rows.every(isList) || rows.length === 0) return undefined;
  const width = rows[0].length;
  if (!rows.every((row) => row.length === width)) return undefined;
  return fromNumbers(() => [rows.length, width])(plain, [rows.flat()]);
};

/** `Tensor(dims, numbers)`. */
const ofDims: OfAll = (plain, [dims, items]) => {
  if (differs(dims) || !isList(items)) return undefined;
  // The constructor has the message for wrong dims or a wrong number of entries.
  const made = plain(dims, new Array(items.length).fill(0)) as Tensor;
  return fromNumbers(() => made.dims)(plain, [items]);
};

/** The numbers of each execution from one index to another. */
function slice(tensor: TensorColumn, from: number, to: number): Float64Array {
  const { size } = currentGroup();
  const { rows, length } = tensor;
  const width = to - from;
  const result = new Float64Array(size * width);
  for (let lane = 0; lane < size; lane++) {
    result.set(rows.subarray(lane * length + from, lane * length + to), lane * width);
  }
  return result;
}

const range: OfAll = (plain, [tensor, from, to]) => {
  if (!(tensor instanceof TensorColumn) || differs(from) || differs(to)) return undefined;
  const { dims } = plain(new Tensor([tensor.length], new Float64Array(tensor.length)), from, to) as Tensor;
  if (tensor.hasColumns) return tensorOfColumns(tensor.columns.slice(from as number, to as number), dims);
  return tensorColumn(slice(tensor, from as number, to as number), dims);
};

const split: OfAll = (plain, [tensor, lengths]) => {
  if (!(tensor instanceof TensorColumn) || differs(lengths)) return undefined;
  const parts = plain(new Tensor([tensor.length], new Float64Array(tensor.length)), lengths) as Tensor[];
  let at = 0;
  return parts.map(({ dims, length }) => {
    at += length;
    if (tensor.hasColumns) return tensorOfColumns(tensor.columns.slice(at - length, at), dims);
    return tensorColumn(slice(tensor, at - length, at), dims);
  });
};

/** One tensor after the other. */
function joined(parts: readonly unknown[], dims: (length: number) => Shape): unknown {
  if (parts.length === 0 || !parts.every((part) => dimsOf(part) !== undefined)) return undefined;
  const { size } = currentGroup();
  const lengths = parts.map((part) => (part as Tensor).length);
  const total = lengths.reduce((sum, n) => sum + n, 0);
  if (parts.every((part) => !(part instanceof TensorColumn) || part.hasColumns))
    return tensorOfColumns((parts as readonly (TensorColumn | Tensor)[]).flatMap(entriesOf), dims(total));
  const result = new Float64Array(size * total);
  let from = 0;
  parts.forEach((part, k) => {
    const length = lengths[k];
    const differing = part instanceof TensorColumn;
    const numbers = differing ? part.rows : (part as Tensor).data;
    for (let lane = 0; lane < size; lane++) {
      const start = differing ? lane * length : 0;
      for (let i = 0; i < length; i++) result[lane * total + from + i] = numbers[start + i];
    }
    from += length;
  });
  return tensorColumn(result, dims(total));
}

/** The same numbers with the dims that the function gives them. */
const rearranged: OfAll = (plain, [tensor, ...rest]) => {
  if (!(tensor instanceof TensorColumn) || rest.some(differs)) return undefined;
  const { dims } = plain(new Tensor(tensor.dims, new Float64Array(tensor.length)), ...rest) as Tensor;
  if (tensor.hasColumns) return tensorOfColumns(tensor.columns, dims);
  return tensorColumn(tensor.rows, dims);
};

/** A function of the tensor of each execution, whose results have the dims of the first. */
const ofRows: OfAll = (plain, [tensor, ...rest]) => {
  if (!(tensor instanceof TensorColumn) || rest.length > 0) return undefined;
  const { size } = currentGroup();
  const { rows, length, dims } = tensor;
  let result: Float64Array | undefined;
  let made: Tensor | undefined;
  for (let lane = 0; lane < size; lane++) {
    made = plain(new Tensor(dims, rows.subarray(lane * length, (lane + 1) * length))) as Tensor;
    result ??= new Float64Array(size * made.length);
    result.set(made.data, lane * made.length);
  }
  return made === undefined ? undefined : tensorColumn(result!, made.dims);
};

/** Rows and columns; [n] counts as one column. */
function matrixShape(value: unknown): readonly [number, number] | undefined {
  const dims = dimsOf(value);
  if (dims === undefined || dims.length > 2) return undefined;
  return [dims[0], dims[1] ?? 1];
}

/** `T.dot`, with sums in the order that they have alone. */
const dot: OfAll = (_, [a, b]) => {
  const [left, right] = [matrixShape(a), matrixShape(b)];
  if (left === undefined || right === undefined || left[1] !== right[0]) return undefined;
  const [height, inner] = left;
  const [, width] = right;
  const { size } = currentGroup();
  const result = new Float64Array(size * height * width);
  const [x, y] = [a, b].map((value) => (value instanceof TensorColumn ? value.rows : (value as Tensor).data));
  const [stepX, stepY] = [a, b].map((value) => (value instanceof TensorColumn ? value.length : 0));
  for (let lane = 0, to = 0; lane < size; lane++) {
    for (let i = 0; i < height; i++, to += width) {
      for (let k = 0; k < inner; k++) {
        const factor = x[lane * stepX + i * inner + k];
        const from = lane * stepY + k * width;
        for (let j = 0; j < width; j++) result[to + j] += factor * y[from + j];
      }
    }
  }
  return tensorColumn(result, [height, width]);
};

/** A number of the tensor of each execution. */
const toNumber: OfAll = (plain, [tensor, ...rest]) => {
  if (!(tensor instanceof TensorColumn) || rest.length > 0) return undefined;
  const { rows, length, dims } = tensor;
  const result = new Float64Array(currentGroup().size);
  for (let lane = 0; lane < result.length; lane++) {
    result[lane] = plain(new Tensor(dims, rows.subarray(lane * length, (lane + 1) * length))) as number;
  }
  return column(Doubles.of(result));
};

/** A function of a number, of each entry of a tensor, or of each item of a list. */
const activation =
  (name: keyof typeof ACTIVATIONS, ofColumns = ofEntriesNamed(name)!): OfAll =>
  (plain, args) => {
    const [x, ...rest] = args;
    if (rest.length > 0) return undefined;
    if (x instanceof Column && !x.isTruth) return column(ACTIVATIONS[name](x.numbers));
    if (isList(x) && x.every((item) => isNumeric(item) && !isTruth(item))) {
      return x.map((item) => (typeof item === 'number' ? plain(item) : activation(name)(plain, [item])));
    }
    return ofColumns(args) ?? ofEntries(plain, args);
  };

/** The softmax of a vector, and of more numbers behind it; a list of numbers stays one. */
const onSimplex =
  (...more: readonly number[]): OfAll =>
  (plain, args) => {
    const [x, ...rest] = args;
    if (rest.length > 0) return undefined;
    if (isList(x)) {
      if (!x.every((item) => isNumeric(item) && !isTruth(item))) return undefined;
      return softmaxOfEntries([...(x as readonly Entry[]), ...more]).map((numbers) => column(numbers));
    }
    const { hasColumns, columns, dims } = x as TensorColumn;
    if (hasColumns !== true || !(more.length === 0 || isVectorShape(dims))) return ofRows(plain, args);
    const made = softmaxOfEntries([...columns, ...more]).map(columnOfTensor);
    return tensorOfColumns(made, more.length === 0 ? dims : asVector(made.length));
  };

/** `oneHot(k, n)`. */
const oneHot: OfAll = (plain, [k, n]) => {
  if (!(k instanceof Column) || k.isTruth || typeof n !== 'number') return undefined;
  const { data } = k;
  const { dims } = plain(0, n) as Tensor;
  const rows = new Float64Array(data.length * n);
  for (let lane = 0; lane < data.length; lane++) {
    if (!isPlace(data[lane], n)) return undefined;
    rows[lane * n + data[lane]] = 1;
  }
  return tensorColumn(rows, dims);
};

const asVector = (length: number): Shape => [length, 1];
const asRow = (length: number): Shape => [length];

const UNARY =
  'neg floor ceil round sqrt exp log abs sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid logGamma isNaN isFinite';
const BINARY = 'add sub mul div pow min max atan2';

const all = (names: string, of: OfAll): Record<string, OfAll> =>
  Object.fromEntries(names.split(' ').map((name) => [name, of]));

/** By columns where tensors have them. */
const byColumns = (table: Readonly<Record<string, OfAll>>): Record<string, OfAll> =>
  Object.fromEntries(
    Object.entries(table).map(([name, ofAll]): [string, OfAll] => {
      const ofColumns = ofEntriesNamed(name);
      return [name, ofColumns === undefined ? ofAll : (plain, args) => ofColumns(args) ?? ofAll(plain, args)];
    }),
  );

/** Functions of `T`. */
const OF_T: Readonly<Record<string, OfAll>> = byColumns({
  ...all(UNARY, ofEntries),
  ...all(BINARY, ofPairs),
  get: entryAt,
  toScalars: (_, [tensor]) => (tensor instanceof TensorColumn ? [...tensor.data] : undefined),
  fromScalars: fromNumbers(asRow),
  range,
  split,
  concat: (_, parts) => joined(parts.flat(), asRow),
  reshape: rearranged,
  dot,
  softmax: ofRows,
  transpose: ofRows,
  diagonal: ofRows,
  inverse: ofRows,
  cholesky: ofRows,
  sumreduce: toNumber,
  determinant: toNumber,
});

/** Functions of the library. */
const OF_LIBRARY: Readonly<Record<string, OfAll>> = {
  // (What the library and the engine compute of a number are the same bits.)
  sigmoid: activation('sigmoid'),
  softplus: activation('softplus'),
  tanh: activation('tanh'),
  relu: activation('relu'),
  softmax: onSimplex(),
  ...all('squishToProbSimplex simplex', onSimplex(0)),
  ...all('oneHot oneOfK', oneHot),
  Vector: fromNumbers(asVector),
  Matrix: fromRows,
  Tensor: ofDims,
  concat: (_, [parts]) =>
    isList(parts) && parts.every((part) => isVectorShape(dimsOf(part) ?? [0, 0])) ? joined(parts, asVector) : undefined,
  tensorToVector: rearranged,
  dims: (_, [tensor]) => (tensor instanceof TensorColumn ? [...tensor.dims] : undefined),
};

/** Those that tensors have as methods too, of themselves. */
const METHODS = new Set(
  `${UNARY} ${BINARY} reshape dot softmax transpose diagonal inverse cholesky sumreduce determinant`.split(' '),
);

const known = new WeakMap<Fn, OfAll>();
let functions: Names = {};

/** Notes which functions of a library these are. */
export function knowTensorFunctions(library: Names): void {
  const note = (names: Names | undefined, table: Readonly<Record<string, OfAll>>): void => {
    for (const name in table) if (typeof names?.[name] === 'function') known.set(names[name] as Fn, table[name]);
  };
  note(library, OF_LIBRARY);
  functions = (library.T ?? functions) as Names;
  note(functions, OF_T);
}

/** The function of `T` that a method of tensors is, if it is known here. */
export const methodOfTensors = (key: unknown): Fn | undefined =>
  typeof key === 'string' && METHODS.has(key) ? (functions[key] as Fn) : undefined;

/** What a function gives of tensors, or numbers, that differ; undefined if it has to be called for each execution. */
export function ofTensors(fn: Fn, args: readonly unknown[]): { readonly value: unknown } | undefined {
  const ofAll = known.get(fn);
  if (ofAll === undefined || !args.some(differs)) return undefined;
  // (Reading one entry is faster than using a table.)
  const found = ofAll === entryAt ? undefined : onTable(args, (rows) => ofAll(fn, rows));
  const value = found === undefined ? ofAll(fn, args) : found.value;
  return value === undefined ? undefined : { value };
}
