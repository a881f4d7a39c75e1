/** Calls the loops over random streams: see `kernel-random.ts`. */
import { Doubles, kernelMemory, Words } from './kernel-memory.ts';
import { CHOICE_AT, EPOCH_AT } from './kernel-places.ts';
import { type Operand, placeOf, stepOf } from './kernels.ts';

/** Keys of streams, a word of each after the other. */
export interface Keys {
  readonly key0: Words;
  readonly key1: Words;
}

/** How many choices, or stretches, each stream has begun; a single number as long as it is the same for all. */
export type Counts = Words | number;

/** Where streams are. */
export interface Position extends Keys {
  readonly choices: Counts;
  readonly epochs: Counts;
}

/** Numbers that were drawn. */
export interface Drawn {
  readonly numbers: Doubles;
  /** Whether all of them are known to be finite. */
  readonly areFinite: boolean;
}

/** Where the counts are. A single number is written four times, because kernels read four at once. */
function countsAt(counts: Counts, at: number): number {
  if (typeof counts !== 'number') return counts.at;
  kernelMemory().words.fill(counts, at / 4, at / 4 + 4);
  return at;
}

const spanOf = (counts: Counts): number => (typeof counts === 'number' ? 0 : 16);

/** Draws with a loop over streams by these parameters; adds the scores of the draws to totals, if given. `counts` are in place of the second parameter. */
function drawn(
  name: string,
  { key0, key1, choices, epochs }: Position,
  totals: Doubles | null,
  a: Operand,
  b: Operand,
  c: Operand,
  counts?: Words,
): Drawn {
  const memory = kernelMemory();
  const { length } = key0;
  memory.makeRoom(10, 8 * length);
  const choice = countsAt(choices, CHOICE_AT);
  const epoch = countsAt(epochs, EPOCH_AT);
  const atA = placeOf(a, 0);
  const atB = counts?.changing ?? placeOf(b, 1);
  const atC = placeOf(c, 2);
  const numbers = new Doubles(length);
  const finiteness = memory.loops.of(name, 'draws')(
    length,
    key0.at,
    16,
    key1.at,
    16,
    choice,
    spanOf(choices),
    epoch,
    spanOf(epochs),
    numbers.room,
    totals === null ? 0 : totals.changing,
    atA,
    stepOf(a),
    atB,
    stepOf(b),
    atC,
    stepOf(c),
  );
  return { numbers, areFinite: finiteness === 0 };
}

/** For each stream the first uniform of its choice. */
export const uniforms = (position: Position): Doubles => drawn('uniforms', position, null, 0, 0, 0).numbers;

/** For each stream mu + sigma z, with the first standard normal z of its choice. */
export const normals = (position: Position, mu: Operand, sigma: Operand): Drawn =>
  drawn('normals', position, null, mu, sigma, 0);

/** The same, and adds their scores to totals. */
export const scoredNormals = (
  position: Position,
  totals: Doubles,
  mu: Operand,
  sigma: Operand,
  logSigma: Operand,
): Drawn => drawn('normals', position, totals, mu, sigma, logSigma);

/** For each stream 1 if the first uniform of its choice is less than p, else 0. */
export const flips = (position: Position, p: Operand): Doubles => drawn('flips', position, null, p, 0, 0).numbers;

/** The same, and adds the score of each result to totals. */
export const scoredFlips = (position: Position, totals: Doubles, p: Operand, yes: Operand, no: Operand): Doubles =>
  drawn('flips', position, totals, p, yes, no).numbers;

/**
 * For each stream the logarithm of a draw from Gamma(shape, 1), from a number of its own of its choice on; the numbers are then those of what would be
 * drawn next.
 */
export const logGammas = (position: Position, shape: Operand, numbers: Words): Doubles =>
  drawn('logGammas', position, null, shape, 0, 0, numbers).numbers;

/** The keys of children: of iteration `indices[i]` of what reserved the occurrence, in the i-th stream. */
export function childKeys(
  parents: { readonly key0: Counts; readonly key1: Counts },
  occurrences: Counts,
  indices: Counts,
  count: number,
): Keys {
  const memory = kernelMemory();
  memory.makeRoom(6, 4 * count);
  const { key0, key1 } = parents;
  const at0 = countsAt(key0, CHOICE_AT);
  const at1 = countsAt(key1, CHOICE_AT + 16);
  const occurrence = countsAt(occurrences, CHOICE_AT + 32);
  const index = countsAt(indices, CHOICE_AT + 48);
  const made = { key0: new Words(count), key1: new Words(count) };
  memory.loops.of('keys', 'streams')(
    count,
    at0,
    spanOf(key0),
    at1,
    spanOf(key1),
    occurrence,
    spanOf(occurrences),
    index,
    spanOf(indices),
    made.key0.room,
    made.key1.room,
  );
  return made;
}
