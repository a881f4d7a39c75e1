/** Matrix products of many sizes by every routine, against plain sums. */
import { afterEach, describe, expect, it } from 'vitest';
import { allowBlas } from '../../src/tensor/devices.ts';
import { input } from '../../src/tensor/leaves.ts';
import { matmul } from '../../src/tensor/ops.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { wasmDevice } from '../../src/tensor/wasm/device.ts';
import { hasBlas } from '../extras.ts';
import { generator } from './inputs.ts';
import { expectProduct } from './plain-product.ts';

const device = wasmDevice();

afterEach(() => allowBlas(true));

/** Rows, columns, depth: edges of tiles, of blocks, vectors, and single rows. */
const sizes: [number, number, number][] = [
  [1, 1, 1],
  [1, 7, 5],
  [3, 4, 2],
  [5, 8, 16],
  [7, 9, 11],
  [6, 12, 24],
  [25, 16, 300],
  [121, 33, 257],
  [61, 520, 9],
  [1, 300, 130],
  [300, 1, 70],
  [40, 5, 300],
  [9, 2, 3],
  [10, 3, 2],
  [6, 11, 5],
];

function check(dtype: 'f64' | 'f32'): void {
  const random = generator(4);
  for (const [m, n, k] of sizes) {
    const a = Float64Array.from({ length: m * k }, () => Math.fround(random() - 0.5));
    const b = Float64Array.from({ length: k * n }, () => Math.fround(random() - 0.5));
    const transposed = (x: Float64Array, rows: number, columns: number): Float64Array =>
      Float64Array.from({ length: x.length }, (_, i) => x[(i % rows) * columns + Math.floor(i / rows)]);
    for (const transposeA of [false, true]) {
      for (const transposeB of [false, true]) {
        const x = input(transposeA ? [k, m] : [m, k], dtype);
        const y = input(transposeB ? [n, k] : [k, n], dtype);
        const plan = compilePlan([matmul(x, y, transposeA, transposeB)], [x, y]);
        const [c] = plan.run([transposeA ? transposed(a, m, k) : a, transposeB ? transposed(b, k, n) : b]) as [
          Float64Array,
        ];
        const epsilon = dtype === 'f64' ? 2 ** -52 : 2 ** -23;
        expectProduct([m, n, k], a, b, c, epsilon, `${transposeA} ${transposeB}`);
      }
    }
  }
}

/** The product of narrow matrices, of which some rows are done together, of A from a row on. */
function narrow(dtype: 'f64' | 'f32', transposeB: boolean, from: number, rows: number): number[] {
  const [n, k] = [3, 7];
  const random = generator(6);
  const numbers = (length: number): Float64Array => Float64Array.from({ length }, () => Math.fround(random() - 0.5));
  const b = numbers(k * n);
  const a = numbers(11 * k).subarray(from * k, (from + rows) * k);
  const x = input([rows, k], dtype);
  const y = input(transposeB ? [n, k] : [k, n], dtype);
  return Array.from(compilePlan([matmul(x, y, false, transposeB)], [x, y]).run([a, b])[0] as Float64Array);
}

describe.each(['f64', 'f32'] as const)('matrix products in %s', (dtype) => {
  it.skipIf(device === null)('have the same bits however many rows are done together', () => {
    for (const transposeB of [false, true]) {
      const rows = Array.from({ length: 11 }, (_, row) => narrow(dtype, transposeB, row, 1));
      expect(narrow(dtype, transposeB, 0, 11)).toEqual(rows.flat());
    }
  });

  it.skipIf(device === null)('are right in WebAssembly', () => {
    allowBlas(false);
    check(dtype);
  });

  it.skipIf(!hasBlas)('are right with the BLAS of the system', () => check(dtype));
});
