// Section 6.3 and appendix C.3: latent Dirichlet allocation, with a guide that predicts the topics of a document.
import {
  affine,
  Discrete,
  LogisticNormal,
  mapData,
  observe,
  param,
  reduce,
  rnn,
  sample,
  softplus,
  type Tensor,
  tanh,
  Vector,
} from 'waymark';
import { documents, drawTopics, learnTopics, numTopics, topicPrior, vocabSize } from './topics.ts';

const numHid = 20;

/**
 * Weights that start at noise, as in the paper. Those of a recurrent unit would start smaller by themselves, since it has
 * so many inputs, and what it has read of the document would be forgotten by the time it has read the topics.
 */
const fromNoise = ({ name, dims }: { name: string; dims: readonly number[] }): Tensor =>
  param({ name, dims: dims as number[] });

const declareNets = () => ({
  init: param({ name: 'init', dims: [numHid, 1] }),
  ru: rnn('ru', { hdim: numHid, xdim: vocabSize, param: fromNoise }),
  outputHidden: affine('outputHidden', { in: numHid, out: numHid, param: fromNoise }),
  outputMu: affine('outputMu', { in: numHid, out: numTopics - 1, param: fromNoise }),
  outputSigma: affine('outputSigma', { in: numHid, out: numTopics - 1, param: fromNoise }),
});

/** Each document as its words, and how frequent each word of the vocabulary is in it. */
const corpus = documents.map((words) => {
  const frequencies = new Array<number>(vocabSize).fill(0);
  for (const word of words) frequencies[word] += 1 / words.length;
  return { words, frequencies: Vector(frequencies) };
});

const guideParams = (nets: ReturnType<typeof declareNets>, topics: Tensor[], frequencies: Tensor) => {
  const state = reduce((x: Tensor, previous: Tensor) => nets.ru(previous, x), nets.init, [...topics, frequencies]);
  const hidden = tanh(nets.outputHidden(state));
  return { mu: nets.outputMu(hidden), sigma: softplus(nets.outputSigma(hidden)) };
};

const model = () => {
  const nets = declareNets();
  const topics = drawTopics();
  mapData({ data: corpus }, ({ words, frequencies }) => {
    const topicDist = sample(topicPrior, { guide: () => LogisticNormal(guideParams(nets, topics, frequencies)) });
    mapData({ data: words }, (word) => {
      const z = sample(Discrete({ ps: topicDist }));
      observe(Discrete({ ps: topics[z] }), word);
    });
  });
  return topics;
};

export default learnTopics(model);
