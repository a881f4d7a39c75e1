import { logBeta } from '../tensor/special/gamma.ts';
import { betaI } from '../tensor/special/incomplete-beta.ts';
import { drawLogGamma, positiveExp } from './draws/gamma.ts';
import { drawPoisson } from './draws/poisson.ts';
import { family } from './family.ts';
import { positive, positiveProbability } from './parameter.ts';
import { wholeNumbers } from './value-kind.ts';
import { wholeQuantile } from './whole-quantile.ts';

/** Failures before the `r`-th success of probability `p`; `r` need not be whole. Counts that vary more than Poisson. */
export const NegativeBinomial = family(
  {
    name: 'NegativeBinomial',
    params: { r: positive, p: positiveProbability },
    values: wholeNumbers,
    count: () => Infinity,
  },
  {
    draw({ r, p }, random) {
      if (p === 1) return 0;
      // A Poisson whose mean is a Gamma.
      return drawPoisson(positiveExp(drawLogGamma(r, random) + Math.log1p(-p) - Math.log(p)), random);
    },
    score({ r, p }, k) {
      if (k < 0) return -Infinity;
      if (k === 0) return r * Math.log(p);
      // Γ(r + k) / (Γ(r) k!) = 1 / (k B(r, k))
      return r * Math.log(p) + k * Math.log1p(-p) - Math.log(k) - logBeta(r, k);
    },
    mean: ({ r, p }) => (r * (1 - p)) / p,
    variance: ({ r, p }) => (r * (1 - p)) / (p * p),
    cdf: ({ r, p }, x) => atMost(r, p, x),
    quantile: ({ r, p }, probability) =>
      wholeQuantile((k) => atMost(r, p, k), probability, (r * (1 - p)) / p, p === 1 ? 0 : Infinity),
  },
);

function atMost(r: number, p: number, x: number): number {
  if (x < 0) return 0;
  return x === Infinity || p === 1 ? 1 : betaI(r, Math.floor(x) + 1, p);
}
