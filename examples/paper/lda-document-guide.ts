// Appendix C.3: latent Dirichlet allocation, with a guide that reads the document.
import {
  argv,
  countsToIndices,
  Discrete,
  LogisticNormal,
  makeRNN,
  mapData,
  nn,
  nneval,
  normalize,
  Optimize,
  observe,
  reduce,
  sample,
  softplus,
  type Tensor,
  tensorToVector,
  Vector,
} from 'waymark';
import { documentsAsCounts, drawTopics, numTopics, topicPrior, vocabSize } from './topics.ts';

const numHid = 20;
const init = nn.constantparams([numHid], 'init');
const ru = makeRNN(numHid, vocabSize, 'ru');
const outputHidden = nn.mlp(numHid, [{ nOut: numHid, activation: nn.tanh }], 'outputHidden');
const outputMu = nn.mlp(numHid, [{ nOut: numTopics - 1 }], 'outputMu');
const outputSigma = nn.mlp(numHid, [{ nOut: numTopics - 1 }], 'outputSigma');

const guideParams = (topics: Tensor[], doc: number[]) => {
  const state = reduce((x, previous) => nneval(ru, [previous, x]), nneval(init), [...topics, normalize(Vector(doc))]);
  const hidden = nneval(outputHidden, state);
  return {
    mu: tensorToVector(nneval(outputMu, hidden)),
    sigma: tensorToVector(softplus(nneval(outputSigma, hidden))),
  };
};

const model = () => {
  const topics = drawTopics();
  mapData({ data: documentsAsCounts }, (doc) => {
    const topicDist = sample(topicPrior, { guide: LogisticNormal(guideParams(topics, doc)) });
    mapData({ data: countsToIndices(doc) }, (word) => {
      const z = sample(Discrete({ ps: topicDist }));
      observe(Discrete({ ps: topics[z] }), word);
    });
  });
  return topics;
};

export default Optimize(model, { steps: Number(argv.steps ?? 500), optMethod: { adam: { stepSize: 0.02 } } });
