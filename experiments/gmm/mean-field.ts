// Section 6.1: a Gaussian mixture model whose guide has parameters for each point.
import { mapData } from 'waymark';
import { learnedMixture, learnMixture, points, testNll, unguided } from './mixture.ts';

const { train, test } = points();

const model = () => {
  const mixture = learnedMixture();
  // A choice without a guide gets a mean-field one.
  mapData({ data: train }, (y) => unguided(mixture, y));
};

const { params, history } = learnMixture(model);

export default { history, testNll: testNll(test, (y) => unguided(learnedMixture(), y), params) };
