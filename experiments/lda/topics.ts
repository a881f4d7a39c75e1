// What the topic models of section 6.3 share: the corpus, the prior of topics and documents, and what is reported.
import { Dirichlet, forwardGuide, LogisticNormal, param, repeat, sample, softplus, type Tensor, Vector } from 'waymark';
import { givenData, train } from '../training.ts';

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

/**
 * The mean-field guide of section 7.1, written out because it is to start as in the paper: at noise, as parameters do. An
 * automatic guide starts at zero, where all topics are alike, and takes longer to tell them apart.
 */
const meanField = (n: number) =>
  LogisticNormal({ mu: param({ dims: [n - 1, 1] }), sigma: softplus(param({ dims: [n - 1, 1] })) });

/** For each topic, how likely each word is. */
export const drawTopics = (): Tensor[] =>
  repeat(numTopics, () => sample(Dirichlet({ alpha: eta }), { guide: () => meanField(vocabSize) }));

/** How likely each topic is in a document, before anything is known of it. */
export const topicPrior = Dirichlet({ alpha });

/** The same, where no network says more. */
export const topicGuide = () => meanField(numTopics);

/** How many draws of the topics from the guide are averaged in the table of words. */
const TABLE_DRAWS = 20;
const TABLE_WORDS = 10;

/** Learns as in the paper, and looks up the words that are most likely in each topic. */
export function learnTopics(model: () => Tensor[]) {
  const { history } = train(model, { optMethod: { adam: { stepSize: 0.01 } } });
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
