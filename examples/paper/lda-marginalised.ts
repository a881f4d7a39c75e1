// Appendix C.3: latent Dirichlet allocation, with the topics of words summed out.
import { argv, Discrete, factor, forEach, mapData, mapN, Optimize, sample, sum } from 'waymark';
import { documentsAsCounts, drawTopics, numTopics, topicPrior } from './topics.ts';

const model = () => {
  const topics = drawTopics();
  mapData({ data: documentsAsCounts }, (doc) => {
    const topicDist = sample(topicPrior);
    forEach(doc, (count, word) => {
      if (count === 0) return;
      const prob = sum(
        mapN(
          (z) => Math.exp(Discrete({ ps: topicDist }).score(z) + Discrete({ ps: topics[z] }).score(word)),
          numTopics,
        ),
      );
      factor(Math.log(prob) * count);
    });
  });
  return topics;
};

export default Optimize(model, { steps: Number(argv.steps ?? 1000), optMethod: { adam: { stepSize: 0.05 } } });
