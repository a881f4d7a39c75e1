// Section 6.2 and appendix C.2: one network predicts all causes together.
import { Bernoulli, mapIndexed, nn, nneval, sample, sigmoid, T, Vector } from 'waymark';
import { graph, learnAndPredict } from './diagnosis.ts';

const guideNet = nn.mlp(graph.numSymptoms, [{ nOut: graph.numDiseases, activation: sigmoid }], 'guideNet');

export default learnAndPredict((effects) => {
  const predicted = nneval(guideNet, Vector(effects));
  return mapIndexed(
    (i, { priorProb }) => sample(Bernoulli({ p: priorProb }), { guide: Bernoulli({ p: T.get(predicted, i) }) }),
    graph.diseaseNodes,
  );
});
