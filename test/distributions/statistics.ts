/** What the property tests measure with. */
import type { Distribution } from '../../src/runtime/handler.ts';
import { RandomStream } from '../../src/runtime/random.ts';
import { gammaQ } from '../../src/tensor/special/incomplete-gamma.ts';

/** Chance of a false alarm of one goodness-of-fit test. Seeds are fixed, so a test that passes goes on passing. */
export const FALSE_ALARM = 1e-6;

export function draws<V>(dist: Distribution<V>, n: number, seed = 1): V[] {
  const stream = RandomStream.fromSeed(seed);
  return Array.from({ length: n }, () => dist.draw(stream.begin()));
}

/** The probability of counts at least as far from the expected ones (Pearson), cells below 5 expected put together. */
export function goodnessOfFit(counts: readonly number[], expected: readonly number[]): number {
  let statistic = 0;
  let cells = 0;
  let restCount = 0;
  let restExpected = 0;
  counts.forEach((count, i) => {
    if (expected[i] < 5) {
      restCount += count;
      restExpected += expected[i];
    } else {
      statistic += (count - expected[i]) ** 2 / expected[i];
      cells++;
    }
  });
  if (restExpected >= 5) {
    statistic += (restCount - restExpected) ** 2 / restExpected;
    cells++;
  } else if (restCount > restExpected + 6 * Math.sqrt(restExpected) + 6) {
    return 0;
  }
  return cells < 2 ? 1 : gammaQ((cells - 1) / 2, statistic / 2);
}

/**
 * ∫ f by the double-exponential rule (Takahasi & Mori, 1974): good at infinite ends and end-point singularities. A
 * range without ends is cut at `centre`, where f may have a kink; `spread` says how far its mass reaches from there.
 */
export function integrate(
  f: (x: number) => number,
  lower: number,
  upper: number,
  centre = 0,
  spread = 1,
  step = 1 / 128,
): number {
  if (lower === -Infinity) {
    const cut = Math.min(centre, upper);
    const below = integrate((y) => f(cut - y), 0, Infinity, 0, spread, step);
    return cut === upper ? below : below + integrate(f, cut, upper, centre, spread, step);
  }
  let total = 0;
  for (let i = -6.5 / step; i <= 6.5 / step; i++) {
    const t = i * step;
    const s = 0.5 * Math.PI * Math.sinh(t);
    const ds = 0.5 * Math.PI * Math.cosh(t);
    let x: number;
    let dx: number;
    if (upper < Infinity) {
      const length = upper - lower;
      // From the nearer end, so that points close to it are told apart from it.
      x = s < 0 ? lower + length / (1 + Math.exp(-2 * s)) : upper - length / (1 + Math.exp(2 * s));
      dx = (0.5 * length * ds) / Math.cosh(s) ** 2;
    } else {
      x = lower + spread * Math.exp(s);
      dx = spread * Math.exp(s) * ds;
    }
    if (!(dx > 0) || dx === Infinity || !(x > lower && x < upper)) continue;
    const value = f(x);
    if (Number.isFinite(value)) total += value * dx;
  }
  return total * step;
}

export function mean(xs: readonly number[]): number {
  return xs.reduce((sum, x) => sum + x, 0) / xs.length;
}

export function variance(xs: readonly number[]): number {
  const centre = mean(xs);
  return xs.reduce((sum, x) => sum + (x - centre) ** 2, 0) / (xs.length - 1);
}

/** How many standard errors the average of xs is from `expected`, judged by the spread of xs themselves. */
export function standardErrors(xs: readonly number[], expected: number): number {
  const distance = Math.abs(mean(xs) - expected);
  // Constant values differ by rounding alone.
  return distance <= 1e-12 * Math.max(1, Math.abs(expected)) ? 0 : distance / Math.sqrt(variance(xs) / xs.length);
}
