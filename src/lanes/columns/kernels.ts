/** Calls the loops of `kernel-module.ts`: what they work on is copied into their memory, and results out of it. */
import { decode, type ExportedFunction, type Memory, webAssembly } from '../../tensor/wasm/host.ts';
import bytes from './kernel-module.ts?bytes';

const PAGE = 65536;

interface Made {
  readonly memory: Memory;
  readonly kernels: Readonly<Record<string, ExportedFunction>>;
  doubles: Float64Array;
  words: Int32Array;
}

let made: Made | null = null;

function make(): Made {
  const memory = new webAssembly!.Memory({ initial: 16, maximum: 65536 } as never);
  const env = { memory, log: Math.log, cos: Math.cos, exp: Math.exp };
  const kernels = new webAssembly!.Instance(new webAssembly!.Module(decode(bytes)), { env }).exports;
  return { memory, kernels, doubles: new Float64Array(memory.buffer), words: new Int32Array(memory.buffer) };
}

/** The kernels, with room for so many bytes. */
function withRoom(bytes: number): Made {
  made ??= make();
  const { memory } = made;
  if (memory.buffer.byteLength < bytes) memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / PAGE));
  if (made.doubles.buffer !== memory.buffer) {
    made.doubles = new Float64Array(memory.buffer);
    made.words = new Int32Array(memory.buffer);
  }
  return made;
}

/** A number for each execution, or with step 0 one for all. */
export interface Numbers {
  readonly data: Float64Array;
  readonly step: 0 | 1;
}

/** Random numbers that are in the kernels' memory, until the next kernel that makes some. */
export interface Resident {
  /** Where, in bytes. */
  readonly at: number;
}

const MOST_INPUTS = 4;

/** What a kernel makes of numbers of `size` executions. */
export function elementwise(
  name: string,
  size: number,
  inputs: readonly (Numbers | Resident)[],
  into?: Float64Array,
): Float64Array {
  // Random numbers are at the start.
  const start = 2 * inFours(size);
  const { doubles, kernels } = withRoom(8 * (start + size * (inputs.length + 1)));
  const given = [size, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let k = 0; k < inputs.length; k++) {
    const input = inputs[k];
    if ('at' in input) {
      given[1 + 2 * k] = input.at;
      given[2 + 2 * k] = 8;
      continue;
    }
    const { data, step } = input;
    const at = start + k * size;
    if (step === 0) doubles[at] = data[0];
    else doubles.set(data, at);
    given[1 + 2 * k] = 8 * at;
    given[2 + 2 * k] = 8 * step;
  }
  const out = start + inputs.length * size;
  given[1 + 2 * MOST_INPUTS] = 8 * out;
  kernels[name](...given);
  if (into === undefined) return doubles.slice(out, out + size);
  into.set(doubles.subarray(out, out + size));
  return into;
}

const inFours = (n: number): number => (n + 3) & ~3;

/** Keys of streams, a word of each after the other. */
export interface Keys {
  readonly key0: Int32Array;
  readonly key1: Int32Array;
}

type Words = Int32Array | number;

function put(words: Int32Array, value: Words, at: number, count: number): void {
  if (typeof value === 'number') words.fill(value, at, at + count);
  else words.set(value, at);
}

/** For each stream the two uniforms of the first block of its choice. */
export function uniformPairs(keys: Keys, choices: Words, epochs: Words): readonly [Resident, Resident] {
  const count = keys.key0.length;
  const padded = inFours(count);
  const { words, kernels } = withRoom(32 * padded);
  const at = 4 * padded;
  put(words, keys.key0, at, padded);
  put(words, keys.key1, at + padded, padded);
  put(words, choices, at + 2 * padded, padded);
  put(words, epochs, at + 3 * padded, padded);
  kernels.uniforms(padded, 4 * at, 0);
  return [{ at: 0 }, { at: 8 * padded }];
}

/** The keys of children: of iteration `indices[i]` of what reserved the occurrence, in the i-th stream. */
export function childKeys(
  parents: { readonly key0: Words; readonly key1: Words },
  occurrences: Words,
  indices: Words,
  count: number,
): Keys {
  const padded = inFours(count);
  const { words, kernels } = withRoom(16 * padded);
  put(words, parents.key0, 0, padded);
  put(words, parents.key1, padded, padded);
  put(words, occurrences, 2 * padded, padded);
  put(words, indices, 3 * padded, padded);
  kernels.keys(padded, 0, 0);
  return { key0: words.slice(0, count), key1: words.slice(padded, padded + count) };
}

/** Writes the normalised weights into `shares`; returns the log of the sum of the weights, −∞ if all are zero. */
export function normaliseWeights(logWeights: Float64Array, shares: Float64Array): number {
  const n = logWeights.length;
  const { doubles, kernels } = withRoom(16 * n);
  doubles.set(logWeights, 0);
  const logSum = kernels.normalise(n, 0, 8 * n);
  if (logSum > -Infinity) shares.set(doubles.subarray(n, 2 * n));
  return logSum;
}

/** How many children each gets by systematic resampling, `size` in all. */
export function systematicChildren(shares: Float64Array, size: number, offset: number): Int32Array {
  const n = shares.length;
  const { doubles, words, kernels } = withRoom(12 * n);
  doubles.set(shares, 0);
  kernels.systematic(n, 0, 8 * n, size, offset);
  return words.slice(2 * n, 3 * n);
}

/** The parent of each place, given numbers of children. */
export function parentPlaces(children: Int32Array): Int32Array {
  const n = children.length;
  const { words, kernels } = withRoom(8 * n);
  words.set(children, 0);
  kernels.parents(n, 0, 4 * n);
  return words.slice(n, 2 * n);
}

/** Whether all numbers are finite. */
export function areFinite(numbers: Float64Array): boolean {
  const { doubles, kernels } = withRoom(8 * numbers.length);
  doubles.set(numbers, 0);
  return kernels.finiteness(numbers.length, 0, 0) === 0;
}

/** Adds to the words at these places. */
export function bump(into: Int32Array, places: Int32Array, by: number): void {
  const { length } = into;
  const { words, kernels } = withRoom(4 * (length + places.length));
  words.set(into, 0);
  words.set(places, length);
  kernels.bump(places.length, 0, 4 * length, by);
  into.set(words.subarray(0, length));
}

/** The sum of squares. */
export function sumOfSquares(numbers: Float64Array): number {
  const { doubles, kernels } = withRoom(8 * numbers.length);
  doubles.set(numbers, 0);
  return kernels.squares(numbers.length, 0, 0);
}

/** The numbers at these places. */
export function gather(data: Float64Array, places: Int32Array): Float64Array {
  const n = places.length;
  const at = data.length;
  const out = at + Math.ceil(n / 2);
  const { doubles, words, kernels } = withRoom(8 * (out + n));
  doubles.set(data, 0);
  words.set(places, 2 * at);
  kernels.gather(n, 0, 8 * at, 8 * out);
  return doubles.slice(out, out + n);
}

export function gatherWords(data: Int32Array, places: Int32Array): Int32Array {
  const n = places.length;
  const at = data.length;
  const { words, kernels } = withRoom(4 * (at + 2 * n));
  words.set(data, 0);
  words.set(places, at);
  kernels.gatherWords(n, 0, 4 * at, 4 * (at + n));
  return words.slice(at + n, at + 2 * n);
}

/** Puts the numbers at their places in `into`, or adds them to those there. */
export function scatter(data: Float64Array, places: Int32Array, into: Float64Array, adding = false): void {
  const n = places.length;
  const at = into.length + n;
  const { doubles, words, kernels } = withRoom(8 * (at + Math.ceil(n / 2)));
  doubles.set(into, 0);
  doubles.set(data, into.length);
  words.set(places, 2 * at);
  (adding ? kernels.scatterAdd : kernels.scatter)(n, 8 * into.length, 8 * at, 0);
  into.set(doubles.subarray(0, into.length));
}

/** The places of the numbers that are not 0, and of those that are. */
export function partition(data: Float64Array): readonly [Int32Array, Int32Array] {
  const n = data.length;
  const { doubles, words, kernels } = withRoom(16 * n);
  doubles.set(data, 0);
  const count = kernels.partition(n, 0, 8 * n, 12 * n) / 4;
  return [words.slice(2 * n, 2 * n + count), words.slice(3 * n, 4 * n - count)];
}
