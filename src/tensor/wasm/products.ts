/** Which routine computes a matrix product. */
import { systemBlas } from '../blas.ts';
import type { Accelerated } from './accelerator.ts';
import type { WasmDevice } from './device.ts';

/** Below this many multiplications a BLAS call costs more than it saves. */
const BLAS_FROM = 2_000;
/** Below these, packing costs more than it saves. */
const PACK_FROM = 16_000;
const PACK_ROWS_FROM = 6;

/** Prepares C = A · B at fixed addresses. */
export function productAt(
  device: WasmDevice,
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
  const work = m * n * k;
  const bytes = dtype === 'f64' ? 8 : 4;
  const blas = work >= BLAS_FROM && device.blas ? systemBlas() : null;
  if (blas !== null) {
    const heap = dtype === 'f64' ? device.memory.f64 : device.memory.f32;
    const at = (address: number, length: number) => heap.subarray(address / bytes, address / bytes + length);
    const left = at(a, m * k);
    const right = at(b, k * n);
    const out = at(c, m * n);
    const product = blas[dtype];
    return () => product(m, n, k, left, transposeA, right, transposeB, out);
  }
  const { products } = device;
  const rowA = transposeA ? bytes : k * bytes;
  const columnA = transposeA ? m * bytes : bytes;
  if (work < PACK_FROM || m < PACK_ROWS_FROM || n < PACK_ROWS_FROM) {
    if (!transposeB) {
      const rows = products[`rows_${dtype}`];
      return () => rows(m, n, k, a, rowA, columnA, b, n * bytes, c);
    }
    if (!transposeA) {
      const dots = products[`dots_${dtype}`];
      return () => dots(m, n, k, a, rowA, b, k * bytes, c);
    }
  }
  const packed = products[`packed_${dtype}`];
  const rowB = transposeB ? bytes : n * bytes;
  const columnB = transposeB ? k * bytes : bytes;
  const { workspace } = device;
  return () => packed(m, n, k, a, rowA, columnA, b, rowB, columnB, c, workspace);
}
