/**
 * The streams that a recorded step draws from, generation by generation, as arrays: for a step with other roots the keys
 * of a whole generation are derived in one loop, and all streams of a kind draw together.
 */
import type { RandomStream } from '../runtime/random.ts';
import { childKeys, type LaneStreams, laneNormals, laneUniforms, onDevice, ResidentNoise } from '../tensor/random.ts';
import type { ResidentBuffer } from '../tensor/wasm/resident.ts';
import { Spread } from './spread.ts';

/** What is drawn: standard normals, or uniform numbers between 0 and 1. */
export type NoiseKind = 'gaussian' | 'uniform';

/** So many numbers for each stream at its current choice. */
export function laneNoise(kind: NoiseKind, streams: readonly RandomStream[], each: number): Float64Array {
  const size = streams.length;
  const all = { key0: new Int32Array(size), key1: new Int32Array(size), choice: new Int32Array(size) };
  for (let i = 0; i < size; i++) {
    const { key } = streams[i];
    all.key0[i] = key[0];
    all.key1[i] = key[1];
    all.choice[i] = streams[i].position;
  }
  return draw(kind, all, each);
}

const NAMES = { gaussian: 'normals', uniform: 'uniforms' } as const;

const draw = (kind: NoiseKind, streams: LaneStreams, each: number): Float64Array =>
  (kind === 'uniform' ? laneUniforms : laneNormals)(streams, each);

/** A stream by its generation and its number within that. */
interface Place {
  readonly level: number;
  readonly at: number;
}

interface Level {
  /** Numbers of the streams they come from, in the generation before. */
  readonly parents: number[];
  readonly occurrences: number[];
  readonly indices: number[];
  key0: Int32Array;
  key1: Int32Array;
  /** The first three as arrays for the device, and room for the keys of parents; made when the first step begins. */
  words: LevelWords | null;
}

interface LevelWords {
  readonly parents: Spread;
  readonly occurrences: Int32Array;
  readonly indices: Int32Array;
  readonly key0: Int32Array;
  readonly key1: Int32Array;
}

function wordsOf({ parents, occurrences, indices }: Level): LevelWords {
  const { length } = parents;
  return {
    parents: new Spread(parents),
    occurrences: Int32Array.from(occurrences),
    indices: Int32Array.from(indices),
    key0: new Int32Array(length),
    key1: new Int32Array(length),
  };
}

/** Noise drawn in one call: the same kind and amount for each of some streams of one generation. */
class Draws {
  private readonly at: number[] = [];
  private readonly choices: number[] = [];
  private streams: (LaneStreams & { readonly spread: Spread }) | null = null;
  private resident: ResidentNoise | null = null;
  private drawn: Float64Array = new Float64Array(0);
  private drawnIn = -1;
  /** Of what stays on the device, by where they begin. */
  private readonly parts = new Map<number, ResidentBuffer>();

  constructor(
    private readonly kind: NoiseKind,
    private readonly each: number,
    private readonly level: Level,
  ) {}

  /** Where the numbers of these streams will be: from one place to another. */
  add(places: readonly Place[], streams: readonly RandomStream[]): readonly [number, number] {
    const from = this.at.length * this.each;
    for (const { at } of places) this.at.push(at);
    for (const { position } of streams) this.choices.push(position);
    return [from, this.at.length * this.each];
  }

  /** The numbers of the step at hand from one place to another; they stay on the device if there is one. */
  numbers(step: number, from: number, to: number): Float64Array | ResidentBuffer {
    if (this.drawnIn !== step) this.draw();
    this.drawnIn = step;
    if (this.resident === null) return this.drawn.subarray(from, to);
    let part = this.parts.get(from);
    if (part === undefined) {
      part = this.resident.buffer.part(from, to - from);
      this.parts.set(from, part);
    }
    return part;
  }

  private draw(): void {
    const { at, level, kind, each } = this;
    this.streams ??= {
      key0: new Int32Array(at.length),
      key1: new Int32Array(at.length),
      choice: Int32Array.from(this.choices),
      spread: new Spread(at),
    };
    const { key0, key1, spread } = this.streams;
    spread.copy(level.key0, key0);
    spread.copy(level.key1, key1);
    if (onDevice(at.length * each)) {
      this.resident ??= new ResidentNoise(NAMES[kind], at.length, each);
      this.resident.draw(this.streams);
    } else this.drawn = draw(kind, this.streams, each);
  }
}

export class StreamForest {
  private readonly places = new Map<RandomStream, Place>();
  private readonly levels: Level[] = [];
  private readonly draws = new Map<string, Draws>();
  private step = 0;

  /** A root stream, which is another one in later steps. */
  root(stream: RandomStream): void {
    this.places.set(stream, this.append(0, 0, 0, 0));
  }

  /** The keys of a later step's roots, in the order given. */
  begin(roots: readonly RandomStream[]): void {
    this.step++;
    for (let depth = 0; depth < this.levels.length; depth++) this.derive(depth, roots);
  }

  /** The stream of a lane is that of another iteration from now on. */
  restart(stream: RandomStream, index: number): void {
    const place = this.places.get(stream);
    if (place === undefined) return;
    const level = this.levels[place.level];
    level.indices[place.at] = index;
    if (level.words !== null) level.words.indices[place.at] = index;
  }

  /** Noise for streams at their current choice; undefined if some of them cannot be found again in this way. */
  noise(
    kind: NoiseKind,
    streams: readonly RandomStream[],
    each: number,
  ): (() => Float64Array | ResidentBuffer) | undefined {
    const places = streams.map((stream) => this.place(stream));
    const level = places[0]?.level;
    if (level === undefined || !places.every((place) => place?.level === level)) return undefined;
    const key = `${kind} ${each} ${level}`;
    let draws = this.draws.get(key);
    if (draws === undefined) {
      draws = new Draws(kind, each, this.levels[level]);
      this.draws.set(key, draws);
    }
    const all = draws;
    const [from, to] = all.add(places as Place[], streams);
    return () => all.numbers(this.step, from, to);
  }

  /** The keys of streams in the step at hand, one word of each; undefined if some of them cannot be found again in this way. */
  keys(streams: readonly RandomStream[]): ((word: 0 | 1) => Int32Array) | undefined {
    const places = streams.map((stream) => this.place(stream));
    const depth = places[0]?.level;
    if (depth === undefined || !places.every((place) => place?.level === depth)) return undefined;
    const level = this.levels[depth];
    const spread = new Spread(places.map((place) => place!.at));
    const out = [new Int32Array(places.length), new Int32Array(places.length)];
    return (word) => {
      spread.copy(word === 0 ? level.key0 : level.key1, out[word]);
      return out[word];
    };
  }

  private place(stream: RandomStream): Place | undefined {
    const known = this.places.get(stream);
    if (known !== undefined) return known;
    const { descent } = stream;
    const parent = descent && this.place(descent.parent);
    if (descent === undefined || parent === undefined) return undefined;
    const place = this.append(parent.level + 1, parent.at, descent.occurrence, descent.index);
    this.places.set(stream, place);
    return place;
  }

  private append(depth: number, parent: number, occurrence: number, index: number): Place {
    this.levels[depth] ??= {
      parents: [],
      occurrences: [],
      indices: [],
      key0: new Int32Array(0),
      key1: new Int32Array(0),
      words: null,
    };
    const level = this.levels[depth];
    level.words = null;
    level.parents.push(parent);
    level.occurrences.push(occurrence);
    level.indices.push(index);
    return { level: depth, at: level.parents.length - 1 };
  }

  private derive(depth: number, roots: readonly RandomStream[]): void {
    const level = this.levels[depth];
    if (depth === 0) {
      makeRoom(level, roots.length);
      for (let i = 0; i < roots.length; i++) {
        const { key } = roots[i];
        level.key0[i] = key[0];
        level.key1[i] = key[1];
      }
      return;
    }
    const above = this.levels[depth - 1];
    level.words ??= wordsOf(level);
    const { words } = level;
    words.parents.copy(above.key0, words.key0);
    words.parents.copy(above.key1, words.key1);
    makeRoom(level, words.indices.length);
    childKeys(words, words.occurrences, words.indices, level);
  }
}

/** For the keys of so many streams. */
function makeRoom(level: Level, count: number): void {
  if (level.key0.length === count) return;
  level.key0 = new Int32Array(count);
  level.key1 = new Int32Array(count);
}
