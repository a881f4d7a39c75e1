/** Matrix products by the system's BLAS, on one thread or several. */
import { AS_IS, type Blas, ROW_MAJOR, TRANSPOSED } from '../blas.ts';
import { wantedThreads } from '../devices.ts';
import type { Accelerated } from './accelerator.ts';
import type { WasmDevice } from './device.ts';
import { partsOf } from './parts.ts';
import type { Job } from './threads.ts';

/**
 * A product of more multiplications than this is cut, into as many parts as it has so many. By its size alone: the last
 * bits of what BLAS computes depend on the shape it is given, and must not depend on the number of threads.
 */
const PART = 16_000_000;
const MOST_PARTS = 8;
/** The width of the tiles of most libraries is a divisor of this: parts have none that is not full. */
const WHOLE_TILES = 16;

/** Prepares C = A · B at fixed addresses. */
export function blasProductAt(
  device: WasmDevice,
  blas: Blas,
  dtype: 'f64' | 'f32',
  m: number,
  n: number,
  k: number,
  a: number,
  transposeA: boolean,
  b: number,
  transposeB: boolean,
  c: number,
): Accelerated {
  const { memory, threads } = device;
  const bytes = dtype === 'f64' ? 8 : 4;
  const heap = dtype === 'f64' ? memory.f64 : memory.f32;
  const at = (address: number) => heap.subarray(address / bytes);
  const [flagA, rowA, stepA] = transposeA ? [TRANSPOSED, m, 1] : [AS_IS, k, k];
  const [flagB, rowB, stepB] = transposeB ? [TRANSPOSED, k, k] : [AS_IS, n, 1];
  const product = blas[dtype];
  const wanted = Math.min(MOST_PARTS, Math.floor((m * n * k) / PART));
  const parts = partsOf(m, n, true, Math.max(1, wanted), WHOLE_TILES).map(({ row, rows, column, columns }) => ({
    rows,
    columns,
    a: a + row * stepA * bytes,
    b: b + column * stepB * bytes,
    c: c + (row * n + column) * bytes,
  }));
  // Only if threads were asked for: on a busy machine, waiting for other threads takes longer than they save.
  if (threads !== null && (wantedThreads() ?? 1) > 1 && parts.length > 1) {
    // The same as in `thread-body.ts`.
    const run = (...[, , rows, columns, , from, , other, , to]: number[]): number => {
      product(ROW_MAJOR, flagA, flagB, rows, columns, k, 1, at(from), rowA, at(other), rowB, 0, at(to), n);
      return 0;
    };
    const job: Job = {
      module: threads.blas(blas.origin),
      export: dtype === 'f64' ? 0 : 1,
      run,
      pieces: parts.map((part) => [flagA, flagB, part.rows, part.columns, k, part.a, rowA, part.b, rowB, part.c, n]),
    };
    return () => threads.run(job);
  }
  const calls = parts.map((part) => ({ ...part, from: at(part.a), other: at(part.b), to: at(part.c) }));
  return () => {
    for (let i = 0; i < calls.length; i++) {
      const { rows, columns, from, other, to } = calls[i];
      product(ROW_MAJOR, flagA, flagB, rows, columns, k, 1, from, rowA, other, rowB, 0, to, n);
    }
  };
}
