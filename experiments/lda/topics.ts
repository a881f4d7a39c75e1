// What the topic models of section 6.3 share: the corpus, the prior of topics and documents, and what is reported.
import {
  Dirichlet,
  forwardGuide,
  LogisticNormal,
  mapN,
  param,
  repeat,
  sample,
  softplus,
  type Tensor,
  Vector,
} from 'waymark';
import { givenData, train } from '../training.ts';
import { topicStarts } from './topic-starts.ts';

export interface Corpus {
  readonly vocabulary: readonly string[];
  /** Each document as the numbers of its words. */
  readonly documents: readonly (readonly number[])[];
}

export const { vocabulary, documents } = givenData<Corpus>();
export const vocabSize = vocabulary.length;
export const numTopics = 5;

// Both concentrations are 0.1: with these the ELBO starts where the paper's curves do.
const alpha = Vector(repeat(numTopics, () => 0.1));
const eta = Vector(repeat(vocabSize, () => 0.1));

const starts = topicStarts(numTopics, { vocabulary, documents });

/**
 * For each topic, how likely each word is. The guide is the one of section 7.1, written out for where it starts: with all
 * topics alike, as an automatic guide is, it would take thousands of steps to tell them apart.
 */
export const drawTopics = (): Tensor[] =>
  mapN((z) => {
    const dims = [vocabSize - 1, 1];
    const guide = () =>
      LogisticNormal({ mu: param({ dims, init: () => starts[z] }), sigma: softplus(param({ dims, sigma: 0 })) });
    return sample(Dirichlet({ alpha: eta }), { guide });
  }, numTopics);

/** How likely each topic is in a document, before anything is known of it. */
export const topicPrior = Dirichlet({ alpha });

/** How many draws of the topics from the guide are averaged in the table of words. */
const TABLE_DRAWS = 20;
const TABLE_WORDS = 10;

/**
 * The largest norm of a gradient. Guides of words that a topic does not have are so wide that one draw in a thousand gives
 * such a word most of the topic. Adam would follow that draw for a hundred steps.
 */
const LARGEST_GRADIENT = 1000;

/** Learns as in the paper, and looks up the words that are most likely in each topic. */
export function learnTopics(model: () => Tensor[]) {
  const { history } = train(model, { optMethod: { adam: { stepSize: 0.01 } }, clip: LARGEST_GRADIENT });
  return { history, topWords: topWords(model) };
}

function topWords(model: () => Tensor[]): string[][] {
  const sums = repeat(numTopics, () => new Float64Array(vocabSize));
  for (let draw = 0; draw < TABLE_DRAWS; draw++) {
    for (const [z, topic] of forwardGuide(model).entries()) {
      for (const [word, p] of topic.data.entries()) sums[z][word] += p;
    }
  }
  return sums.map((sum) =>
    [...sum.keys()]
      .sort((a, b) => sum[b] - sum[a])
      .slice(0, TABLE_WORDS)
      .map((word) => vocabulary[word]),
  );
}
