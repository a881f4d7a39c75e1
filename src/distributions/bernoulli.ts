import { family } from './family.ts';
import { probability } from './parameter.ts';

const VALUES = [true, false] as const;

/** A weighted coin: true with probability `p`. */
export const Bernoulli = family<{ p: number }, boolean>({
  name: 'Bernoulli',
  params: { p: probability },
  continuous: false,
  draw: ({ p }, random) => random.uniform() < p,
  score({ p }, value) {
    if (value === true) return Math.log(p);
    return value === false ? Math.log1p(-p) : -Infinity;
  },
  support: () => VALUES,
  mean: ({ p }) => p,
  variance: ({ p }) => p * (1 - p),
});
