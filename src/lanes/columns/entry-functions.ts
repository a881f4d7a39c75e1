/**
 * Functions of `T`, and of lists of numbers, for tensors that have a column for each entry, as layers of networks give them and vectors of choices
 * are: kernels compute them column by column, in the order in which one execution alone does, and rows are not made. Undefined where
 * `tensor-functions.ts` has to do it with rows.
 */
import { Tensor } from '../../tensor/tensor.ts';
import { type Column, column } from './column.ts';
import { elementary, isElementary } from './elementary.ts';
import { currentGroup } from './group.ts';
import type { Doubles } from './kernel-memory.ts';
import { elementwise, type Operand } from './kernels.ts';
import { ACTIVATIONS, entriesOf, LAYER_OPERATIONS, numbersOf, type OfColumns, ofEntries } from './layer-operations.ts';
import { columnOfTensor, dimsOf, type Entry, TensorColumn, tensorOfColumns } from './tensor-column.ts';

/** Products of entries, in all, up to which there is a kernel for each. */
const MOST_PRODUCTS = 64;

const inColumns = (value: unknown): value is TensorColumn => value instanceof TensorColumn && value.hasColumns;

/** Where all tensors that differ have columns, and the first operand is a tensor. */
const whereColumns =
  (of: OfColumns): OfColumns =>
  (args) => {
    if (dimsOf(args[0]) === undefined || !args.some(inColumns)) return undefined;
    return args.every((arg) => !(arg instanceof TensorColumn) || arg.hasColumns) ? of(args) : undefined;
  };

/** A kernel of numbers. */
const kernel = (name: string, a: Operand, b: Operand, into?: Doubles): Doubles =>
  elementwise(name, currentGroup().size, a, b, undefined, undefined, into);

/** 0 + a + b + …, from left to right. */
function total(terms: readonly Operand[]): Doubles {
  const sum = kernel('add', 0, terms[0]);
  for (const term of terms.slice(1)) kernel('add', sum, term, sum);
  return sum;
}

const sumOfEntries: OfColumns = ([tensor, ...others]) => {
  if (others.length > 0 || (tensor as TensorColumn).length === 0) return undefined;
  return column(total((tensor as TensorColumn).columns.map(numbersOf)));
};

/** The softmax of numbers. */
export function softmaxOfEntries(entries: readonly Entry[]): Doubles[] {
  const numbers = entries.map(numbersOf);
  const largest = kernel('max', -Infinity, numbers[0]);
  for (const more of numbers.slice(1)) kernel('max', largest, more, largest);
  const powers = numbers.map((each) => {
    const below = kernel('sub', each, largest);
    return elementary('exp', below, below);
  });
  const sum = total(powers);
  for (const power of powers) kernel('div', power, sum, power);
  for (const passing of [largest, sum]) passing.release();
  return powers;
}

const softmax: OfColumns = ([tensor, ...others]) => {
  const { columns, dims } = tensor as TensorColumn;
  return others.length > 0 || columns.length === 0
    ? undefined
    : tensorOfColumns(softmaxOfEntries(columns).map(columnOfTensor), dims);
};

const transpose: OfColumns = ([tensor, ...others]) => {
  const { columns, dims } = tensor as TensorColumn;
  if (others.length > 0 || dims.length > 2 || dims.length === 0) return undefined;
  const [height, width = 1] = dims;
  const turned = columns.map((_, at) => columns[(at % height) * width + Math.floor(at / height)]);
  return tensorOfColumns(turned, [width, height]);
};

/** Sums of a few products of entries; or a layer, where the matrix is the same for all executions. */
const dot: OfColumns = (args) => {
  const [a, b, ...others] = args as readonly [TensorColumn | Tensor, unknown];
  const [left, right] = [a.dims, dimsOf(b)];
  if (others.length > 0 || right === undefined || left.length > 2 || right.length > 2) return undefined;
  const [height, inner = 1] = left;
  const [below, width = 1] = right;
  if (inner !== below || height * inner * width === 0) return undefined;
  if (a instanceof Tensor && right.length === 2 && left.length === 2) {
    const layer = LAYER_OPERATIONS.get('matmul')!(args);
    if (layer !== undefined) return layer;
  }
  if (height * inner * width > MOST_PRODUCTS) return undefined;
  const [x, y] = [entriesOf(a), entriesOf(b as TensorColumn | Tensor)];
  const entry = (i: number, j: number): Column => {
    const products = Array.from({ length: inner }, (_, k) =>
      kernel('mul', numbersOf(x[i * inner + k]), numbersOf(y[k * width + j])),
    );
    const sum = total(products);
    for (const product of products) product.release();
    return columnOfTensor(sum);
  };
  const made = Array.from({ length: height * width }, (_, at) => entry(Math.floor(at / width), at % width));
  return tensorOfColumns(made, [height, width]);
};

const KERNELS: ReadonlySet<string> = new Set(['neg', 'abs', 'sqrt', 'floor', 'ceil']);

/** A function of numbers by its name in `T`. */
function ofEach(name: string): OfColumns | undefined {
  if (Object.hasOwn(ACTIVATIONS, name)) return ofEntries(ACTIVATIONS[name as keyof typeof ACTIVATIONS]);
  if (isElementary(name)) return ofEntries((x, into) => elementary(name, x, into));
  if (!KERNELS.has(name)) return undefined;
  return ofEntries((x, into) => elementwise(name, x.length, x, undefined, undefined, undefined, into));
}

/** In `T`, operations of two tensors have the names that layers have. */
const PAIRS: ReadonlySet<string> = new Set(['add', 'sub', 'mul', 'div']);

const OTHERS: Readonly<Record<string, OfColumns>> = { sumreduce: sumOfEntries, softmax, transpose, dot };

/** What a function of `T` gives; undefined if there are no columns for it. */
export function ofEntriesNamed(name: string): OfColumns | undefined {
  const of = PAIRS.has(name) ? LAYER_OPERATIONS.get(name) : (OTHERS[name] ?? ofEach(name));
  return of && whereColumns(of);
}
