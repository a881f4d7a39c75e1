import { family } from './family.ts';
import { positiveProbability } from './parameter.ts';
import { wholeNumbers } from './value-kind.ts';
import { wholeQuantile } from './whole-quantile.ts';

/** Failures before the first success of probability `p`: 0, 1, 2, … */
export const Geometric = family(
  { name: 'Geometric', params: { p: positiveProbability }, values: wholeNumbers, count: () => Infinity },
  {
    draw: ({ p }, random) => (p === 1 ? 0 : Math.floor(Math.log(random.uniform()) / Math.log1p(-p))),
    score({ p }, k) {
      if (k < 0) return -Infinity;
      return k === 0 ? Math.log(p) : Math.log(p) + k * Math.log1p(-p);
    },
    mean: ({ p }) => (1 - p) / p,
    variance: ({ p }) => (1 - p) / (p * p),
    entropy: ({ p }) => (p === 1 ? 0 : -((1 - p) * Math.log1p(-p) + p * Math.log(p)) / p),
    cdf: ({ p }, x) => atMost(p, x),
    quantile: ({ p }, probability) =>
      wholeQuantile(
        (k) => atMost(p, k),
        probability,
        p === 1 ? 0 : Math.log1p(-probability) / Math.log1p(-p),
        p === 1 ? 0 : Infinity,
      ),
  },
);

function atMost(p: number, x: number): number {
  return x < 0 ? 0 : -Math.expm1((Math.floor(x) + 1) * Math.log1p(-p));
}
