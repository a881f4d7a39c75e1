/**
 * Products with data of which most are 0 (pixels, counts of words) or with draws of coins, by adding up the rows whose factor is not 0.
 * Whether that is faster is found in each run, by counting.
 */
import { engineMode } from '../mode.ts';
import type { Accelerated } from './accelerator.ts';
import type { WasmDevice } from './device.ts';
import { WORK_BYTES } from './matmul.ts';
import { Place, WEIGHTED_ENTRY } from './sparse-lists.ts';
import { STRIP, STRIP_BYTES } from './sparse-rows.ts';

/** From this many multiplications on, a product's data are examined. */
const WORTH_A_LOOK = 200_000;
/** Elements that are not 0, at most one in so many, as it was measured to pay: with a BLAS for other products, and without. */
const ONE_IN_WITH_BLAS = 5;
const ONE_IN = 2;
/** Data that turned out to be dense are not looked at again for up to this many runs, more each time. */
const LONGEST_PAUSE = 1024;
/** From this many rows on, sums of neighbouring columns are used often enough to be made. */
const FOURS_FROM = 16;

/** A float32 matrix in memory, of so many rows and columns. */
export interface Matrix {
  readonly address: number;
  readonly rows: number;
  readonly columns: number;
}

/**
 * Prepares the product of a sparse matrix and a dense one at fixed addresses, or of their transposes, for when there are few
 * enough elements; `otherwise` is called when there are not. Null if it would never be done.
 *
 * result[t, …] = Σ over s of S[t, s] dense[s, …], where S is `sparse`, or its transpose if `turned`. The dense matrix
 * may be given as its transpose, and the result wanted as its transpose.
 */
export function sparseProductAt(
  device: WasmDevice,
  sparse: Matrix,
  turned: boolean,
  dense: Matrix & { readonly transposed: boolean },
  result: { readonly address: number; readonly transposed: boolean },
  otherwise: Accelerated,
  hasBlas: boolean,
): Accelerated | null {
  const { rows, columns } = sparse;
  const [targets, sources] = turned ? [columns, rows] : [rows, columns];
  const length = dense.transposed ? dense.rows : dense.columns;
  // BLAS computes narrow products sooner than elements can be counted.
  if (targets * sources * length < WORTH_A_LOOK || (hasBlas && length < STRIP)) return null;
  // Vectors are whole, and so are squares of them where something is turned.
  if (columns % 4 !== 0 || length % 4 !== 0 || sources % 4 !== 0 || targets % 4 !== 0) return null;
  const most = Math.floor((rows * columns) / (hasBlas ? ONE_IN_WITH_BLAS : ONE_IN));
  const { workspace } = device;
  const ends = workspace + (most + columns) * WEIGHTED_ENTRY;
  const otherEntries = ends + 4 * rows;
  const otherEnds = otherEntries + (turned ? (most + columns) * WEIGHTED_ENTRY : 0);
  const inFours = (count: number): number => (count / 4) * Place.COUNT;
  const room = Math.ceil((otherEnds + (turned ? 4 * inFours(columns) : 0)) / 16) * 16;
  const strip = room + 2 * STRIP_BYTES;
  const fits = (stripRows: number): boolean => strip + STRIP_BYTES * stripRows <= workspace + WORK_BYTES;
  if ((dense.transposed && result.transposed) || !fits(dense.transposed ? sources : result.transposed ? targets : 0))
    return null;
  const fours = rows >= FOURS_FROM && (turned || (!result.transposed && fits(inFours(sources))));
  const { product } = device.sparse;
  let pause = 0;
  let left = 0;
  return () => {
    if (left > 0 && !engineMode.bySize) {
      left--;
      otherwise();
      return;
    }
    const done = product(
      sparse.address,
      rows,
      columns,
      Number(turned),
      workspace,
      ends,
      most,
      otherEntries,
      otherEnds,
      dense.address,
      Number(dense.transposed),
      length,
      result.address,
      Number(result.transposed),
      strip,
      fours ? room : 0,
    );
    if (done !== 0) {
      pause = 0;
      return;
    }
    pause = Math.min(LONGEST_PAUSE, 2 * pause + 1);
    left = pause;
    otherwise();
  };
}
