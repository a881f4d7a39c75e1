// Appendix C.3: latent Dirichlet allocation, with a guide that looks at each word.
import {
  argv,
  Discrete,
  mapData,
  nn,
  nneval,
  Optimize,
  observe,
  oneOfK,
  sample,
  softplus,
  T,
  type Tensor,
  tensorToVector,
} from 'waymark';
import { documents, drawTopics, numTopics, topicPrior, vocabSize } from './topics.ts';

const numHid = 50;
const embedSize = 50;
const embedNet = nn.mlp(vocabSize, [{ nOut: embedSize, activation: nn.tanh }], 'embedNet');
const net = nn.mlp(embedSize + numTopics, [{ nOut: numHid, activation: nn.tanh }, { nOut: numTopics }], 'net');

const wordAndTopicDistToParams = (word: number, topicDist: Tensor) => {
  const embedding = nneval(embedNet, oneOfK(word, vocabSize));
  const output = nneval(net, T.concat(embedding, T.sub(topicDist, 1)));
  return { ps: softplus(tensorToVector(output)) };
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

export default Optimize(model, { steps: Number(argv.steps ?? 500), optMethod: { adam: { stepSize: 0.02 } } });
