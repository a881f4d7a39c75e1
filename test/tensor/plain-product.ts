/** Matrix products checked against plain sums. */
import { expect } from 'vitest';

type Numbers = Float64Array | Float32Array;

/** Expects C = A · B, where A is m × k, computed in numbers whose last place is worth `epsilon` of them. */
export function expectProduct(
  [m, n, k]: readonly [number, number, number],
  a: Numbers,
  b: Numbers,
  c: Numbers,
  epsilon: number,
  what = '',
): void {
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let total = 0;
      let size = 0;
      for (let p = 0; p < k; p++) {
        total += a[i * k + p] * b[p * n + j];
        size += Math.abs(a[i * k + p] * b[p * n + j]);
      }
      // Each of the k additions rounds by at most half a unit of the sum of sizes.
      const off = Math.abs(c[i * n + j] - total);
      if (!(off <= k * epsilon * size)) {
        expect.fail(`${m}×${k}·${k}×${n} ${what}: element ${i},${j} is off by ${off}`);
      }
    }
  }
}
