/**
 * Products with data of which most are 0 (pixels, counts of words), by adding up the rows that others are not 0 for. Whether
 * that is quicker is found out in each run: it depends on the data of the run alone.
 */
import type { Accelerated } from './accelerator.ts';
import type { WasmDevice } from './device.ts';
import { WORK_BYTES } from './matmul.ts';
import { ALL_ONES, ENTRY, TOO_MANY, WIDTHS } from './sparse-rows.ts';

/** A product of this many multiplications is worth a look at its data. */
const WORTH_A_LOOK = 200_000;
/** Elements that are not 0, at most one in so many: with a BLAS for other products, and without. */
const ONE_IN_WITH_BLAS = 7;
const ONE_IN = 3;
/** Data that turned out to be dense are not looked at again for up to this many runs, more each time. */
const LONGEST_PAUSE = 1024;
/** Columns of a block that is turned. */
const BLOCK = 4 * WIDTHS[0];

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
  if (targets * sources * length < WORTH_A_LOOK) return null;
  // Vectors are whole, and so are squares of them where something is turned.
  if (columns % 4 !== 0 || length % 4 !== 0 || sources % 4 !== 0 || targets % 4 !== 0) return null;
  const most = Math.floor((rows * columns) / (hasBlas ? ONE_IN_WITH_BLAS : ONE_IN));
  const { workspace, sparse: run } = device;
  const listBytes = (most + columns) * ENTRY;
  const entries = workspace;
  const ends = entries + listBytes;
  const turnedEntries = ends + 4 * rows;
  const turnedEnds = turnedEntries + (turned ? listBytes : 0);
  const block = Math.ceil((turnedEnds + (turned ? 4 * columns : 0)) / 16) * 16;
  const blockRows = dense.transposed ? sources : result.transposed ? targets : 0;
  if ((dense.transposed && result.transposed) || block + 4 * BLOCK * blockRows > workspace + WORK_BYTES) return null;
  const denseApart = 4 * (dense.transposed ? BLOCK : length);
  const [list, listEnds] = turned ? [turnedEntries, turnedEnds] : [entries, ends];
  const strips = stripsOf(length);
  let pause = 0;
  let left = 0;
  return () => {
    if (left > 0) {
      left--;
      otherwise();
      return;
    }
    const found = run.collect(sparse.address, rows, columns, entries, ends, turned ? 4 : denseApart, most);
    if (found === TOO_MANY) {
      pause = Math.min(LONGEST_PAUSE, 2 * pause + 1);
      left = pause;
      otherwise();
      return;
    }
    pause = 0;
    if (turned) run.turn(entries, ends, rows, columns, turnedEntries, turnedEnds, denseApart);
    const kind = found === ALL_ONES ? 'ones' : 'w';
    for (const { first, size, parts } of strips) {
      if (dense.transposed) {
        const from = dense.address + 4 * first * dense.columns;
        run.transpose(size, dense.columns, from, 4 * dense.columns, block, denseApart);
      }
      const from = dense.transposed ? block : dense.address + 4 * first;
      const to = result.transposed ? block : result.address + 4 * first;
      const apart = 4 * (result.transposed ? BLOCK : length);
      for (const { at, width } of parts) {
        run[`${kind}${width}`](targets, list, listEnds, from + 16 * at, to + 16 * at, apart);
      }
      if (result.transposed) {
        run.transpose(targets, size, block, 4 * BLOCK, result.address + 4 * first * targets, 4 * targets);
      }
    }
  };
}

interface Strip {
  /** Its first column and how many it has. */
  readonly first: number;
  readonly size: number;
  /** The vectors at which sums of some width begin. */
  readonly parts: readonly { readonly at: number; readonly width: number }[];
}

/** The columns of the dense matrix in strips that are computed at a time. */
function stripsOf(length: number): Strip[] {
  const strips: Strip[] = [];
  for (let first = 0; first < length; first += BLOCK) {
    const size = Math.min(BLOCK, length - first);
    const parts: { at: number; width: number }[] = [];
    let at = 0;
    for (const width of WIDTHS) {
      for (; at + width <= size / 4; at += width) parts.push({ at, width });
    }
    strips.push({ first, size, parts });
  }
  return strips;
}
