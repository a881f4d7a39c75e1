// Section 6.2 and appendix C.2: a network for each cause predicts it from the effects.
import { Bernoulli, cache, mapIndexed, nn, nneval, sample, sigmoid, T, Vector } from 'waymark';
import { graph, learnAndPredict } from './diagnosis.ts';

const predictNet = cache((i: number) =>
  nn.mlp(graph.numSymptoms, [{ nOut: 1, activation: sigmoid }], `predictNet_${i}`),
);

export default learnAndPredict((effects) =>
  mapIndexed((i, { priorProb }) => {
    const predicted = nneval(predictNet(i), Vector(effects));
    return sample(Bernoulli({ p: priorProb }), { guide: Bernoulli({ p: T.get(predicted, 0) }) });
  }, graph.diseaseNodes),
);
