// Section 6.1 and appendix C.1: a Gaussian mixture model with its discrete choices summed out.
import { factor, Gaussian, logsumexp, mapData, mapIndexed, T } from 'waymark';
import { learnedMixture, learnMixture, type Mixture, points, testNll } from './mixture.ts';

const { train, test } = points();

const explain = ({ weights, components }: Mixture, y: number): void => {
  const scores = mapIndexed((i, muSigma) => Gaussian(muSigma).score(y) + Math.log(T.get(weights, i)), components);
  factor(logsumexp(scores));
};

const model = () => {
  const mixture = learnedMixture();
  mapData({ data: train }, (y) => explain(mixture, y));
};

const { params, history } = learnMixture(model);

export default { history, testNll: testNll(test, (y) => explain(learnedMixture(), y), params) };
