// Section 6.2 and appendix C.2: a network for each cause also sees the causes before it, through a recurrent unit.
import { Bernoulli, cache, makeGRU, mapIndexed, nn, nneval, sample, sigmoid, T, Vector, zeros } from 'waymark';
import { graph, learnAndPredict } from './diagnosis.ts';

const gruHiddenDim = 20;

const predictNet = cache((i: number) =>
  nn.mlp(graph.numSymptoms + gruHiddenDim, [{ nOut: 1, activation: sigmoid }], `predictNet_${i}`),
);

/** Takes a cause and the state before it, gives the state after it. */
const gru = makeGRU(gruHiddenDim, 1, 'gru');

export default learnAndPredict((effects) => {
  let hidden = zeros([gruHiddenDim]);
  return mapIndexed((i, { priorProb }) => {
    const predicted = nneval(predictNet(i), T.concat(Vector(effects), hidden));
    const cause = sample(Bernoulli({ p: priorProb }), { guide: Bernoulli({ p: T.get(predicted, 0) }) });
    hidden = nneval(gru, T.concat(Vector([cause]), hidden));
    return cause;
  }, graph.diseaseNodes);
});
