import { logFactorial } from '../tensor/special/gamma.ts';
import { gammaQ } from '../tensor/special/incomplete-gamma.ts';
import { drawPoisson } from './draws/poisson.ts';
import { family } from './family.ts';
import { positive } from './parameter.ts';
import { wholeNumbers } from './value-kind.ts';
import { wholeQuantile } from './whole-quantile.ts';

/** How often something happens that happens `mu` times on average. */
export const Poisson = family(
  { name: 'Poisson', params: { mu: positive }, values: wholeNumbers, count: () => Infinity },
  {
    draw: ({ mu }, random) => drawPoisson(mu, random),
    score: ({ mu }, k) => (k < 0 ? -Infinity : k * Math.log(mu) - mu - logFactorial(k)),
    mean: ({ mu }) => mu,
    variance: ({ mu }) => mu,
    cdf: ({ mu }, x) => atMost(mu, x),
    quantile: ({ mu }, p) => wholeQuantile((k) => atMost(mu, k), p, mu),
  },
);

function atMost(mu: number, x: number): number {
  return x < 0 ? 0 : x === Infinity ? 1 : gammaQ(Math.floor(x) + 1, mu);
}
