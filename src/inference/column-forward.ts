/** Forward and importance sampling of executions side by side. */

import { automaticGuides } from '../guides/guide-of.ts';
import { LearnedGuides } from '../guides/learned-guides.ts';
import { drawColumns, scoreColumns } from '../lanes/columns/choices.ts';
import { Column, isDiffering } from '../lanes/columns/column.ts';
import { type AnyDistribution, distributionOf } from '../lanes/columns/distribution.ts';
import { countedTo, currentGroup, goOnWith } from '../lanes/columns/group.ts';
import {
  areFinite,
  bump,
  elementwise,
  gatherWords,
  type Numbers,
  partition,
  scatter,
} from '../lanes/columns/kernels.ts';
import { attempt, type Ends, executeTogether, explain, inGroups, obstacle } from '../lanes/columns/run.ts';
import { ColumnStreams, executionKeys } from '../lanes/columns/streams.ts';
import type { Address } from '../runtime/address.ts';
import type { Entry } from '../runtime/execution.ts';
import type { Distribution, Handler, SampleOptions } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { abandon, OneByOne } from '../runtime/signals.ts';
import type { Model } from './algorithm.ts';

/** Adds a score for each execution of the current group, or one for all of them, to those of all. */
export function addScores(totals: Float64Array, score: Float64Array | number): void {
  const { isWhole, slots } = currentGroup();
  if (score === 0) return;
  if (isWhole) {
    const added: Numbers =
      typeof score === 'number' ? { data: Float64Array.of(score), step: 0 } : { data: score, step: 1 };
    elementwise('add', totals.length, [{ data: totals, step: 1 }, added], totals);
  } else scatter(typeof score === 'number' ? new Float64Array(slots.length).fill(score) : score, slots, totals, true);
}

/** first, first + 1, … */
export function consecutive(first: number, count: number): Int32Array {
  const numbers = countedTo(count).slice();
  if (first > 0) bump(numbers, countedTo(count), first);
  return numbers;
}

/** The score as numbers of the current group. */
export function scoreData(score: unknown): Float64Array | number {
  return score instanceof Column ? score.data : (score as number);
}

/** A handler for executions side by side, with a log-weight and a score for each. */
export interface ColumnWeighing extends Handler {
  /** Log-probabilities of the choices. */
  readonly choiceScores: Float64Array;
  /** What factors add up to. */
  readonly factorScores: Float64Array;
  /** Choices of each stream that are not the program's. */
  readonly reserved: number;
}

/** Executions that run side by side at a time: as many as are at home in the processor's cache. */
const AT_ONCE = 8192;

/** What the executions gave, by their numbers; those that were given up have no place in `values`. */
export interface Sampled<T> {
  readonly values: ArrayLike<T>;
  readonly ended: Uint8Array;
  readonly choiceScores: Float64Array;
  readonly factorScores: Float64Array;
}

/** Executes the model `samples` times, side by side; null if that cannot be done. */
export function sampleTogether<T>(
  entry: Entry,
  method: string,
  model: Model<T>,
  samples: number,
  handlerFor: (size: number) => ColumnWeighing,
): Sampled<T> | null {
  const reason = obstacle(entry, samples);
  const result = reason ?? attempt(entry, () => sampled(entry, model, samples, handlerFor));
  if (typeof result === 'string') {
    explain(entry, method, `${samples} executions one by one, because ${result}`);
    return null;
  }
  const parts = result.groups === 1 ? '' : `, in ${result.groups} groups`;
  explain(entry, method, `${samples} executions side by side${parts}`);
  return result;
}

function sampled<T>(
  entry: Entry,
  model: Model<T>,
  samples: number,
  handlerFor: (size: number) => ColumnWeighing,
): Sampled<T> & { groups: number } {
  const collected = new Collected<T>(samples);
  let groups = 0;
  for (let first = 0; first < samples; first += AT_ONCE) {
    groups += executeRange(entry, model, first, Math.min(AT_ONCE, samples - first), handlerFor, collected);
  }
  return { ...collected.result, groups };
}

/** Executes those with `count` numbers from `first` on; gives the number of groups they parted into. */
export function executeRange<T>(
  entry: Entry,
  model: Model<T>,
  first: number,
  count: number,
  handlerFor: (size: number) => ColumnWeighing,
  collected: Collected<T>,
): number {
  return inGroups(consecutive(first, count), (indices) => {
    const handler = handlerFor(indices.length);
    const ends = executeTogether(entry, handler, model, indices.length, () => {
      const streams = new ColumnStreams(() => executionKeys(entry, indices));
      for (let k = 0; k < handler.reserved; k++) streams.begin();
      return streams;
    });
    const all = indices[indices.length - 1] - indices[0] + 1 === ends.slots.length;
    if (all) collected.addRange(indices[0], ends.values as ArrayLike<T>, handler);
    else collected.add(indices, ends, handler);
  });
}

/** What executions gave, as they come. Numbers stay in one piece of memory as long as there is nothing else. */
export class Collected<T> {
  private numbers: Float64Array | null;
  private values: T[] = [];
  private readonly ended: Uint8Array;
  private readonly choiceScores: Float64Array;
  private readonly factorScores: Float64Array;

  constructor(
    size: number,
    /** The number of the first execution. */
    private readonly from = 0,
  ) {
    this.numbers = new Float64Array(size);
    this.ended = new Uint8Array(size);
    this.choiceScores = new Float64Array(size);
    this.factorScores = new Float64Array(size);
  }

  /** Of executions with consecutive numbers. */
  addRange(start: number, values: ArrayLike<T>, { choiceScores, factorScores }: ColumnWeighing): void {
    const first = start - this.from;
    this.choiceScores.set(choiceScores, first);
    this.factorScores.set(factorScores, first);
    this.ended.fill(1, first, first + values.length);
    if (values instanceof Float64Array && this.numbers !== null) this.numbers.set(values, first);
    else for (let i = 0; i < values.length; i++) this.list[first + i] = values[i];
  }

  /** Of those among the executions with these numbers that came to their end. */
  add(indices: Int32Array, { slots, values }: Ends, { choiceScores, factorScores }: ColumnWeighing): void {
    for (let i = 0; i < slots.length; i++) {
      const index = indices[slots[i]] - this.from;
      this.ended[index] = 1;
      this.choiceScores[index] = choiceScores[slots[i]];
      this.factorScores[index] = factorScores[slots[i]];
      if (values instanceof Float64Array && this.numbers !== null) this.numbers[index] = values[i];
      else this.list[index] = values[i] as T;
    }
  }

  private get list(): T[] {
    if (this.numbers !== null) {
      this.values = Array.from(this.numbers as ArrayLike<unknown>) as T[];
      this.numbers = null;
    }
    return this.values;
  }

  get result(): Sampled<T> {
    const { numbers, values, ended, choiceScores, factorScores } = this;
    return { values: (numbers as ArrayLike<unknown> as ArrayLike<T>) ?? values, ended, choiceScores, factorScores };
  }
}

/** Draws choices from the program as it stands; factors are only counted. */
export class ColumnDrawing implements ColumnWeighing {
  readonly name: string = 'forward';
  readonly reserved: number = 0;
  readonly choiceScores: Float64Array;
  readonly factorScores: Float64Array;

  constructor(size: number) {
    this.choiceScores = new Float64Array(size);
    this.factorScores = new Float64Array(size);
  }

  sample<V>(given: Distribution<V>): V {
    const distribution: AnyDistribution = distributionOf(given);
    const streams = machine.stream as unknown as ColumnStreams;
    const value = drawColumns(distribution, streams.begin());
    addScores(this.choiceScores, scoreColumns(distribution, value));
    return value as V;
  }

  factor(score: unknown): void {
    addScores(this.factorScores, scoreData(score));
    warnOfFactor();
  }
}

/** The same, with executions weighed by their factors, and given up if they turn out impossible. */
export class ColumnImportance extends ColumnDrawing {
  override readonly name: string = 'importance';

  override sample<V>(given: Distribution<V>): V {
    const streams = machine.stream as unknown as ColumnStreams;
    return drawColumns(distributionOf(given), streams.begin()) as V;
  }

  override factor(score: unknown): void {
    const data = scoreData(score);
    addScores(this.factorScores, data);
    giveUpImpossible(data);
  }
}

/** Draws choices from their guides; `factorScores` are then the importance weights. */
export class ColumnGuided extends ColumnDrawing {
  readonly guided = true;
  private readonly guides = new LearnedGuides();

  constructor(
    size: number,
    override readonly name: string,
    /** Whether executions that turn out impossible are given up. */
    private readonly givesUp: boolean,
  ) {
    super(size);
  }

  override sample<V>(given: Distribution<V>, options?: SampleOptions<V>, place?: Address): V {
    const streams = machine.stream as unknown as ColumnStreams;
    streams.begin();
    const guide = this.guideOf(given, options, place!.choice(machine.execution));
    const from = distributionOf(guide);
    const value = drawColumns(from, streams);
    const score = scoreColumns(from, value);
    addScores(this.choiceScores, score);
    if (guide !== given) this.weigh(difference(scoreColumns(distributionOf(given), value), score));
    return value as V;
  }

  override factor(score: unknown): void {
    this.weigh(scoreData(score));
  }

  private weigh(score: Float64Array | number): void {
    addScores(this.factorScores, score);
    if (this.givesUp) giveUpImpossible(score);
  }

  private guideOf<V>(given: Distribution<V>, options: SampleOptions<V> | undefined, place: Address): Distribution<V> {
    if (options?.guide === undefined && isDiffering(given) && !options?.noAutoGuide) {
      if (automaticGuides.make !== null) throw new OneByOne('a choice that differs has an automatic guide');
      return given;
    }
    const outer = machine.address;
    const guide = this.guides.of(given, options, place) ?? given;
    machine.address = outer;
    return guide;
  }
}

/** a − b, for each execution of the current group. */
export function difference(a: Float64Array | number, b: Float64Array | number): Float64Array {
  return combined('sub', a, b);
}

/** What a kernel makes of two scores, for each execution of the current group. */
function combined(kernel: string, a: Float64Array | number, b: Float64Array | number): Float64Array {
  const numbers = (x: Float64Array | number): Numbers =>
    typeof x === 'number' ? { data: Float64Array.of(x), step: 0 } : { data: x, step: 1 };
  return elementwise(kernel, currentGroup().size, [numbers(a), numbers(b)]);
}

/** Goes on without the executions whose score is −∞. */
function giveUpImpossible(score: Float64Array | number): void {
  if (typeof score === 'number') {
    if (score === -Infinity) throw abandon;
    if (score === Infinity) throw new OneByOne('a factor is infinite');
    return;
  }
  if (areFinite(score)) return;
  if (score.includes(Infinity)) throw new OneByOne('a factor is infinite');
  const [left] = partition(combined('gt', score, -Infinity));
  if (left.length === 0) throw abandon;
  goOnWith(left, gatherWords(currentGroup().slots, left));
}

export function warnOfFactor(): void {
  machine.run.warn(
    'Forward sampling has met a factor (or condition, or observe) and goes on as if it were not there. ' +
      'Choose another method to take it into account.',
  );
}
