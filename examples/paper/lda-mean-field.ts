// Appendix C.3: latent Dirichlet allocation, with a mean-field guide.
import { argv, Discrete, mapData, Optimize, observe, sample } from 'waymark';
import { documents, drawTopics, topicPrior } from './topics.ts';

const model = () => {
  const topics = drawTopics();
  mapData({ data: documents }, (doc) => {
    const topicDist = sample(topicPrior);
    mapData({ data: doc }, (word) => {
      const z = sample(Discrete({ ps: topicDist }));
      observe(Discrete({ ps: topics[z] }), word);
    });
  });
  return topics;
};

export default Optimize(model, { steps: Number(argv.steps ?? 1000), optMethod: { adam: { stepSize: 0.05 } } });
