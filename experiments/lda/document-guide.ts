// Section 6.3 and appendix C.3: latent Dirichlet allocation, with a guide that predicts the topics of a document.
import {
  Discrete,
  LogisticNormal,
  makeRNN,
  mapData,
  nn,
  nneval,
  observe,
  reduce,
  sample,
  softplus,
  type Tensor,
  tensorToVector,
  Vector,
} from 'waymark';
import { documents, drawTopics, learnTopics, numTopics, topicPrior, vocabSize } from './topics.ts';

const numHid = 20;
const init = nn.constantparams([numHid], 'init');
const ru = makeRNN(numHid, vocabSize, 'ru');
const outputHidden = nn.mlp(numHid, [{ nOut: numHid, activation: nn.tanh }], 'outputHidden');
const outputMu = nn.mlp(numHid, [{ nOut: numTopics - 1 }], 'outputMu');
const outputSigma = nn.mlp(numHid, [{ nOut: numTopics - 1 }], 'outputSigma');

/** Each document as its words, and how frequent each word of the vocabulary is in it. */
const corpus = documents.map((words) => {
  const frequencies = new Array<number>(vocabSize).fill(0);
  for (const word of words) frequencies[word] += 1 / words.length;
  return { words, frequencies: Vector(frequencies) };
});

const guideParams = (topics: Tensor[], frequencies: Tensor) => {
  const state = reduce((x: Tensor, previous: Tensor) => nneval(ru, [previous, x]), nneval(init), [
    ...topics,
    frequencies,
  ]);
  const hidden = nneval(outputHidden, state);
  return {
    mu: tensorToVector(nneval(outputMu, hidden)),
    sigma: tensorToVector(softplus(nneval(outputSigma, hidden))),
  };
};

const model = () => {
  const topics = drawTopics();
  mapData({ data: corpus }, ({ words, frequencies }) => {
    const topicDist = sample(topicPrior, { guide: LogisticNormal(guideParams(topics, frequencies)) });
    mapData({ data: words }, (word) => {
      const z = sample(Discrete({ ps: topicDist }));
      observe(Discrete({ ps: topics[z] }), word);
    });
  });
  return topics;
};

export default learnTopics(model);
