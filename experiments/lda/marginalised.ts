// Section 6.3 and appendix C.3: latent Dirichlet allocation with the topics of words summed out.
import { Discrete, factor, map, mapData, mapN, sample, sum } from 'waymark';
import { documents, drawTopics, learnTopics, numTopics, topicPrior } from './topics.ts';

/** Each document as its different words, and how often each is in it. */
const counted = documents.map((doc) =>
  [...new Set(doc)].map((word) => ({ word, count: doc.filter((other) => other === word).length })),
);

const model = () => {
  const topics = drawTopics();
  mapData({ data: counted }, (doc) => {
    const topicDist = sample(topicPrior);
    map(({ word, count }) => {
      // Sum over the topics that the word may have.
      const prob = sum(
        mapN((z) => {
          const zScore = Discrete({ ps: topicDist }).score(z);
          const wordScore = Discrete({ ps: topics[z] }).score(word);
          return Math.exp(zScore + wordScore);
        }, numTopics),
      );
      factor(Math.log(prob) * count);
    }, doc);
  });
  return topics;
};

export default learnTopics(model);
