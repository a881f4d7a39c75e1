/** Data for the programs that read some: made up, and small. */
import { gzipSync } from 'node:zlib';

export type MadeUp = object;

/** Numbers that look random, the same on every machine. */
const noise = (i: number, j = 0): number => {
  const x = Math.sin(i * 12.9898 + j * 78.233) * 43758.5453;
  return x - Math.floor(x);
};
const numbers = (count: number, of: (i: number) => number): number[] => Array.from({ length: count }, (_, i) => of(i));

const POINTS = 12;
const points = (shift: number): number[] => numbers(POINTS, (i) => 4 * noise(i, shift) - 2);

const VOCABULARY = 6;
const documents = Array.from({ length: 4 }, (_, d) => numbers(5, (i) => Math.floor(VOCABULARY * noise(i, d))));

const CAUSES = 8;
const EFFECTS = 6;
const graph = {
  numDiseases: CAUSES,
  numSymptoms: EFFECTS,
  diseaseNodes: numbers(CAUSES, (i) => 0.05 + 0.2 * noise(i)).map((priorProb) => ({ priorProb })),
  symptomNodes: Array.from({ length: EFFECTS }, (_, j) => ({
    leakProb: 0.05,
    parents: [0, 1, 2].map((k) => ({ index: (j + 3 * k) % CAUSES, prob: 0.3 + 0.1 * k })),
  })),
};
/** More than the 20 of a minibatch. */
const CASES = 30;
const cases = (count: number): boolean[][] =>
  Array.from({ length: count }, (_, n) => Array.from({ length: EFFECTS }, (_, j) => noise(j, n) < 0.4));

/** More than the 100 of a minibatch. */
const DIGITS = 110;
const digits = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => numbers(28 * 28, (i) => (noise(i, n) < 0.2 ? 1 : 0)).join(''));

const ROWS = 40;
const column = (j: number): number[] => numbers(ROWS, (i) => 0.5 + noise(i, j));

const bytes = (count: number, most: number, seed: number): Uint8Array =>
  Uint8Array.from({ length: count }, (_, i) => Math.floor(most * noise(i, seed)));
/** An IDX file of bytes. */
const idx = (dimensions: readonly number[], contents: Uint8Array): Uint8Array =>
  Uint8Array.from([0, 0, 8, dimensions.length, ...dimensions.flatMap((n) => [0, 0, n >> 8, n & 255]), ...contents]);
const images = (count: number, seed: number): Uint8Array =>
  idx([count, 28, 28], bytes(count * 28 * 28, 256, seed).map((grey) => (grey < 200 ? 0 : grey))); // biome-ignore format: a row
const labels = (count: number): Uint8Array =>
  idx(
    [count],
    Uint8Array.from({ length: count }, (_, i) => i % 10),
  );

/** Files of data sets that programs look for in a folder. */
export const madeUpFiles: Readonly<Record<string, Uint8Array | string>> = {
  'train-images-idx3-ubyte': images(30, 0),
  'train-labels-idx1-ubyte': labels(30),
  't10k-images-idx3-ubyte': images(10, 1),
  't10k-labels-idx1-ubyte': labels(10),
  'static-binarized-train.bits': bytes(30 * 98, 256, 2),
  'static-binarized-test.bits': bytes(30 * 98, 256, 3),
  'eight_schools-eight_schools_noncentered.json': JSON.stringify({
    data: { y: [28, 8, -3, 7, -1, 1, 18, 12], sigma: [15, 10, 16, 11, 9, 11, 10, 18] },
    reference: { mu: { mean: 4.4, sd: 3.3 } },
  }),
  'two_moons.json': JSON.stringify({ parameters: 2, observations: [[-0.6, 0.2]] }),
  'two_moons.f32.gz': gzipSync(Float32Array.from({ length: 400 }, (_, i) => noise(i) - 0.5)),
};

const chord = (i: number, part: number): number[] => [50, 57, 62].map((note) => note + Math.floor(5 * noise(i, part)));
const pieces = (count: number): number[][][] =>
  Array.from({ length: count }, (_, n) => Array.from({ length: 3 + (n % 2) }, (_, i) => chord(i, n)));

export const madeUp = {
  beyond: {
    train: pieces(6),
    valid: pieces(2),
    test: pieces(2),
  },
  rws: { weights: [0.2, 0.3, 0.5], train: numbers(110, (i) => 30 * noise(i, 2)), test: points(4).slice(0, 2) },
  amortize: {},
  bench: { vocabSize: VOCABULARY, documents },
  gmm: { runs: [{ train: points(0), test: points(1).slice(0, 2) }] },
  lda: { vocabulary: numbers(VOCABULARY, (i) => i).map((i) => `word${i}`), documents },
  qmr: { graph, train: cases(CASES), test: cases(2) },
  'vae-sbn': { train: digits(DIGITS), test: digits(2) },
  'lotka-volterra': { ts: [1, 2, 3], y_init: [30, 4], y: [40, 50, 60].map((hares, i) => [hares, 5 + 3 * i]) },
  /** One for all others: each program takes what it knows. */
  posteriors: {
    ...{
      N: ROWS,
      T: ROWS,
      K: 5,
      D: 5,
      sigma1: 0.5,
      y: column(0),
      sigma: column(1),
      X: column(2).map((_, i) => numbers(5, (j) => noise(i, j))),
    },
    ...{ kid_score: column(3), mom_iq: column(4), earn: column(5), height: column(6) },
    ...{ diam1: column(7), diam2: column(8), canopy_height: column(9), total_height: column(10), density: column(11) },
    ...{ group: numbers(ROWS, (i) => i % 2), weight: column(12), x: column(15), k: numbers(ROWS, (i) => i % 4) },
    ...{
      alpha: [
        [4.5, 3.5],
        [3.5, 4.5],
      ],
      u: column(13),
      v: column(14),
    },
    ...{ x: numbers(ROWS, (i) => 2 * i), k: numbers(ROWS, (i) => 1 + (i % 4)) },
  },
};
