// The data of section 6.3: the abstracts of a laboratory, or documents made up from known topics that are as many.
import { argv, Dirichlet, Discrete, loadData, repeat, sample, Vector } from 'waymark';
import type { Corpus } from './topics.ts';

interface Abstracts {
  readonly numWords: number;
  readonly indexToWordDict: Readonly<Record<number, string>>;
  readonly documents: readonly (readonly number[])[];
}

const DOCUMENTS = 109;
const VOCABULARY = 740;
const WORDS_PER_DOCUMENT = 56;
const TOPICS = 5;
const CONCENTRATION = 0.1;

interface Source extends Corpus {
  readonly source: 'abstracts' | 'made up';
  readonly description: string;
}

const counts = ({ documents, vocabulary }: Corpus): string =>
  `${documents.length} documents of together ${documents.flat().length} words, ${vocabulary.length} of them different`;

function abstracts(file: string): Source {
  const { numWords, indexToWordDict, documents } = loadData(file) as Abstracts;
  const vocabulary = Array.from({ length: numWords }, (_, i) => indexToWordDict[i]);
  const corpus = { vocabulary, documents };
  return {
    source: 'abstracts',
    description: `Abstracts of the publications of the Computation and Cognition Lab: ${counts(corpus)}.`,
    ...corpus,
  };
}

function madeUp(): Source {
  const simplex = (n: number) => sample(Dirichlet({ alpha: Vector(repeat(n, () => CONCENTRATION)) }));
  const topics = repeat(TOPICS, () => simplex(VOCABULARY));
  const documents = repeat(DOCUMENTS, () => {
    const topicDist = simplex(TOPICS);
    return repeat(WORDS_PER_DOCUMENT, () => sample(Discrete({ ps: topics[sample(Discrete({ ps: topicDist }))] })));
  });
  const corpus = { vocabulary: Array.from({ length: VOCABULARY }, (_, i) => `word${i}`), documents };
  return {
    source: 'made up',
    description: `Documents made up from ${TOPICS} topics, since there are no abstracts: ${counts(corpus)}.`,
    ...corpus,
  };
}

export default argv.corpus === undefined ? madeUp() : abstracts(String(argv.corpus));
