import type { Random } from '../../runtime/random.ts';

/** The log of a draw from Gamma(shape, 1): for small shapes the draw itself would often be too small for a number. */
export function drawLogGamma(shape: number, random: Random): number {
  if (shape === 1) return Math.log(-Math.log(random.uniform()));
  // A draw for shape + 1 times a power of a uniform has the smaller shape.
  if (shape < 1) return drawLogGamma(shape + 1, random) + Math.log(random.uniform()) / shape;
  // Marsaglia & Tsang, "A simple method for generating gamma variables", 2000.
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const z = random.gaussian();
    const root = 1 + c * z;
    if (root <= 0) continue;
    const v = root * root * root;
    const u = random.uniform();
    const square = z * z;
    // The first test accepts nearly always, and saves two logarithms.
    if (u < 1 - 0.0331 * square * square || Math.log(u) < 0.5 * square + d - d * v + d * Math.log(v)) {
      return Math.log(d * v);
    }
  }
}

/** exp(x), kept within the positive numbers. */
export function positiveExp(x: number): number {
  return Math.min(Math.max(Math.exp(x), Number.MIN_VALUE), Number.MAX_VALUE);
}
