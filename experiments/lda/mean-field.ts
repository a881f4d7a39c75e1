// Section 6.3 and appendix C.3: latent Dirichlet allocation with a mean-field guide.
import { Discrete, mapData, observe, sample } from 'waymark';
import { documents, drawTopics, learnTopics, topicPrior } from './topics.ts';

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

export default learnTopics(model);
