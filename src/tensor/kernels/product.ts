/** Reference matrix products. */
import type { Attributes, Data, Kernel } from '../node.ts';
import { sizeOf } from '../shape.ts';

export interface ProductAttributes extends Attributes {
  /** Whether the last two axes of the first and second factor are exchanged. */
  readonly transposeA: boolean;
  readonly transposeB: boolean;
}

/** One product of many: which elements of the factors and the result it takes, in elements. */
interface ProductLayout {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly batch: number;
  readonly stepA: number;
  readonly stepB: number;
}

/**
 * The sizes of a batched product. A factor without batch axes is shared; if only the first has them and is not
 * transposed, its rows are one tall matrix.
 */
export function productLayout(
  dimsA: readonly number[],
  dimsB: readonly number[],
  attributes: ProductAttributes,
): ProductLayout {
  const { transposeA, transposeB } = attributes;
  const [rowsA, columnsA] = dimsA.slice(-2);
  const [rowsB, columnsB] = dimsB.slice(-2);
  const m = transposeA ? columnsA : rowsA;
  const k = transposeA ? rowsA : columnsA;
  const n = transposeB ? rowsB : columnsB;
  const batchA = sizeOf(dimsA.slice(0, -2));
  const batchB = sizeOf(dimsB.slice(0, -2));
  if (batchB === 1 && !transposeA) return { m: m * batchA, n, k, batch: 1, stepA: 0, stepB: 0 };
  const batch = Math.max(batchA, batchB);
  return { m, n, k, batch, stepA: batchA === 1 ? 0 : m * k, stepB: batchB === 1 ? 0 : k * n };
}

export const matmulKernel: Kernel = (out, [a, b], attributes) => {
  const flags = attributes as ProductAttributes;
  const { m, n, k, batch, stepA, stepB } = productLayout(a.dims, b.dims, flags);
  for (let i = 0; i < batch; i++) {
    multiply(out.data, i * m * n, a.data, i * stepA, b.data, i * stepB, m, n, k, flags.transposeA, flags.transposeB);
  }
};

/** Contracts all axes but the last of both: [… , k] and [… , n] give [k, n]. */
export const contractKernel: Kernel = (out, [a, b]) => {
  const k = a.dims[a.dims.length - 1];
  const n = b.dims[b.dims.length - 1];
  multiply(out.data, 0, a.data, 0, b.data, 0, k, n, a.data.length / Math.max(1, k), true, false);
};

/** C = A · B for row-major matrices of m × k and k × n (stored transposed where said). */
function multiply(
  c: Data,
  c0: number,
  a: Data,
  a0: number,
  b: Data,
  b0: number,
  m: number,
  n: number,
  k: number,
  transposeA: boolean,
  transposeB: boolean,
): void {
  const rowA = transposeA ? 1 : k;
  const columnA = transposeA ? m : 1;
  const rowB = transposeB ? 1 : n;
  const columnB = transposeB ? k : 1;
  for (let i = 0; i < m; i++) {
    const row = a0 + i * rowA;
    const to = c0 + i * n;
    let j = 0;
    // Four sums at a time, since each of them waits for its last addition.
    for (; j + 3 < n; j += 4) {
      let s = 0;
      let t = 0;
      let u = 0;
      let v = 0;
      for (let p = 0, x = row, y = b0 + j * columnB; p < k; p++, x += columnA, y += rowB) {
        const factor = a[x];
        s += factor * b[y];
        t += factor * b[y + columnB];
        u += factor * b[y + 2 * columnB];
        v += factor * b[y + 3 * columnB];
      }
      c[to + j] = s;
      c[to + j + 1] = t;
      c[to + j + 2] = u;
      c[to + j + 3] = v;
    }
    for (; j < n; j++) {
      let total = 0;
      for (let p = 0; p < k; p++) total += a[row + p * columnA] * b[b0 + p * rowB + j * columnB];
      c[to + j] = total;
    }
  }
}
