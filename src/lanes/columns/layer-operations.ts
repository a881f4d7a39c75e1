/**
 * The operations that layers of networks are made of, for tensors that have a column for each entry: joining and dividing vectors is
 * free then, all else are kernels. Each number is computed as for one execution alone, to the last bit.
 */
import { type Shape, sameShape, sizeOf } from '../../tensor/shape.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { Column } from './column.ts';
import { elementary } from './elementary.ts';
import { currentGroup, type Group } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import { elementwise, type Operand, product } from './kernels.ts';
import { columnOfTensor, type Entry, NO_ROWS, TensorColumn, tensorOfColumns } from './tensor-column.ts';

/** The result for all executions; undefined if it is to be computed otherwise. */
export type OfColumns = (args: readonly unknown[]) => unknown;

/** The most entries, and the most numbers in all columns of a product, for which there are columns: others have rows. */
const MOST_ENTRIES = 1024;
const MOST_NUMBERS = 2 ** 23;

const isSmall = (entries: number): boolean =>
  entries <= MOST_ENTRIES && entries * currentGroup().size <= MOST_NUMBERS && entries > 0;

export const numbersOf = (entry: Entry): Operand => (entry instanceof Column ? entry.numbers : entry);
const doublesOf = (entry: Entry): Doubles =>
  entry instanceof Column ? entry.numbers : Doubles.filled(currentGroup().size, entry);

/** Tensors as kernels take them: those of networks are used many times. */
const inKernels = new WeakMap<Tensor, Doubles>();

function numbersOfTensor(tensor: Tensor): Doubles {
  let numbers = inKernels.get(tensor);
  if (numbers === undefined) {
    numbers = Doubles.of(tensor.data);
    inKernels.set(tensor, numbers);
  }
  return numbers;
}

/** Made by layers since `inLayers` began; null outside of it. */
let passing: Doubles[] | null = null;

/** A column that an operation gives. */
function madeColumn(numbers: Doubles): Column {
  passing?.push(numbers);
  return columnOfTensor(numbers);
}

/** One matrix times a vector of each execution, plus a vector, computed when it is known what is done with it. */
class Product extends TensorColumn {
  private made: readonly Column[] | null = null;

  constructor(
    readonly matrix: Tensor,
    readonly vector: TensorColumn,
    readonly added: Tensor | null,
    private readonly madeFor: Group = currentGroup(),
  ) {
    super(NO_ROWS, madeFor, [matrix.dims[0], 1]);
  }

  /** Whether nothing has asked for its numbers. */
  get isPending(): boolean {
    return this.made === null;
  }

  /** The numbers of the current group, computed anew. */
  get fresh(): Doubles[] {
    const { matrix, vector, added } = this;
    const last = added === null ? Doubles.of(new Float64Array(this.length)) : numbersOfTensor(added);
    return product(numbersOfTensor(matrix), vector.columns.map(doublesOf), last);
  }

  override get hasColumns(): boolean {
    return true;
  }

  protected override get entries(): readonly Entry[] {
    if (this.made !== null) return this.made;
    const made = this.fresh.map(madeColumn);
    if (currentGroup() === this.madeFor) this.made = made;
    return made;
  }
}

/** One matrix times a vector of each execution. */
const matmul: OfColumns = ([matrix, vector, ...flags]) => {
  if (!(matrix instanceof Tensor && vector instanceof TensorColumn) || flags.length > 0) return undefined;
  const [rows, width] = matrix.dims;
  const fits = matrix.dims.length === 2 && sameShape(vector.dims, [width, 1]);
  return fits && isSmall(width) && isSmall(rows) ? new Product(matrix, vector, null) : undefined;
};

/** A product that nothing has been added to, plus a vector that is the same for all. */
const shifted: OfColumns = ([a, b]) => {
  if (!(a instanceof Product && b instanceof Tensor) || a.added !== null || !a.isPending) return undefined;
  return sameShape(a.dims, b.dims) ? new Product(a.matrix, a.vector, b) : undefined;
};

/** The entries of an operand of a tensor of these dims: each corresponds to one, or is the same for all. */
function entriesFor(operand: unknown, dims: Shape): ((index: number) => Entry) | undefined {
  if (operand instanceof TensorColumn) {
    if (!sameShape(operand.dims, dims)) return undefined;
    const { columns } = operand;
    return (index) => columns[index];
  }
  if (operand instanceof Tensor) return sameShape(operand.dims, dims) ? (index) => operand.data[index] : undefined;
  const isNumber = typeof operand === 'number' || (operand instanceof Column && !operand.isTruth);
  return isNumber ? () => operand : undefined;
}

/** A kernel of two numbers, entry by entry. */
const ofPairs =
  (kernel: string): OfColumns =>
  ([a, b]) => {
    const { dims } = (a instanceof TensorColumn ? a : b) as Partial<TensorColumn>;
    if (dims === undefined || !isSmall(sizeOf(dims))) return undefined;
    const [left, right] = [entriesFor(a, dims), entriesFor(b, dims)];
    if (left === undefined || right === undefined) return undefined;
    const { size } = currentGroup();
    const made = Array.from({ length: sizeOf(dims) }, (_, i) =>
      madeColumn(elementwise(kernel, size, numbersOf(left(i)), numbersOf(right(i)))),
    );
    return tensorOfColumns(made, dims);
  };

const sum = ofPairs('add');

/** A function of numbers, which writes the results over others if these are given. */
type OfNumbers = (numbers: Doubles, into?: Doubles) => Doubles;

/** The activations that are kernels, by the engine's names. */
export const ACTIVATIONS: Readonly<Record<'tanh' | 'sigmoid' | 'softplus' | 'relu', OfNumbers>> = {
  tanh: (x, into) => elementary('tanh', x, into),
  sigmoid: (x, into) => elementary('sigmoid', x, into),
  softplus: (x, into) => elementary('softplus', x, into),
  relu: (x, into) => elementwise('max', x.length, x, 0, undefined, undefined, into),
};

const negative: OfNumbers = (x, into) => elementwise('neg', x.length, x, undefined, undefined, undefined, into);

/** An operation on each entry. */
export const ofEntries =
  (each: OfNumbers): OfColumns =>
  ([tensor, ...others]) => {
    if (!(tensor instanceof TensorColumn) || others.length > 0 || !isSmall(tensor.length)) return undefined;
    const made =
      tensor instanceof Product && tensor.isPending
        ? tensor.fresh.map((numbers) => each(numbers, numbers))
        : tensor.columns.map((entry) => each(doublesOf(entry)));
    return tensorOfColumns(made.map(madeColumn), tensor.dims);
  };

const hasEntries = (value: unknown): value is TensorColumn | Tensor =>
  value instanceof TensorColumn || value instanceof Tensor;

/** The column, or number, of each entry. */
export const entriesOf = (value: TensorColumn | Tensor): readonly Entry[] =>
  value instanceof TensorColumn ? value.columns : Array.from(value.data);

const reshape: OfColumns = ([tensor, dims]) => {
  if (!(tensor instanceof TensorColumn) || sizeOf(dims as Shape) !== tensor.length || !isSmall(tensor.length))
    return undefined;
  return tensorOfColumns(tensor.columns, dims as Shape);
};

/** One tensor after the other, along the first axis. */
const concat: OfColumns = ([parts, ...others]) => {
  const values = parts as readonly unknown[];
  if (others.length > 0 || !values.every(hasEntries)) return undefined;
  const [first] = values;
  if (first.dims.length === 0 || !values.every(({ dims }) => sameShape(dims.slice(1), first.dims.slice(1))))
    return undefined;
  const length = values.reduce((sum, part) => sum + part.length, 0);
  if (!isSmall(length) || values.some((part) => part.length === 0)) return undefined;
  const total = values.reduce((sum, { dims }) => sum + dims[0], 0);
  return tensorOfColumns(values.flatMap(entriesOf), [total, ...first.dims.slice(1)]);
};

/** A vector of numbers. */
const stack: OfColumns = ([items, ...others]) => {
  const entries = items as readonly unknown[];
  const areNumbers = entries.every((item) => typeof item === 'number' || (item instanceof Column && !item.isTruth));
  if (others.length > 0 || !areNumbers || !isSmall(entries.length)) return undefined;
  return tensorOfColumns(entries as readonly Entry[], [entries.length]);
};

/** Parts of a vector. */
const split: OfColumns = ([tensor, lengths, ...others]) => {
  if (!(tensor instanceof TensorColumn) || others.length > 0 || !isSmall(tensor.length)) return undefined;
  const sizes = lengths as readonly number[];
  const [height, ...rest] = tensor.dims;
  const each = sizeOf(rest);
  if (sizes.reduce((sum, n) => sum + n, 0) !== height) return undefined;
  const { columns } = tensor;
  let from = 0;
  return sizes.map((n) => {
    const part = tensorOfColumns(columns.slice(from * each, (from + n) * each), [n, ...rest]);
    from += n;
    return part;
  });
};

/** By the engine's names. */
export const LAYER_OPERATIONS: ReadonlyMap<string, OfColumns> = new Map([
  ['matmul', matmul],
  ['add', (args: readonly unknown[]) => shifted(args) ?? sum(args)],
  ...['sub', 'mul', 'div'].map((name) => [name, ofPairs(name)] as const),
  ...Object.entries({ ...ACTIVATIONS, neg: negative }).map(([name, each]) => [name, ofEntries(each)] as const),
  ['reshape', reshape],
  ['concat', concat],
  ['stack', stack],
  ['split', split],
]);

/** Runs a network; what its layers made, and its result does not consist of, gives its room to others. */
export function inLayers<R>(work: () => R): R {
  const outer = passing;
  passing = [];
  try {
    const result = work();
    if (result instanceof TensorColumn) {
      const kept = new Set(result.columns.map(numbersOf));
      for (const numbers of passing) if (!kept.has(numbers)) numbers.release();
    }
    return result;
  } finally {
    passing = outer;
  }
}
