// What the programs of appendix C.3 share: the corpus, and the prior of topics and documents.
import { Dirichlet, loadData, repeat, sample, type Tensor, Vector } from 'waymark';

interface Corpus {
  vocabSize: number;
  /** Each document as the numbers of its words. */
  documents: number[][];
  /** Each document as how often each word of the vocabulary is in it. */
  documentsAsCounts: number[][];
}

export const { vocabSize, documents, documentsAsCounts } = loadData<Corpus>('corpus.json');
export const numTopics = 3;

const alpha = Vector(repeat(numTopics, () => 0.5));
const eta = Vector(repeat(vocabSize, () => 0.5));

/** For each topic, how likely each word is. */
export const drawTopics = (): Tensor[] => repeat(numTopics, () => sample(Dirichlet({ alpha: eta })));

/** How likely each topic is in a document, before anything is known of it. */
export const topicPrior = Dirichlet({ alpha });
