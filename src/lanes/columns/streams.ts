/**
 * The random streams of executions side by side: each draws what it would draw alone. Takes the place of
 * `machine.stream` while they run. Keys, and how many choices were begun, are kept for each by its number.
 */
import type { Entry } from '../../runtime/execution.ts';
import { RandomStream, type StreamName } from '../../runtime/random.ts';
import { OneByOne } from '../../runtime/signals.ts';
import {
  type Counts,
  childKeys,
  type Drawn,
  flips,
  type Keys,
  logGammas,
  normals,
  type Position,
  scoredFlips,
  scoredNormals,
  uniforms,
} from './draws.ts';
import { current, currentGroup, type Group } from './group.ts';
import { type Doubles, Words } from './kernel-memory.ts';
import { bump, gatherWords, type Operand } from './kernels.ts';

const cursor = RandomStream.fromSeed(0);

/** The streams of executions that go on as copies of others: those of the executions they descend from. */
export class Lineage {
  /** How often executions went on as copies. */
  generation = 0;
  /** For each execution, the number of the one that its stream was first given to. Not to be changed. */
  origins: Int32Array;

  constructor(size: number, first = 0) {
    this.origins = Int32Array.from({ length: size }, (_, i) => first + i);
  }

  /** Executions go on as copies of others: for each, the number of the one it goes on as. */
  copy(ancestors: Words): void {
    const { array } = ancestors;
    this.generation++;
    const { origins } = this;
    this.origins = Int32Array.from(array, (ancestor) => origins[ancestor]);
  }
}

export class ColumnStreams {
  private choices: Counts = 0;
  private epochs: Counts = 0;
  /** The generation of the lineage that the keys are of. */
  private generation = 0;
  /** How many conditionals around it there were when it was made: inside of more, not all executions move. */
  private readonly depth: number;
  private made: Keys | null = null;

  constructor(
    /** The keys of all executions, by their numbers; worked out when first needed. */
    private readonly makeKeys: (() => Keys) | null,
    private readonly parent: { streams: ColumnStreams; occurrence: Counts; index: Counts } | null = null,
    /** Set where executions take over the streams of those they become copies of. */
    private readonly lineage: Lineage | null = null,
  ) {
    this.depth = current.columns === null ? 0 : currentGroup().depth;
    if (lineage !== null) this.generation = lineage.generation;
  }

  begin(): this {
    this.move(1);
    return this;
  }

  /** Goes to the start of a stretch of all executions, whose choices are counted from zero. */
  enter(epoch: number): void {
    this.epochs = epoch;
    this.choices = 0;
  }

  /** Begins a stretch of the execution, whose choices are counted from zero. */
  nextEpoch(): void {
    const { depth } = currentGroup();
    if (depth === this.depth && typeof this.epochs === 'number' && typeof this.choices === 'number') {
      this.epochs++;
      this.choices = 0;
      return;
    }
    const epochs = this.spread(this.epochs).array.slice();
    const choices = this.spread(this.choices).array.slice();
    for (const slot of currentGroup().slots) {
      epochs[slot]++;
      choices[slot] = 0;
    }
    this.epochs = Words.of(epochs);
    this.choices = Words.of(choices);
  }

  /** Executions go on as copies of others: for each, the number of the one it goes on as. */
  copy(ancestors: () => Words): void {
    if (typeof this.choices !== 'number') this.choices = gatherWords(this.choices, ancestors());
    if (typeof this.epochs !== 'number') this.epochs = gatherWords(this.epochs, ancestors());
  }

  /** Executions have other keys from now on. */
  renew(): void {
    this.made = null;
  }

  private move(by: number): void {
    this.follow();
    const group = currentGroup();
    if (group.depth === this.depth && typeof this.choices === 'number') {
      this.choices += by;
      return;
    }
    const choices = this.spread(this.choices);
    bump(choices, group.numbers, by);
    this.choices = choices;
  }

  /** Moves the streams of the current group, each by a number of choices of its own. */
  moveEach(by: readonly number[]): void {
    if (by.every((count) => count === by[0])) {
      this.move(by[0]);
      return;
    }
    const choices = this.spread(this.choices).array.slice();
    currentGroup().slots.forEach((slot, lane) => {
      choices[slot] += by[lane];
    });
    this.choices = Words.of(choices);
  }

  /** Takes over the streams of ancestors, if executions have become copies of others since. */
  private follow(): void {
    const { lineage, parent } = this;
    if (lineage === null || lineage.generation === this.generation) return;
    if (typeof this.choices !== 'number' || (parent !== null && typeof parent.occurrence !== 'number')) {
      throw new OneByOne(
        'outside',
        'executions that went different ways were resampled, and draw random numbers outside any choice',
      );
    }
    this.generation = lineage.generation;
    this.made = null;
  }

  private spread(counts: Counts): Words {
    const { size } = current.columns!;
    if (typeof counts === 'number') return Words.of(new Int32Array(size).fill(counts));
    // Nothing is drawn from streams whose executions have become more or fewer, unless they have a lineage.
    return counts.length === size ? counts : Words.of(new Int32Array(size));
  }

  /** As the argument of `child`, whatever it is. */
  occurrence(): number {
    this.begin();
    return (typeof this.choices === 'number' ? this.choices : Words.of(this.choices.array)) as number;
  }

  retract(): void {
    this.move(-1);
  }

  /** Executions may be in different iterations. */
  child(occurrence: number, index: Counts): ColumnStreams {
    return new ColumnStreams(null, { streams: this, occurrence: occurrence as Counts, index }, this.lineage);
  }

  sibling(index: number): ColumnStreams {
    const { parent } = this;
    if (parent === null) throw new OneByOne('outside', 'a construct asked for the stream of another iteration');
    return parent.streams.child(parent.occurrence as number, index);
  }

  get used(): boolean {
    return this.choices !== 0 || this.made !== null;
  }

  get position(): number {
    throw new OneByOne('state', 'the program goes on from a point of an execution');
  }

  /** The streams that belong to a name: see `RandomStream.named`. */
  named(name: string | StreamName): ColumnStreams {
    return new ColumnStreams(() => {
      const { key0, key1 } = this.keys;
      const named = Array.from(key0.array, (word, i) => cursor.place(word, key1.array[i], 0, 0).named(name).key);
      return {
        key0: Words.of(Int32Array.from(named, ([word]) => word)),
        key1: Words.of(Int32Array.from(named, ([, word]) => word)),
      };
    });
  }

  private get keys(): Keys {
    this.follow();
    if (this.made === null) {
      const { parent } = this;
      if (parent === null) this.made = this.makeKeys!();
      else {
        const { streams, occurrence, index } = parent;
        this.made = childKeys(streams.keys, occurrence, index, current.columns!.size);
      }
    }
    return this.made;
  }

  /** The first uniform of each execution of the current group at its choice. */
  uniforms(): Doubles {
    return this.here(uniforms);
  }

  /** mu + sigma z for each, with the first standard normal z at its choice. */
  normals(mu: Operand, sigma: Operand): Drawn {
    return this.here((position) => normals(position, mu, sigma));
  }

  /** The logarithm of a draw from Gamma(shape, 1) for each, from these numbers of its choice on, which become those of what would be drawn next. */
  logGammas(shape: Operand, numbers: Words): Doubles {
    return this.here((position) => logGammas(position, shape, numbers));
  }

  /** 1 with probability p for each, else 0. */
  flips(p: Operand): Doubles {
    return this.here((position) => flips(position, p));
  }

  /** Normals of all executions, whose scores are added to totals. */
  scoredNormals(totals: Doubles, mu: Operand, sigma: Operand, logSigma: Operand): Drawn {
    return scoredNormals(this.whole, totals, mu, sigma, logSigma);
  }

  /** Flips of all executions, whose scores are added to totals: that of true, or that of false. */
  scoredFlips(totals: Doubles, p: Operand, yes: Operand, no: Operand): Doubles {
    return scoredFlips(this.whole, totals, p, yes, no);
  }

  /** Where the streams of all executions are. */
  private get whole(): Position {
    const { choices, epochs } = this;
    const { key0, key1 } = this.keys;
    return { key0, key1, choices, epochs };
  }

  /** Draws for the executions of the current group. */
  private here<D>(draw: (position: Position) => D): D {
    const group = currentGroup();
    const all = this.whole;
    if (group.isWhole) return draw(all);
    const { numbers } = group;
    const some = (counts: Counts): Counts => (typeof counts === 'number' ? counts : gatherWords(counts, numbers));
    const ours: Position = {
      key0: gatherWords(all.key0, numbers),
      key1: gatherWords(all.key1, numbers),
      choices: some(all.choices),
      epochs: some(all.epochs),
    };
    const drawn = draw(ours);
    ours.key0.release();
    ours.key1.release();
    if (typeof ours.choices !== 'number') ours.choices.release();
    if (typeof ours.epochs !== 'number') ours.epochs.release();
    return drawn;
  }

  /** The stream of one execution, by its place in the current group, at its choice; one of its own. */
  own(lane: number): RandomStream {
    return this.at(lane, currentGroup(), RandomStream.fromSeed(0));
  }

  /** The same, valid until the next call. */
  at(lane: number, group: Group = currentGroup(), stream: RandomStream = cursor): RandomStream {
    const slot = group.slots[lane];
    const { key0, key1 } = this.keys;
    const choice = typeof this.choices === 'number' ? this.choices : this.choices.array[slot];
    const epoch = typeof this.epochs === 'number' ? this.epochs : this.epochs.array[slot];
    return stream.place(key0.array[slot], key1.array[slot], choice, epoch);
  }

  uniform(): never {
    throw new OneByOne('outside', 'a random number is drawn outside any choice');
  }

  gaussian(): never {
    return this.uniform();
  }

  integer(): never {
    return this.uniform();
  }
}

/** `machine.stream` while they run. */
export function asStream(streams: ColumnStreams): RandomStream {
  return streams as unknown as RandomStream;
}

/** The keys of the streams of executions with these numbers, each of one of the inferences that are run as one. */
export function keysOfInferences(entry: Entry, inferences: Int32Array, numbers: Int32Array): Keys {
  const { key, occurrence } = entry.descent;
  const occurrences = Words.of(inferences.map((k) => occurrence + k));
  return childKeys({ key0: key[0], key1: key[1] }, occurrences, Words.of(numbers), numbers.length);
}

/** The keys of the streams of executions with these numbers. */
export function executionKeys(entry: Entry, numbers: Words): Keys {
  const { key, occurrence } = entry.descent;
  return childKeys({ key0: key[0], key1: key[1] }, occurrence, numbers, numbers.length);
}
