/** Which products are tried as sparse ones, and how these are done. */
import { systemBlas } from '../blas.ts';
import { blasAllowed } from '../devices.ts';
import type { Accelerated } from './accelerator.ts';
import type { WasmDevice } from './device.ts';
import type { ExportedFunction } from './host.ts';
import { WORK_BYTES } from './matmul.ts';
import { ENTRY_BYTES, PANEL_BYTES } from './sparse.ts';

/** A matrix of so many rows and columns, whose transpose may be what is stored (in row-major order). */
export interface Factor {
  readonly address: number;
  readonly rows: number;
  readonly columns: number;
  readonly transposed: boolean;
}

/** The transpose of a matrix, where it is. */
export function transposeOf({ address, rows, columns, transposed }: Factor): Factor {
  return { address, rows: columns, columns: rows, transposed: !transposed };
}

/** Fewer multiplications are over before the elements are listed. */
const SPARSE_FROM = 200_000;
/** Each element listed is used this often at least. */
const LEAST_WIDTH = 32;
/** The share of elements that are not zero, up to which this is quicker than BLAS, and than our own dense product. */
const MOST_BESIDE_BLAS = 0.16;
const MOST_BESIDE_DENSE = 0.25;
/** After a matrix turned out to be dense, it is not looked at again for up to this many runs. */
const LONGEST_PAUSE = 1024;

/**
 * S · D by the elements of S that are not zero if these are few, which is found out at each run; else what `dense` does.
 * The result is stored as its transpose if `turned`.
 */
export function sparseOr(
  device: WasmDevice,
  s: Factor,
  d: Factor,
  result: number,
  turned: boolean,
  dense: Accelerated,
): Accelerated {
  if (s.rows * s.columns * d.columns < SPARSE_FROM || d.columns < LEAST_WIDTH) return dense;
  const share = blasAllowed() && systemBlas() !== null ? MOST_BESIDE_BLAS : MOST_BESIDE_DENSE;
  const most = Math.floor(s.rows * s.columns * share) * ENTRY_BYTES;
  const [rows, columns] = s.transposed ? [s.columns, s.rows] : [s.rows, s.columns];
  let top = device.workspace;
  const take = (bytes: number): number => {
    const at = top;
    top += 16 * Math.ceil(bytes / 16);
    return at;
  };
  // A row may go beyond the limit before that is noticed.
  const stored = { entries: take(most + columns * ENTRY_BYTES), ends: take(4 * rows) };
  const lists = s.transposed ? { entries: take(most), ends: take(4 * columns) } : stored;
  const from = take(d.transposed ? d.rows * PANEL_BYTES : 0);
  const to = take(turned ? s.rows * PANEL_BYTES : 0);
  if (top > device.workspace + WORK_BYTES) return dense;
  const step = d.transposed ? PANEL_BYTES : 4 * d.columns;
  const { list, turn } = device.sparse;
  const blocks = blocksOf(d.columns).map((block) =>
    blockAt(device.sparse, s, d, result, turned, block, lists, from, to),
  );
  let pause = 0;
  let left = 0;
  return () => {
    if (left > 0) {
      left--;
      dense();
      return;
    }
    const scale = s.transposed ? 4 : step;
    if (list(s.address, rows, columns, scale, most, stored.entries, stored.ends) !== 0) {
      pause = Math.min(LONGEST_PAUSE, 2 * pause + 1);
      left = pause;
      dense();
      return;
    }
    pause = 0;
    if (s.transposed) turn(stored.entries, stored.ends, rows, columns, step, lists.entries, lists.ends);
    for (let i = 0; i < blocks.length; i++) blocks[i]();
  };
}

/** Some of the columns of D and of the result. */
interface Block {
  readonly start: number;
  readonly vectors: 1 | 2 | 4;
}

/** Columns in blocks that there is a routine for. The last may repeat some of the block before it. */
function blocksOf(width: number): Block[] {
  const blocks: Block[] = [];
  for (let start = 0; start < width; ) {
    const vectors = ([4, 2, 1] as const).find((count) => 4 * count <= width - start) ?? 1;
    blocks.push({ start: Math.min(start, width - 4), vectors });
    start += 4 * vectors;
  }
  return blocks;
}

function blockAt(
  { toPanel, fromPanel, ...others }: Record<string, ExportedFunction>,
  s: Factor,
  d: Factor,
  result: number,
  turned: boolean,
  { start, vectors }: Block,
  { entries, ends }: { entries: number; ends: number },
  from: number,
  to: number,
): Accelerated {
  const multiply = others[`multiply${vectors}`];
  const columns = 4 * vectors;
  const factors = d.transposed ? from : d.address + 4 * start;
  const [results, step] = turned ? [to, PANEL_BYTES] : [result + 4 * start, 4 * d.columns];
  return () => {
    if (d.transposed) toPanel(d.address + 4 * start * d.rows, 4 * d.rows, columns, d.rows, from);
    multiply(s.rows, entries, ends, factors, results, step);
    if (turned) fromPanel(to, s.rows, columns, result + 4 * start * s.rows, 4 * s.rows);
  };
}
