/**
 * The random streams of executions side by side: each draws what it would draw alone. Takes the place of
 * `machine.stream` while they run. Keys, and how many choices were begun, are kept for each by its number.
 */
import type { Entry } from '../../runtime/execution.ts';
import { RandomStream } from '../../runtime/random.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { current, currentGroup, type Group } from './group.ts';
import { bump, childKeys, gatherWords, type Keys, type Resident, uniformPairs } from './kernels.ts';

/** How many choices each has begun: one number while they go together. */
type Counts = Int32Array | number;

const cursor = RandomStream.fromSeed(0);

export class ColumnStreams {
  private choices: Counts = 0;
  private epochs: Counts = 0;
  /** How many conditionals around it there were when it was made: inside of more, not all executions move. */
  private readonly depth: number;
  private made: Keys | null = null;

  constructor(
    /** The keys of all executions, by their numbers; worked out when first needed. */
    private readonly makeKeys: (() => Keys) | null,
    private readonly parent: { streams: ColumnStreams; occurrence: Counts; index: number } | null = null,
  ) {
    this.depth = current.columns === null ? 0 : currentGroup().depth;
  }

  begin(): this {
    this.move(1);
    return this;
  }

  /** Begins a stretch of the execution, whose choices are counted from zero. */
  nextEpoch(): void {
    const { depth } = currentGroup();
    if (depth === this.depth && typeof this.epochs === 'number' && typeof this.choices === 'number') {
      this.epochs++;
      this.choices = 0;
      return;
    }
    const epochs = this.spread(this.epochs);
    const choices = this.spread(this.choices);
    for (const slot of currentGroup().slots) {
      epochs[slot]++;
      choices[slot] = 0;
    }
    this.epochs = epochs;
    this.choices = choices;
  }

  /** Executions go on as copies of others: for each, the number of the one it goes on as. */
  copy(ancestors: Int32Array): void {
    if (typeof this.choices !== 'number') this.choices = ancestors.map((slot) => (this.choices as Int32Array)[slot]);
    if (typeof this.epochs !== 'number') this.epochs = ancestors.map((slot) => (this.epochs as Int32Array)[slot]);
  }

  private move(by: number): void {
    const group = currentGroup();
    if (group.depth === this.depth && typeof this.choices === 'number') {
      this.choices += by;
      return;
    }
    const choices = this.spread(this.choices);
    bump(choices, group.slots, by);
    this.choices = choices;
  }

  private spread(counts: Counts): Int32Array {
    return typeof counts === 'number' ? new Int32Array(current.columns!.size).fill(counts) : counts;
  }

  /** As the argument of `child`, whatever it is. */
  occurrence(): number {
    this.begin();
    return (typeof this.choices === 'number' ? this.choices : this.choices.slice()) as number;
  }

  retract(): void {
    this.move(-1);
  }

  child(occurrence: number, index: number): ColumnStreams {
    return new ColumnStreams(null, { streams: this, occurrence: occurrence as Counts, index });
  }

  sibling(index: number): ColumnStreams {
    const { parent } = this;
    if (parent === null) throw new OneByOne('a construct asked for the stream of another iteration');
    return parent.streams.child(parent.occurrence as number, index);
  }

  get used(): boolean {
    return this.choices !== 0 || this.made !== null;
  }

  get position(): number {
    throw new OneByOne('the program goes on from a point of an execution');
  }

  named(): never {
    throw new OneByOne('something is remembered');
  }

  private get keys(): Keys {
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

  /** Two uniforms for each execution of the current group, those with which its choice begins. */
  pairs(): readonly [Resident, Resident] {
    const { isWhole, slots } = currentGroup();
    const { keys, choices, epochs } = this;
    if (isWhole) return uniformPairs(keys, choices, epochs);
    const here = (counts: Counts): Counts => (typeof counts === 'number' ? counts : gatherWords(counts, slots));
    const some = { key0: gatherWords(keys.key0, slots), key1: gatherWords(keys.key1, slots) };
    return uniformPairs(some, here(choices), here(epochs));
  }

  /** The stream of one execution, by its place in the current group, at its choice. Valid until the next call. */
  at(lane: number, group: Group = currentGroup()): RandomStream {
    const slot = group.slots[lane];
    const { key0, key1 } = this.keys;
    const choice = typeof this.choices === 'number' ? this.choices : this.choices[slot];
    const epoch = typeof this.epochs === 'number' ? this.epochs : this.epochs[slot];
    return cursor.place(key0[slot], key1[slot], choice, epoch);
  }

  uniform(): never {
    throw new OneByOne('a random number is drawn outside any choice');
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

/** The keys of the streams of executions with these numbers. */
export function executionKeys(entry: Entry, numbers: Int32Array): Keys {
  const { key, occurrence } = entry.descent;
  return childKeys({ key0: key[0], key1: key[1] }, occurrence, numbers, numbers.length);
}
