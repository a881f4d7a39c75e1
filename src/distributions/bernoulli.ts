import { alternatives } from './alternatives.ts';
import { BernoulliLogits } from './bernoulli-logits.ts';
import { family } from './family.ts';
import { probability } from './parameter.ts';
import { truthValues } from './value-kind.ts';

const VALUES: readonly boolean[] = [true, false];

const byProbability = family(
  { name: 'Bernoulli', params: { p: probability }, values: truthValues, count: () => 2 },
  {
    draw: ({ p }, random) => random.uniform() < p,
    score: ({ p }, value) => (value ? Math.log(p) : Math.log1p(-p)),
    support: () => VALUES,
    mean: ({ p }) => p,
    variance: ({ p }) => p * (1 - p),
  },
);

/** A weighted coin: true with probability `p`. Scores 1 and 0 as true and false, which is how data files hold them. In place of `p` its log-odds may be given, as `logits`. */
export const Bernoulli = alternatives(byProbability, { logits: BernoulliLogits });
