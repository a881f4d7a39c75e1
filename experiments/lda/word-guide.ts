// Section 6.3 and appendix C.3: latent Dirichlet allocation, with a guide that predicts the topic of each word.
import {
  Discrete,
  mapData,
  nn,
  nneval,
  observe,
  oneOfK,
  sample,
  softplus,
  T,
  type Tensor,
  tensorToVector,
} from 'waymark';
import { documents, drawTopics, learnTopics, numTopics, topicPrior, vocabSize } from './topics.ts';

const numHid = 50;
const embedSize = 50;
const embedNet = nn.mlp(vocabSize, [{ nOut: embedSize, activation: nn.tanh }], 'embedNet');
const net = nn.mlp(embedSize + numTopics, [{ nOut: numHid, activation: nn.tanh }, { nOut: numTopics }], 'net');

const wordAndTopicDistToParams = (word: number, topicDist: Tensor) => {
  const embedding = nneval(embedNet, oneOfK(word, vocabSize));
  const out = nneval(net, T.concat(embedding, T.sub(topicDist, 1)));
  return { ps: softplus(tensorToVector(out)) };
};

const model = () => {
  const topics = drawTopics();
  mapData({ data: documents }, (doc) => {
    const topicDist = sample(topicPrior);
    mapData({ data: doc }, (word) => {
      const z = sample(Discrete({ ps: topicDist }), { guide: Discrete(wordAndTopicDistToParams(word, topicDist)) });
      observe(Discrete({ ps: topics[z] }), word);
    });
  });
  return topics;
};

export default learnTopics(model);
