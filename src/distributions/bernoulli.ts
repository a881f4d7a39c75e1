import { family } from './family.ts';
import { probability } from './parameter.ts';
import { truthValues } from './value-kind.ts';

const VALUES: readonly boolean[] = [true, false];

/** A weighted coin: true with probability `p`. Scores 1 and 0 as true and false, which is how data files hold them. */
export const Bernoulli = family(
  { name: 'Bernoulli', params: { p: probability }, values: truthValues },
  {
    draw: ({ p }, random) => random.uniform() < p,
    score: ({ p }, value) => (value ? Math.log(p) : Math.log1p(-p)),
    support: () => VALUES,
    mean: ({ p }) => p,
    variance: ({ p }) => p * (1 - p),
  },
);
