/** Calls the loops of `kernel-module.ts`. */
import { Doubles, kernelMemory, Words } from './kernel-memory.ts';
import { SAME_AT, SQUARES_AT } from './kernel-places.ts';

/** A number for each execution, or one for all. */
export type Operand = Doubles | number;

/** How far numbers are apart that kernels take two at once, in bytes from two to the next two. */
export const stepOf = (operand: Operand | undefined): number => (operand instanceof Doubles ? 16 : 0);

/** Where an operand is; `k` is its place among those of a kernel. */
export function placeOf(operand: Operand, k: number): number {
  if (typeof operand !== 'number') return operand.at;
  const at = SAME_AT + 16 * k;
  const { doubles } = kernelMemory();
  doubles[at / 8] = operand;
  doubles[at / 8 + 1] = operand;
  return at;
}

/** The results of a kernel for `size` executions. They may overwrite one of the operands. */
export function elementwise(
  name: string,
  size: number,
  a: Operand,
  b?: Operand,
  c?: Operand,
  d?: Operand,
  into?: Doubles,
): Doubles {
  const memory = kernelMemory();
  memory.makeRoom(5, 8 * size);
  const atA = placeOf(a, 0);
  const atB = b === undefined ? 0 : placeOf(b, 1);
  const atC = c === undefined ? 0 : placeOf(c, 2);
  const atD = d === undefined ? 0 : placeOf(d, 3);
  const result = into ?? new Doubles(size);
  const out = into === undefined ? result.room : result.changing;
  memory.loops.of(name)(size, atA, stepOf(a), atB, stepOf(b), atC, stepOf(c), atD, stepOf(d), out);
  return result;
}

/** The first where the condition holds, else the second. */
export function select(condition: Doubles, yes: Operand, no: Operand): Doubles {
  const selected = elementwise('select', condition.length, condition, yes, no);
  if (typeof yes !== 'number' || typeof no !== 'number') return selected;
  return selected.areOneOfTwo({ condition, values: [yes, no] });
}

/**
 * The product of a matrix, row after row, with a vector of each execution, of which each entry is a column, plus a vector that is the
 * same for all. Each entry of the result is a column.
 */
export function product(matrix: Doubles, vector: readonly Doubles[], added: Doubles): Doubles[] {
  const [{ length: size }] = vector;
  const { length: rows } = added;
  const columns = vector.length + rows;
  const memory = kernelMemory();
  memory.makeRoom(columns + 4, 8 * (size + Math.ceil(matrix.length / columns)));
  const made = Array.from({ length: rows }, () => new Doubles(size));
  const inputs = Words.of(Int32Array.from(vector, ({ at }) => at));
  const outputs = Words.of(Int32Array.from(made, ({ room }) => room));
  memory.loops.of('product')(size, rows, vector.length, matrix.at, added.at, inputs.at, outputs.at);
  inputs.release();
  outputs.release();
  return made;
}

/** Adds to numbers. */
export function addTo(totals: Doubles, added: Operand): void {
  elementwise('add', totals.length, totals, added, undefined, undefined, totals);
}

/**
 * Adds scores, one for each execution or one for all, to scores and to log-weights. Gives the largest of these, or NaN if a
 * score is not finite.
 */
export function gain(score: Operand, scores: Doubles, weights: Doubles): number {
  const memory = kernelMemory();
  memory.makeRoom(3, 8 * scores.length);
  const at = placeOf(score, 0);
  return memory.kernels.gain(scores.length, at, stepOf(score), scores.changing, weights.changing);
}

/** The same with the scores of values by Gaussians. */
export function gaussianGain(
  x: Operand,
  mu: Operand,
  sigma: Operand,
  logSigma: Operand,
  scores: Doubles,
  weights: Doubles,
): number {
  const memory = kernelMemory();
  memory.makeRoom(6, 8 * scores.length);
  const atX = placeOf(x, 0);
  const atMu = placeOf(mu, 1);
  const atSigma = placeOf(sigma, 2);
  const atLog = placeOf(logSigma, 3);
  const toScores = scores.changing;
  const toWeights = weights.changing;
  return memory.kernels.gaussianGain(
    scores.length,
    atX,
    stepOf(x),
    atMu,
    stepOf(mu),
    atSigma,
    stepOf(sigma),
    atLog,
    stepOf(logSigma),
    toScores,
    toWeights,
  );
}

/** The largest number. */
export function largest(numbers: Doubles): number {
  const memory = kernelMemory();
  memory.makeRoom(1, 8 * numbers.length);
  return memory.kernels.most(numbers.length, numbers.at);
}

/** Sums of numbers and of their squares. */
export interface Sums {
  readonly total: number;
  readonly squares: number;
}

/** Writes weights in units of the largest, given their logarithms. */
export function weightsFrom(logWeights: Doubles, most: number, into: Doubles): Sums {
  const memory = kernelMemory();
  memory.makeRoom(2, 8 * into.length);
  const total = memory.kernels.exponentials(into.length, logWeights.at, into.room, most);
  return { total, squares: memory.doubles[SQUARES_AT / 8] };
}

/** Divides weights by their sum; gives the sum of their squares then. */
export function divideBy(total: number, weights: Doubles): number {
  const memory = kernelMemory();
  memory.makeRoom(1, 8 * weights.length);
  return memory.kernels.divide(weights.length, weights.changing, total);
}

/** How many children each gets by systematic resampling, `size` in all; given the sum of the weights. */
export function systematicChildren(weights: Doubles, total: number, size: number, offset: number): Words {
  const memory = kernelMemory();
  memory.makeRoom(2, 8 * weights.length);
  const children = new Words(weights.length);
  memory.kernels.systematic(weights.length, weights.at, children.room, size, offset, total);
  return children;
}

/** The parent of each place, given numbers of children. */
export function parentPlaces(children: Words): Words {
  const memory = kernelMemory();
  const { length } = children;
  memory.makeRoom(4, 4 * (length + 1));
  const parents = new Words(length);
  const free = new Words(length + 1);
  const more = new Words(length + 1);
  memory.kernels.parents(length, children.at, parents.room, free.room, more.room);
  free.release();
  more.release();
  return parents;
}

/** Pairs of places: one whose execution ends, and one whose execution goes on there too. */
export interface Pairs {
  readonly words: Words;
  readonly count: number;
}

/** Systematic resampling of as many as there are weights; null if rounding stands in the way. */
export function resampledPairs(weights: Doubles, total: number, offset: number): Pairs | null {
  const memory = kernelMemory();
  const { length } = weights;
  memory.makeRoom(2, 8 * (length + 1));
  const words = new Words(2 * (length + 1));
  const count = memory.kernels.moves(length, weights.at, words.room, offset, total);
  words.shorten(2 * Math.max(count, 0));
  return count < 0 ? null : { words, count };
}

/** Copies numbers in place. */
export function moveNumbers(numbers: Doubles, { words, count }: Pairs): void {
  const memory = kernelMemory();
  memory.makeRoom(2, 8 * numbers.length);
  memory.kernels.move(count, words.at, numbers.changing);
  numbers.areOthers();
}

/** For each of so many places, where its execution comes from. */
export function sourcesOf(size: number, { words, count }: Pairs): Words {
  const memory = kernelMemory();
  memory.makeRoom(2, 8 * size);
  const sources = consecutive(0, size);
  memory.kernels.redirect(count, words.at, sources.changing);
  return sources;
}

/** Whether all numbers are finite. */
export function areFinite(numbers: Doubles): boolean {
  if (numbers.oneOfTwo?.values.every(Number.isFinite)) return true;
  const memory = kernelMemory();
  memory.makeRoom(1, 8 * numbers.length);
  return memory.kernels.finiteness(numbers.length, numbers.at) === 0;
}

/** Whether all numbers are the same. */
export function areEqual(numbers: Doubles): boolean {
  const memory = kernelMemory();
  memory.makeRoom(1, 8 * numbers.length);
  return memory.kernels.equality(numbers.length, numbers.at) === 1;
}

/** Adds to the words at these places. */
export function bump(into: Words, places: Words, by: number): void {
  const memory = kernelMemory();
  memory.makeRoom(2, 4 * Math.max(into.length, places.length));
  memory.kernels.bump(places.length, into.changing, places.at, by);
}

/** The sum of squares. */
export function sumOfSquares(numbers: Doubles): number {
  const memory = kernelMemory();
  memory.makeRoom(1, 8 * numbers.length);
  return memory.kernels.squares(numbers.length, numbers.at);
}

/** The numbers at these places. */
export function gather(data: Doubles, places: Words): Doubles {
  const memory = kernelMemory();
  memory.makeRoom(3, 8 * Math.max(data.length, places.length));
  const result = new Doubles(places.length);
  memory.kernels.gather(places.length, data.at, places.at, result.room);
  return result;
}

/** The words at these places. */
export function gatherWords(data: Words, places: Words): Words {
  const memory = kernelMemory();
  memory.makeRoom(3, 4 * Math.max(data.length, places.length));
  const result = new Words(places.length);
  memory.kernels.gatherWords(places.length, data.at, places.at, result.room);
  return result;
}

/** Puts the numbers at their places in `into`, or adds them to those there. */
export function scatter(data: Operand, places: Words, into: Doubles, adding = false): void {
  const memory = kernelMemory();
  memory.makeRoom(3, 8 * Math.max(into.length, places.length));
  const { kernels } = memory;
  const at = placeOf(data, 0);
  (adding ? kernels.scatterAdd : kernels.scatter)(places.length, at, stepOf(data) / 2, places.at, into.changing);
}

/** first, first + 1, …: so many. */
export function consecutive(first: number, length: number): Words {
  const memory = kernelMemory();
  memory.makeRoom(1, 4 * length);
  const result = new Words(length);
  memory.kernels.consecutive(length, first, result.room);
  return result;
}

/** The places of the numbers that are not 0, and of those that are. */
export function partition(data: Doubles): readonly [Words, Words] {
  const memory = kernelMemory();
  memory.makeRoom(3, 8 * data.length);
  const yes = new Words(data.length);
  const no = new Words(data.length);
  yes.length = memory.kernels.partition(data.length, data.at, yes.room, no.room) / 4;
  no.length = data.length - yes.length;
  return [yes, no];
}
