/** Products of a matrix that is mostly zeros, in every way of storing it, against plain sums. */
import { describe, expect, it } from 'vitest';
import { input } from '../../src/tensor/leaves.ts';
import { contract, matmul } from '../../src/tensor/ops.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { type WasmDevice, wasmDevice } from '../../src/tensor/wasm/device.ts';
import { type Factor, sparseOr, transposeOf } from '../../src/tensor/wasm/sparse-products.ts';
import { generator } from './inputs.ts';

const device = wasmDevice() as WasmDevice;

/** Rows and columns of the sparse matrix, and columns of the other: with and without whole vectors and blocks. */
const sizes: [number, number, number][] = [
  [100, 784, 40],
  [33, 257, 35],
  [50, 101, 53],
  [1, 3000, 81],
  [400, 9, 67],
];

/** Mostly zeros of both signs. */
function sparse(length: number, share: number, seed: number): Float32Array {
  const random = generator(seed);
  return Float32Array.from({ length }, () => (random() < share ? random() - 0.5 : random() < 0.5 ? -0 : 0));
}

function transposed(x: Float32Array, rows: number, columns: number): Float32Array {
  return Float32Array.from({ length: x.length }, (_, i) => x[(i % rows) * columns + Math.floor(i / rows)]);
}

/** A factor put into device memory, which stays there: the tests need little. */
function stored(x: Float32Array, rows: number, columns: number, turned: boolean): Factor {
  const address = device.memory.allocate(4 * x.length);
  device.memory.f32.set(turned ? transposed(x, rows, columns) : x, address / 4);
  return { address, rows, columns, transposed: turned };
}

function expectProduct(found: Float32Array, s: Float32Array, d: Float32Array, [m, k, n]: readonly number[]): void {
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let total = 0;
      let size = 0;
      for (let p = 0; p < k; p++) {
        total += s[i * k + p] * d[p * n + j];
        size += Math.abs(s[i * k + p] * d[p * n + j]);
      }
      // Each of the k additions rounds by at most half a unit of the sum of sizes.
      const off = Math.abs(found[i * n + j] - total);
      if (!(off <= k * 2 ** -23 * size)) expect.fail(`${m}×${k}·${k}×${n}: element ${i},${j} is off by ${off}`);
    }
  }
}

describe('a product with few elements that are not zero', () => {
  for (const turnedS of [false, true]) {
    for (const turnedD of [false, true]) {
      for (const turned of [false, true]) {
        it(`stored transposed: sparse ${turnedS}, dense ${turnedD}, result ${turned}`, () => {
          for (const [m, k, n] of sizes) {
            const s = sparse(m * k, 0.1, 1);
            const random = generator(2);
            const d = Float32Array.from({ length: k * n }, () => random() - 0.5);
            const result = device.memory.allocate(4 * m * n);
            device.memory.f32.fill(NaN, result / 4, result / 4 + m * n);
            let dense = 0;
            const call = sparseOr(device, stored(s, m, k, turnedS), stored(d, k, n, turnedD), result, turned, () => {
              dense++;
            });
            call();
            expect(dense).toBe(0);
            const found = device.memory.f32.slice(result / 4, result / 4 + m * n);
            expectProduct(turned ? transposed(found, n, m) : found, s, d, [m, k, n]);
          }
        });
      }
    }
  }

  it('rows and columns of nothing but zeros give zeros', () => {
    const zeros = new Float32Array(100 * 100);
    const ones = new Float32Array(100 * 100).fill(1);
    const result = device.memory.allocate(4 * 100 * 100);
    device.memory.f32.fill(NaN, result / 4, result / 4 + 100 * 100);
    sparseOr(device, stored(zeros, 100, 100, false), stored(ones, 100, 100, false), result, false, () => {
      expect.fail('done as a dense product');
    })();
    expect(device.memory.f32.slice(result / 4, result / 4 + 100 * 100)).toEqual(zeros);
  });
});

describe('a product that turns out to be dense', () => {
  it('is left to the dense routine, and looked at less and less often', () => {
    const full = stored(new Float32Array(100 * 100).fill(1), 100, 100, false);
    const result = device.memory.allocate(4 * 100 * 100);
    let dense = 0;
    const call = sparseOr(device, full, full, result, false, () => {
      dense++;
    });
    for (let i = 0; i < 20; i++) call();
    expect(dense).toBe(20);
    // It was looked at in runs 0, 2, 6, 14, and will be in run 30.
    device.memory.f32.fill(0, full.address / 4, full.address / 4 + 100 * 100);
    for (let i = 20; i < 40; i++) call();
    expect(dense).toBe(30);
  });

  it('is so from the start if it is small', () => {
    const factor = stored(new Float32Array(100), 10, 10, false);
    const dense = (): void => {};
    expect(sparseOr(device, factor, factor, 0, false, dense)).toBe(dense);
    expect(transposeOf(transposeOf(factor))).toEqual(factor);
  });
});

describe('plans', () => {
  it('follow data from sparse to dense and back', () => {
    const [m, k, n] = [60, 200, 48];
    const x = input([m, k], 'f32');
    const w = input([n, k], 'f32');
    const g = input([m, n], 'f32');
    const plan = compilePlan([matmul(x, w, false, true), contract(g, x)], [x, w, g]);
    const random = generator(3);
    const weights = Float32Array.from({ length: n * k }, () => random() - 0.5);
    const adjoints = Float32Array.from({ length: m * n }, () => random() - 0.5);
    for (const share of [0.05, 1, 1, 0.05, 0.05, 0.9, 0.02, 0.02, 0.02]) {
      const data = sparse(m * k, share, 5);
      const [forward, backward] = plan.run([data, weights, adjoints]) as [Float32Array, Float32Array];
      expectProduct(forward, data, transposed(weights, n, k), [m, k, n]);
      expectProduct(backward, transposed(adjoints, m, n), data, [n, m, k]);
    }
  });
});
