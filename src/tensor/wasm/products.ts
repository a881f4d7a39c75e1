/** Which routine computes a matrix product. */
import { systemBlas } from '../blas.ts';
import { blasAllowed } from '../devices.ts';
import { type Accelerated, inOrder } from './accelerator.ts';
import { blasProductAt } from './blas-products.ts';
import type { WasmDevice } from './device.ts';
import type { ExportedFunction } from './host.ts';
import { type Part, partsOf } from './parts.ts';
import { type Matrix, sparseProductAt } from './sparse-products.ts';
import { callWith, type Job, PRODUCTS } from './threads.ts';

/** Below this many multiplications, a call of BLAS from JavaScript costs more than it saves. */
const BLAS_FROM = 32_000;
/** Below these, packing costs more than it saves: where rows of B are contiguous, and where its columns are. */
const PACK_FROM = 12_000;
const PACK_COLUMNS_FROM = 2_000;
const PACK_SIDES_FROM = 6;
/** From this many multiplications on, threads pay. */
const SHARE_FROM = 1_000_000;
/** More than one, so that a thread that is interrupted does not hold up the others for long. */
const PIECES_PER_THREAD = 2;

/** A matrix to be multiplied, stored as its transpose or not. */
interface Factor {
  readonly address: number;
  readonly transposed: boolean;
  /** Whether it may have many zeros, as data and draws of coins do. */
  readonly mayBeSparse: boolean;
}

/** Prepares C = A · B at fixed addresses, where A is m × k. */
export function productAt(
  device: WasmDevice,
  dtype: 'f64' | 'f32',
  [m, n, k]: readonly [number, number, number],
  a: Factor,
  b: Factor,
  c: number,
): Accelerated {
  const dense = denseProductAt(device, dtype, m, n, k, a.address, a.transposed, b.address, b.transposed, c);
  if (dtype === 'f64') return dense;
  const hasBlas = blasAllowed() && systemBlas() !== null;
  const left = storedAs(a, m, k);
  const right = storedAs(b, k, n);
  let product: Accelerated | null = null;
  if (a.mayBeSparse) {
    const other = { ...right, transposed: b.transposed };
    product = sparseProductAt(device, left, a.transposed, other, { address: c, transposed: false }, dense, hasBlas);
  } else if (b.mayBeSparse) {
    // The transpose of the product is that of the transposes.
    const other = { ...left, transposed: !a.transposed };
    product = sparseProductAt(device, right, !b.transposed, other, { address: c, transposed: true }, dense, hasBlas);
  }
  return product ?? dense;
}

/** A factor of so many rows and columns as it is in memory. */
function storedAs({ address, transposed }: Factor, rows: number, columns: number): Matrix {
  return transposed ? { address, rows: columns, columns: rows } : { address, rows, columns };
}

/** A product by a routine of WebAssembly: the arguments for some of the rows and columns of the result. */
interface Routed {
  readonly name: Routine;
  readonly routine: number;
  readonly run: ExportedFunction;
  readonly part: (part: Part) => readonly number[];
}

type Product = Parameters<typeof routed>;

/** The routine and its arguments for a whole product; null if it is none of WebAssembly. */
export function productCall(
  ...product: Product
): { readonly run: ExportedFunction; readonly given: readonly number[] } | null {
  const [, , m, n, k] = product;
  if (m * n * k >= BLAS_FROM && blasAllowed() && systemBlas() !== null) return null;
  const { run, part, name } = routed(...product);
  const given = part({ row: 0, rows: m, column: 0, columns: n });
  return { run, given: name === 'packed' ? [...given, product[0].workspace] : given };
}

function denseProductAt(...product: Product): Accelerated {
  const [device, dtype, m, n, k, a, transposedA, b, transposedB, c] = product;
  const work = m * n * k;
  const blas = work >= BLAS_FROM && blasAllowed() ? systemBlas() : null;
  if (blas !== null) {
    const transposeA = isTransposed(transposedA, m, k);
    const transposeB = n === 1 ? !transposeA : transposedB && k > 1;
    return blasProductAt(device, blas, dtype, m, n, k, a, transposeA, b, transposeB, c);
  }
  const { name, routine, run, part } = routed(...product);
  const { threads, workspace } = device;
  if (threads !== null && threads.count > 1 && work >= SHARE_FROM) {
    const pieces = partsOf(m, n, name === 'packed', threads.count * PIECES_PER_THREAD).map(part);
    const job: Job = { module: PRODUCTS, export: routine, run, pieces };
    if (pieces.length > 1) return () => threads.run(job);
  }
  const whole = part({ row: 0, rows: m, column: 0, columns: n });
  const given = name === 'packed' ? [...whole, workspace] : whole;
  return inOrder([[run, ...given]], () => void callWith(run, whole, workspace));
}

/** A vector is its own transpose in memory, so we may choose what suits the routines. */
const isTransposed = (transposed: boolean, rows: number, columns: number): boolean =>
  transposed && rows > 1 && columns > 1;

function routed(
  device: WasmDevice,
  dtype: 'f64' | 'f32',
  m: number,
  n: number,
  k: number,
  a: number,
  transposedA: boolean,
  b: number,
  transposedB: boolean,
  c: number,
): Routed {
  const work = m * n * k;
  const transposeA = isTransposed(transposedA, m, k);
  const transposeB = n === 1 ? !transposeA : transposedB && k > 1;
  const bytes = dtype === 'f64' ? 8 : 4;
  const name = routineFor(work, m, n, transposeA, transposeB);
  const routine = ROUTINES.indexOf(name) + (dtype === 'f64' ? 0 : ROUTINES.length);
  const run = device.products[`${name}_${dtype}`];
  const rowA = transposeA ? bytes : k * bytes;
  const columnA = transposeA ? m * bytes : bytes;
  const rowB = transposeB ? bytes : n * bytes;
  const columnB = transposeB ? k * bytes : bytes;
  const rowC = n * bytes;
  /** The arguments for some of the rows and columns of the result. */
  const part = ({ row, rows, column, columns }: Part): readonly number[] => {
    const fromA = a + row * rowA;
    const fromB = b + column * columnB;
    const to = c + row * rowC + column * bytes;
    if (name === 'rows') return [rows, n, k, fromA, rowA, columnA, b, rowB, to];
    if (name === 'dots') return [rows, n, k, fromA, rowA, b, columnB, to];
    return [rows, columns, k, fromA, rowA, columnA, fromB, rowB, columnB, to, rowC];
  };
  return { name, routine, run, part };
}

/** The exports of the module of products, for float64 and then for float32. */
const ROUTINES = ['packed', 'rows', 'dots'] as const;
type Routine = (typeof ROUTINES)[number];

function routineFor(work: number, m: number, n: number, transposeA: boolean, transposeB: boolean): Routine {
  const flat = m < PACK_SIDES_FROM || n < PACK_SIDES_FROM;
  if (!transposeB) return flat || work < PACK_FROM ? 'rows' : 'packed';
  return !transposeA && (flat || work < PACK_COLUMNS_FROM) ? 'dots' : 'packed';
}
