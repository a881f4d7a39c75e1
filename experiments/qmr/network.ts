// The diagnosis network of section 6.2 (QMR-DT): causes, which are on or off, bring about effects through noisy-or links.
import { flip, map, product, type QmrGraph } from 'waymark';

export type EffectNode = QmrGraph['symptomNodes'][number];

/** How likely an effect is, given the causes. */
export const noisyOrProb = ({ parents, leakProb }: EffectNode, causes: readonly boolean[]): number => {
  const noneActs = product(map(({ index, prob }) => (causes[index] ? 1 - prob : 1), parents));
  return 1 - (1 - leakProb) * noneActs;
};

/** Effects drawn given the causes. */
export const drawEffects = (graph: QmrGraph, causes: readonly boolean[]): boolean[] =>
  map((node) => flip(noisyOrProb(node, causes)), graph.symptomNodes as EffectNode[]);
