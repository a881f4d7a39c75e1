// Points from a mixture of twenty Gaussians whose weights rise evenly (Le et al. 2019).
import { discrete, gaussian, repeat } from 'waymark';

const COMPONENTS = 20;
const TRAIN = 50_000;
const TEST = 500;

const rising = Array.from({ length: COMPONENTS }, (_, i) => 5 + i);
const total = rising.reduce((sum, weight) => sum + weight, 0);
const weights = rising.map((weight) => weight / total);

const point = (): number => gaussian(10 * discrete(weights), 5);

export default {
  description:
    `${TRAIN} points to learn from and ${TEST} to test with, from a mixture of ${COMPONENTS} Gaussians, ten apart and of deviation 5, ` +
    'whose weights rise evenly.',
  weights,
  train: repeat(TRAIN, point),
  test: repeat(TEST, point),
};
