/** Executes a model many times, side by side. */
import { numbersOf, withRoomFor } from '../../distributions/sample-columns.ts';
import type { Keys } from '../../lanes/columns/draws.ts';
import { type Doubles, inKernelMemory, kernelMemory, Words } from '../../lanes/columns/kernel-memory.ts';
import { consecutive } from '../../lanes/columns/kernels.ts';
import { meter, triedOf } from '../../lanes/columns/meter.ts';
import type { Pace } from '../../lanes/columns/pace.ts';
import { type Ends, executeTogether, inGroups } from '../../lanes/columns/run.ts';
import { ColumnStreams, executionKeys } from '../../lanes/columns/streams.ts';
import type { Entry } from '../../runtime/execution.ts';
import type { Handler } from '../../runtime/handler.ts';
import type { Share } from '../../runtime/team.ts';
import { optimising } from '../../v8/optimising.ts';
import type { Model } from '../algorithm.ts';

/** A handler for executions side by side, with a log-weight and a score for each. */
export interface ColumnWeighing extends Handler {
  /** Log-probabilities of the choices. */
  readonly choiceScores: Doubles;
  /** What factors add up to; null if there were none. */
  readonly factorScores: Doubles | null;
  /** Choices of each stream that are not the program's. */
  readonly reserved: number;
}

/**
 * Executions that run side by side at a time: as many as are at home in the processor's cache, and more where operations are for few of them on
 * average, as in loops that they leave at different times: what an operation costs however few they are is then paid less often.
 */
const AT_ONCE = 8192;
const MORE_AT_ONCE = 32_768;
const FEW = 0.4;
/** What is compared with others alone is no more than one in so many. */
const COMPARED = 6;
/** So many after a trial show how fast they go side by side. */
const PART = 512;

/** What the executions gave, by their numbers; those that were given up have no place in `values`. */
export interface Sampled<T> {
  readonly values: ArrayLike<T>;
  readonly ended: Uint8Array;
  readonly choiceScores: Float64Array;
  /** Null if no execution met a factor. */
  readonly factorScores: Float64Array | null;
}

/** The model and the random keys of executions side by side, by their numbers. */
export interface Executions<T> {
  model(numbers: Int32Array): Model<T>;
  keys(numbers: Int32Array): Keys;
}

/** Executions of one model. */
export const executionsOf = <T>(entry: Entry, model: Model<T>): Executions<T> => ({
  model: () => model,
  keys: (numbers) => executionKeys(entry, Words.of(numbers)),
});

/** What executions of the numbers of a share gave, all side by side, where nothing is known to be in the way. */
export function sampled<T>(
  entry: Entry,
  executions: Executions<T>,
  share: Share,
  handlerFor: (size: number) => ColumnWeighing,
): Sampled<T> & { groups: number } {
  const collected = new Collected<T>(share);
  const groups = new Stretch(entry, executions, handlerFor, collected).execute(share, triedOf(share.count));
  return { ...collected.result, groups };
}

/** Executions side by side, and how far they have come. */
export class Stretch<T> {
  /** The number of the first execution that has not been made. */
  next = 0;
  private atOnce = AT_ONCE;

  constructor(
    private readonly entry: Entry,
    private readonly executions: Executions<T>,
    private readonly handlerFor: (size: number) => ColumnWeighing,
    private readonly collected: Collected<T>,
  ) {}

  /**
   * Executes those of these numbers, and gives the number of groups they parted into. `tried` of them go first, to show whether the others
   * are made sooner alone; so does another part, if it is known how fast they go alone and the first did not tell. `alone` makes so many alone, for a last
   * comparison.
   */
  execute({ first, count }: Share, tried: number, pace: Pace | null = null, alone: AloneSome | null = null): number {
    this.next = first;
    kernelMemory().loops.expect(count);
    const end = first + count;
    let groups = 0;
    let isSure = pace === null || pace.isTogether;
    if (tried > 0) {
      const first = (): void => {
        groups = this.some(tried);
      };
      const trial = (): void => {
        if (pace === null) first();
        else isSure = pace.trial(tried, count - tried, AT_ONCE, first) && groups === 1;
      };
      meter.trial(count / tried - 1, trial, pace?.timing(count));
      const left = end - this.next - PART;
      if (pace !== null && !isSure && left > PART)
        groups = Math.max(
          groups,
          pace.part(PART, left, AT_ONCE, () => this.some(PART)),
        );
    }
    let compare = pace !== null && alone !== null && !isSure;
    // What runs for the first time says little of how long it takes.
    let isFirst = tried === 0;
    if (isFirst && compare) optimising.lasting();
    while (this.next < end) {
      const size = Math.min(this.atOnce, compare ? Math.ceil((end - this.next) / COMPARED) : end - this.next);
      const some = (): void => {
        groups = Math.max(groups, this.some(size));
      };
      const left = end - this.next - size;
      if (compare && !isFirst && left >= size) {
        pace!.compare(size, left, some, (most) => {
          const made = alone!({ first: this.next, count: most });
          this.next += made;
          return made;
        });
        compare = false;
      } else if (pace !== null && left > 0) pace.goOn(size, some);
      else some();
      isFirst = false;
    }
    return groups;
  }

  private some(count: number): number {
    const { entry, executions, handlerFor, collected } = this;
    let groups = 0;
    const lanes = meter.lanesOfEach(() => {
      groups = executeRange(entry, executions, this.next, count, handlerFor, collected);
    });
    this.atOnce = lanes < FEW * count ? MORE_AT_ONCE : AT_ONCE;
    this.next += count;
    return groups;
  }
}

/** Makes executions alone; gives how many. */
type AloneSome = (share: Share) => number;

/** Executes those with `count` numbers from `first` on; gives the number of groups they parted into. */
export function executeRange<T>(
  entry: Entry,
  executions: Executions<T>,
  first: number,
  count: number,
  handlerFor: (size: number, indices: Int32Array) => ColumnWeighing,
  collected: Collecting,
): number {
  return inGroups(consecutive(first, count).array, (indices, callsApart) =>
    inKernelMemory(() => {
      const handler = handlerFor(indices.length, indices);
      const streamsOf = (): ColumnStreams => {
        const streams = new ColumnStreams(() => executions.keys(indices));
        for (let k = 0; k < handler.reserved; k++) streams.begin();
        return streams;
      };
      const model = executions.model(indices);
      const ends = executeTogether(entry, handler, model, indices.length, streamsOf, { callsApart });
      const all = indices[indices.length - 1] - indices[0] + 1 === ends.length;
      if (all) collected.addRange(indices[0], ends, handler);
      else collected.add(indices, ends, handler);
    }),
  );
}

/** The receiver of returned values that lie in the kernels' memory. */
export interface Collecting {
  /** Of executions with consecutive numbers. */
  addRange(start: number, ends: Ends, handler: ColumnWeighing): void;
  /** Takes the values of executions with these numbers, of those that came to their end. */
  add(indices: Int32Array, ends: Ends, handler: ColumnWeighing): void;
}

/** What executions gave, as they come. Numbers stay in one piece of memory as long as there is nothing else. */
export class Collected<T> implements Collecting {
  private numbers: Float64Array | null;
  private values: T[] = [];
  private readonly ended: Uint8Array;
  private readonly choiceScores: Float64Array;
  private factorScores: Float64Array | null = null;

  /** Whether some of the values are numbers. */
  private hasNumbers = false;

  /** The number of the first execution. */
  private from: number;

  constructor({ first, count }: Share) {
    this.from = first;
    this.numbers = new Float64Array(count);
    this.ended = new Uint8Array(count);
    this.choiceScores = new Float64Array(count);
  }

  /** Takes what one execution gave. */
  put(number: number, value: T, choiceScore: number, factorScore: number): void {
    const index = number - this.from;
    this.ended[index] = 1;
    this.choiceScores[index] = choiceScore;
    if (factorScore !== 0 || this.factorScores !== null) this.factors[index] = factorScore;
    if (this.numbers !== null && typeof value === 'number') {
      this.hasNumbers = true;
      this.numbers[index] = value;
    } else this.list[index] = value;
  }

  /** Begins again with others, from this number on. */
  begin(first: number): void {
    this.from = first;
    for (const column of [this.ended, this.choiceScores, this.factorScores]) column?.fill(0);
  }

  addRange(start: number, ends: Ends, { choiceScores, factorScores }: ColumnWeighing): void {
    const first = start - this.from;
    choiceScores.copyTo(this.choiceScores, first);
    factorScores?.copyTo(this.factors, first);
    this.ended.fill(1, first, first + ends.length);
    if (ends.numbers !== null && this.numbers !== null) {
      this.hasNumbers = true;
      ends.numbers.copyTo(this.numbers, first);
    } else {
      const { values } = ends;
      const { list } = this;
      for (let i = 0; i < values.length; i++) list[first + i] = values[i] as T;
    }
  }

  add(indices: Int32Array, ends: Ends, { choiceScores, factorScores }: ColumnWeighing): void {
    const { slots } = ends;
    const values = ends.numbers?.seen ?? ends.values;
    const choices = choiceScores.areZero ? undefined : choiceScores.seen;
    const factors = factorScores?.seen;
    if (values instanceof Float64Array) this.hasNumbers = true;
    for (let i = 0; i < slots.length; i++) {
      const index = indices[slots[i]] - this.from;
      this.ended[index] = 1;
      if (choices !== undefined) this.choiceScores[index] = choices[slots[i]];
      if (factors !== undefined) this.factors[index] = factors[slots[i]];
      if (values instanceof Float64Array && this.numbers !== null) this.numbers[index] = values[i];
      else this.list[index] = values[i] as T;
    }
  }

  private get factors(): Float64Array {
    this.factorScores ??= new Float64Array(this.ended.length);
    return this.factorScores;
  }

  private get list(): T[] {
    if (this.numbers !== null) {
      this.values = (this.hasNumbers ? numbersOf(this.numbers) : withRoomFor(this.numbers.length)) as T[];
      this.numbers = null;
    }
    return this.values;
  }

  get result(): Sampled<T> {
    const { numbers, values, ended, choiceScores, factorScores } = this;
    return { values: (numbers as ArrayLike<unknown> as ArrayLike<T>) ?? values, ended, choiceScores, factorScores };
  }
}
