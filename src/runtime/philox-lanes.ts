/**
 * Philox for many streams at once: the words of one block for each of them, by a loop in WebAssembly that is made when
 * first needed. What it computes is what `RandomStream` computes for one.
 */
import { type Memory, webAssembly } from '../tensor/wasm/host.ts';
import { philox } from './philox.ts';
import {
  C0,
  C1,
  C2,
  C3,
  get,
  I32,
  I64,
  i32Const,
  K0,
  K1,
  list,
  ROUND,
  section,
  set,
  sized,
  text,
} from './philox-module.ts';

const PAGE = 65536;
/** Parameters: how many streams, and where their words begin. */
const [COUNT, AT] = [8, 9];
const [END, OUT, SPAN] = [10, 11, 12];
const F64_HALF = [0x44, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f];
const F64_2_26 = [0x44, 0, 0, 0, 0, 0, 0, 0x90, 0x41];
const F64_2_M52 = [0x44, 0, 0, 0, 0, 0, 0, 0xb0, 0x3c];

// The locals of `ROUND` come first, so that parameters are copied behind them.
const load = (row: number): number[] => [...[...get(AT), ...get(SPAN), ...i32Const(row), 0x6c, 0x6a], ...[0x28, 2, 0]];
const store = (row: number, word: number): number[] => [
  ...[...get(AT), ...get(SPAN), ...i32Const(row), 0x6c, 0x6a],
  ...[...get(word), 0x36, 2, 0],
];
const bits = (word: number): number[] => [...get(word), ...i32Const(6), 0x76, 0xb8];
/** Uniform on the open interval, from two words. */
const uniform = (high: number, low: number, offset: number): number[] => [
  ...get(OUT),
  ...[...bits(high), ...F64_2_26, 0xa2, ...bits(low), 0xa0, ...F64_HALF, 0xa0, ...F64_2_M52, 0xa2],
  ...[0x39, 3, offset],
];

/** A function of (streams, place in memory) that runs `body` for each, with `AT` at its first word. */
function overStreams(body: readonly number[]): number[] {
  const rounds = new Array<readonly number[]>(10).fill(ROUND).flat();
  const code = [
    // Parameters are locals 0 and 1, which the rounds use for words of the counter.
    ...[...get(0), ...set(COUNT), ...get(1), ...set(AT)],
    ...[...get(COUNT), ...i32Const(2), 0x74, ...set(SPAN)],
    ...[...get(AT), ...get(SPAN), 0x6a, ...set(END)],
    ...[...get(AT), ...get(SPAN), ...i32Const(4), 0x6c, 0x6a, ...set(OUT)],
    ...[0x03, 0x40],
    ...body.slice(0, body.indexOf(-1)),
    ...rounds,
    ...body.slice(body.indexOf(-1) + 1),
    ...[...get(OUT), ...i32Const(16), 0x6a, ...set(OUT)],
    ...[...get(AT), ...i32Const(4), 0x6a, 0x22, AT, ...get(END), 0x49, 0x0d, 0],
    ...[0x0b, 0x0b],
  ];
  // Locals 2 to 5 are words, 6 and 7 products, the rest as above.
  return sized([
    ...list([
      [4, I32],
      [2, I64],
      [5, I32],
    ]),
    ...code,
  ]);
}

const zero = (word: number): number[] => [...i32Const(0), ...set(word)];
/** Where the rounds go. */
const ROUNDS = -1;

const UNIFORMS = [
  ...[...load(0), ...set(K0), ...load(1), ...set(K1), ...load(2), ...set(C1), ...load(3), ...set(C2)],
  ...[...zero(C0), ...zero(C3), ROUNDS, ...uniform(C0, C1, 0), ...uniform(C2, C3, 8)],
];

const KEYS = [
  ...[...load(0), ...set(K0), ...load(1), ...set(K1), ...load(2), ...set(C1), ...load(3), ...set(C0)],
  ...[...zero(C2), ...i32Const(1), ...set(C3), ROUNDS, ...store(0, C0), ...store(1, C1)],
];

function module(): Uint8Array<ArrayBuffer> {
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, list([[0x60, 2, I32, I32, 0]])),
    ...section(3, list([[0], [0]])),
    ...section(5, list([[0, 1]])),
    ...section(
      7,
      list([
        [...text('memory'), 2, 0],
        [...text('uniforms'), 0, 0],
        [...text('keys'), 0, 1],
      ]),
    ),
    ...section(10, list([overStreams(UNIFORMS), overStreams(KEYS)])),
  ]);
}

type Loop = (count: number, at: number) => void;

interface Made {
  readonly memory: Memory;
  readonly uniforms: Loop;
  readonly keys: Loop;
}

let made: Made | null | undefined;

function make(): Made | null {
  try {
    return new webAssembly!.Instance(new webAssembly!.Module(module()), {}).exports as unknown as Made;
  } catch {
    // Without WebAssembly, one after the other.
    return null;
  }
}

function loops(bytes: number): Made | null {
  if (made === undefined) made = make();
  if (made !== null && made.memory.buffer.byteLength < bytes) {
    made.memory.grow(Math.ceil((bytes - made.memory.buffer.byteLength) / PAGE));
  }
  return made;
}

/** Keys of streams, a word of each after the other. */
export interface Keys {
  readonly key0: Int32Array;
  readonly key1: Int32Array;
}

/** For each stream the two uniforms of the first block of its choice, one pair after the other in `into`. */
export function laneUniforms(
  keys: Keys,
  choices: Int32Array | number,
  epochs: Int32Array | number,
  into: Float64Array,
): void {
  const { key0, key1 } = keys;
  const count = key0.length;
  const fast = loops(32 * count);
  if (fast === null || count === 0) {
    for (let i = 0; i < count; i++) {
      const choice = typeof choices === 'number' ? choices : choices[i];
      const epoch = typeof epochs === 'number' ? epochs : epochs[i];
      const words = philox(0, choice, epoch, 0, key0[i], key1[i]);
      into[2 * i] = uniformOf(words[0], words[1]);
      into[2 * i + 1] = uniformOf(words[2], words[3]);
    }
    return;
  }
  const words = new Int32Array(fast.memory.buffer, 0, 4 * count);
  words.set(key0, 0);
  words.set(key1, count);
  if (typeof choices === 'number') words.fill(choices, 2 * count, 3 * count);
  else words.set(choices, 2 * count);
  if (typeof epochs === 'number') words.fill(epochs, 3 * count, 4 * count);
  else words.set(epochs, 3 * count);
  fast.uniforms(count, 0);
  into.set(new Float64Array(fast.memory.buffer, 16 * count, 2 * count));
}

function uniformOf(high: number, low: number): number {
  return ((high >>> 6) * 67108864 + (low >>> 6) + 0.5) / 4503599627370496;
}

/** The keys of children: of iteration `indices[i]` of what reserved the occurrence, in the i-th stream. */
export function childKeys(
  parents: Keys | readonly [number, number],
  occurrences: Int32Array | number,
  indices: Int32Array | number,
  count: number,
): Keys {
  const key0 = new Int32Array(count);
  const key1 = new Int32Array(count);
  const fast = loops(32 * count);
  if (fast === null || count === 0) {
    for (let i = 0; i < count; i++) {
      const [parent0, parent1] = 'key0' in parents ? [parents.key0[i], parents.key1[i]] : parents;
      const occurrence = typeof occurrences === 'number' ? occurrences : occurrences[i];
      const words = philox(typeof indices === 'number' ? indices : indices[i], occurrence, 0, 1, parent0, parent1);
      key0[i] = words[0];
      key1[i] = words[1];
    }
    return { key0, key1 };
  }
  const words = new Int32Array(fast.memory.buffer, 0, 4 * count);
  if ('key0' in parents) {
    words.set(parents.key0, 0);
    words.set(parents.key1, count);
  } else {
    words.fill(parents[0], 0, count);
    words.fill(parents[1], count, 2 * count);
  }
  if (typeof occurrences === 'number') words.fill(occurrences, 2 * count, 3 * count);
  else words.set(occurrences, 2 * count);
  if (typeof indices === 'number') words.fill(indices, 3 * count, 4 * count);
  else words.set(indices, 3 * count);
  fast.keys(count, 0);
  key0.set(words.subarray(0, count));
  key1.set(words.subarray(count, 2 * count));
  return { key0, key1 };
}
