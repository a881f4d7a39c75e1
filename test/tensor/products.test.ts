/** Matrix products of many sizes by every routine, against plain sums. */
import { afterEach, describe, it } from 'vitest';
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

describe.each(['f64', 'f32'] as const)('matrix products in %s', (dtype) => {
  it.skipIf(device === null)('are right in WebAssembly', () => {
    allowBlas(false);
    check(dtype);
  });

  it.skipIf(!hasBlas)('are right with the BLAS of the system', () => check(dtype));
});
