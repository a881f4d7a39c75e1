// Section 6.1 and figure 1: a Gaussian mixture model whose guide is a network that looks at the point.
import { Discrete, Gaussian, mapData, nn, nneval, observe, sample, simplex, Vector } from 'waymark';
import { learnedMixture, learnMixture, type Mixture, nComps, points, testNll } from './mixture.ts';

const { train, test } = points();
const guideNet = nn.mlp(1, [{ nOut: 3, activation: nn.sigmoid }, { nOut: nComps - 1 }], 'guideNet');

const explain = ({ weights, components }: Mixture, y: number): void => {
  const nnOutput = nneval(guideNet, Vector([y]));
  const x = sample(Discrete({ ps: weights }), { guide: Discrete({ ps: simplex(nnOutput) }) });
  observe(Gaussian(components[x]), y);
};

const model = () => {
  const mixture = learnedMixture();
  mapData({ data: train }, (y) => explain(mixture, y));
};

const { params, history } = learnMixture(model);

export default { history, testNll: testNll(test, (y) => explain(learnedMixture(), y), params) };
