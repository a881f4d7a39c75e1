// Section 6.2 and appendix C.2: a network for each cause also sees the causes before it, through a recurrent unit.
import {
  Bernoulli,
  cache,
  globalStore,
  makeGRU,
  mapIndexed,
  nn,
  nneval,
  sample,
  sigmoid,
  T,
  type Tensor,
  Vector,
  zeros,
} from 'waymark';
import { graph, learnAndPredict } from './diagnosis.ts';

declare module 'waymark' {
  interface GlobalStore {
    gruHiddenState: Tensor;
  }
}

const gruHiddenDim = 20;

const predictNet = cache((i: number) =>
  nn.mlp(graph.numSymptoms + gruHiddenDim, [{ nOut: 1, activation: sigmoid }], `predictNet_${i}`),
);
const predictCauseProb = (effects: readonly boolean[], i: number) => {
  const inputs = T.concat(Vector(effects), globalStore.gruHiddenState);
  return T.get(nneval(predictNet(i), inputs), 0);
};

/** Takes a cause and the state before it, gives the state after it. */
const gru = makeGRU(gruHiddenDim, 1, 'gru');
const updateGRUState = (cause: boolean) => {
  const inputs = T.concat(Vector([cause]), globalStore.gruHiddenState);
  globalStore.gruHiddenState = nneval(gru, inputs);
};

export default learnAndPredict((effects) => {
  globalStore.gruHiddenState = zeros([gruHiddenDim]);
  return mapIndexed((i, { priorProb }) => {
    const cause = sample(Bernoulli({ p: priorProb }), { guide: Bernoulli({ p: predictCauseProb(effects, i) }) });
    updateGRUState(cause);
    return cause;
  }, graph.diseaseNodes);
});
