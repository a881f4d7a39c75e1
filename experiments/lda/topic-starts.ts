// Where the guides of topics start: a little way towards the words of documents that are alike.
import { Dirichlet, repeat, sample, type Tensor, Vector } from 'waymark';
import type { Corpus } from './topics.ts';

/** For each group of documents, the expected number of times that each word is in it. */
type Counts = readonly Float64Array[];

interface Groups {
  readonly counts: Counts;
  readonly logLikelihood: number;
}

const RESTARTS = 50;
const ROUNDS = 20;
/** Groups start almost alike: they settle in better ones than those that start apart. */
const EVENNESS = 1000;
/** Added to all counts: rare words say little about which group a document belongs to. */
const SMOOTHING = 1;

/**
 * How far a guide starts from zero, where all topics are alike, towards the logarithms of the counts. It is enough to
 * leave that plateau by, and moves the ELBO of the first step by less than a hundredth.
 */
const SHARE = 0.4;

/** The locations that the guides of topics start at, relative to the last word as those of a LogisticNormal are. */
export function topicStarts(numTopics: number, { vocabulary, documents }: Corpus): Tensor[] {
  const runs = repeat(RESTARTS, () => alike(numTopics, vocabulary.length, documents));
  const { counts } = runs.reduce((best, run) => (run.logLikelihood > best.logLikelihood ? run : best));
  const logs = counts.map((words) => Array.from(words, (count) => Math.log(count + 1)));
  const means = vocabulary.map((_, word) => logs.reduce((sum, log) => sum + log[word], 0) / numTopics);
  return logs.map((log) => {
    const towards = log.map((value, word) => SHARE * (value - means[word]));
    const last = towards[towards.length - 1];
    return Vector(towards.slice(0, -1).map((value) => value - last));
  });
}

/** A mixture of unigram models of the documents, by expectation maximisation from shares drawn at random. */
function alike(numGroups: number, vocabSize: number, documents: Corpus['documents']): Groups {
  const even = Dirichlet({ alpha: Vector(repeat(numGroups, () => EVENNESS)) });
  let shares = documents.map(() => Float64Array.from(sample(even).data));
  let logLikelihood = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const scores = logScores(groupCounts(shares, vocabSize, documents), sizes(shares));
    logLikelihood = 0;
    shares = documents.map((doc) => {
      const logs = scores.map(({ size, words }) => doc.reduce((sum, word) => sum + words[word], size));
      const most = Math.max(...logs);
      const total = logs.reduce((sum, log) => sum + Math.exp(log - most), 0);
      logLikelihood += most + Math.log(total);
      return Float64Array.from(logs, (log) => Math.exp(log - most) / total);
    });
  }
  return { counts: groupCounts(shares, vocabSize, documents), logLikelihood };
}

function groupCounts(shares: readonly Float64Array[], vocabSize: number, documents: Corpus['documents']): Counts {
  const counts = Array.from(shares[0], () => new Float64Array(vocabSize));
  for (const [i, doc] of documents.entries()) {
    for (const [group, share] of shares[i].entries()) {
      for (const word of doc) counts[group][word] += share;
    }
  }
  return counts;
}

const sizes = (shares: readonly Float64Array[]): number[] =>
  Array.from(shares[0], (_, group) => shares.reduce((sum, share) => sum + share[group], 0));

/** Log-probabilities of the groups, and of the words in each. */
function logScores(counts: Counts, groupSizes: readonly number[]) {
  const all = groupSizes.reduce((sum, size) => sum + size + SMOOTHING, 0);
  return counts.map((words, group) => {
    const total = words.reduce((sum, count) => sum + count + SMOOTHING, 0);
    return {
      size: Math.log((groupSizes[group] + SMOOTHING) / all),
      words: words.map((count) => Math.log((count + SMOOTHING) / total)),
    };
  });
}
