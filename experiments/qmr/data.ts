// The data of section 6.2: a random network of 200 causes and 100 effects, and the effects in cases drawn from it.
import { flip, map, type QmrGraph, randomInteger, repeat, uniform } from 'waymark';
import { drawEffects } from './network.ts';

const CAUSES = 200;
const EFFECTS = 100;
const TRAIN = 1000;
const TEST = 100;
const MOST_PARENTS = 4;

/** So many causes, all different. */
const drawParents = (count: number): number[] => {
  const parents = new Set<number>();
  while (parents.size < count) parents.add(randomInteger(CAUSES));
  return [...parents];
};

const graph: QmrGraph = {
  numDiseases: CAUSES,
  numSymptoms: EFFECTS,
  diseaseNodes: repeat(CAUSES, () => ({ priorProb: uniform(0, 0.2) })),
  symptomNodes: repeat(EFFECTS, () => ({
    leakProb: uniform(0, 0.1),
    parents: map((index) => ({ index, prob: uniform(0.2, 1) }), drawParents(1 + randomInteger(MOST_PARENTS))),
  })),
};

const drawCase = (): boolean[] =>
  drawEffects(
    graph,
    map(({ priorProb }) => flip(priorProb), graph.diseaseNodes as { priorProb: number }[]),
  );

export default {
  description:
    `A random network of ${CAUSES} causes (prior 0 to 0.2) and ${EFFECTS} effects (leak 0 to 0.1), each with 1 to ` +
    `${MOST_PARENTS} causes (link 0.2 to 1); ${TRAIN} cases to learn from and ${TEST} to test with, drawn from it.`,
  graph,
  train: repeat(TRAIN, drawCase),
  test: repeat(TEST, drawCase),
};
