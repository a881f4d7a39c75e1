/** Guides of topics start towards the words of documents that are alike. */
import { expect, test } from 'vitest';
import { topicStarts } from '../../experiments/lda/topic-starts.ts';
import type { Tensor } from '../../src/tensor/tensor.ts';

const vocabulary = ['cat', 'dog', 'hen', 'tin', 'zinc', 'iron'];
/** Long enough to leave no doubt which group a document belongs to. */
const tenTimes = (words: number[]): number[] => Array.from({ length: 10 }, () => words).flat();
const animals = [
  [0, 1, 2, 1],
  [1, 2, 0],
  [2, 2, 0, 1],
].map(tenTimes);
const metals = [
  [3, 4, 5],
  [5, 4, 3, 3],
  [4, 4, 5, 3],
].map(tenTimes);

/** Where each word starts, the last one included, to which the others are relative. */
const locations = (start: Tensor): number[] => [...start.data, 0];

test('topics start apart, each towards documents of one kind', () => {
  const starts = topicStarts(2, { vocabulary, documents: [...animals, ...metals] });
  const kinds = starts.map((start) => [locations(start).slice(0, 3), locations(start).slice(3)]);
  const [[first, second]] = kinds.filter(([animal, metal]) => Math.min(...animal) > Math.max(...metal));
  // Two fifths of the way to the logarithms of the counts, plus 1: the rarest words are there thirty times, or not at all.
  expect(Math.min(...first) - Math.max(...second)).toBeCloseTo(0.4 * Math.log(31), 6);
  expect(kinds.filter(([animal, metal]) => Math.min(...metal) > Math.max(...animal))).toHaveLength(1);
});

test('the words of all topics are as likely on average as at zero', () => {
  const starts = topicStarts(2, { vocabulary, documents: [...animals, ...metals] }).map(locations);
  for (const word of vocabulary.keys()) expect(starts[0][word] + starts[1][word]).toBeCloseTo(0, 12);
});
