import { sigmoid, softplus } from '../tensor/special/exponentials.ts';
import { family } from './family.ts';
import { real } from './parameter.ts';
import { truthValues } from './value-kind.ts';

const VALUES: readonly boolean[] = [true, false];

/** A weighted coin by its log-odds `logits`: true with probability sigmoid(logits). Its scores keep their digits however certain it is. */
export const BernoulliLogits = family(
  { name: 'BernoulliLogits', params: { logits: real }, values: truthValues, count: () => 2 },
  {
    draw: ({ logits }, random) => random.uniform() < sigmoid(logits),
    score: ({ logits }, value) => -softplus(value ? -logits : logits),
    support: () => VALUES,
    mean: ({ logits }) => sigmoid(logits),
    variance: ({ logits }) => sigmoid(logits) * sigmoid(-logits),
  },
);
