/** Rejection sampling of executions side by side. */

import { kernelMemory } from '../../lanes/columns/kernel-memory.ts';
import { meter, triedOf } from '../../lanes/columns/meter.ts';
import { attempt, type Ends, obstacle } from '../../lanes/columns/run.ts';
import { explain } from '../../lanes/obstacles.ts';
import type { Entry } from '../../runtime/execution.ts';
import { Reason } from '../../runtime/reasons.ts';
import { adviseOnExecutions } from '../../runtime/remedies.ts';
import { OneByOne } from '../../runtime/signals.ts';
import type { Share } from '../../runtime/team.ts';
import type { Model } from '../algorithm.ts';
import { ColumnImportance } from './column-forward.ts';
import {
  Collected,
  type Collecting,
  type ColumnWeighing,
  executeRange,
  executionsOf,
  type Sampled,
} from './column-sampling.ts';

/**
 * The outcome of an execution. Whether an error is reported is decided later: one process alone might never come to that
 * execution.
 */
export const REJECTED = 0;
export const ACCEPTED = 1;
export const FAILED = 2;

/** The outcome of a stretch of executions. */
export interface Stretch<T> {
  readonly values: ArrayLike<T>;
  readonly came: Uint8Array;
}

/** What was accepted, and how many executions that took. */
export interface Accepted<T> {
  readonly values: ArrayLike<T>;
  readonly attempts: number;
}

/** Executions at a time, at least and at most. */
const LEAST_AT_ONCE = 256;
const MOST_AT_ONCE = 8192;

/** The first choice of a stream is whether to accept. */
class ColumnRejecting extends ColumnImportance {
  override readonly name: string = 'rejection';
  override readonly reserved: number = 1;
}

export interface RejectionBounds {
  readonly samples: number;
  readonly maxScore: number;
  readonly maxRejections: number;
}

/** Accepts as many executions as are wanted, the very ones that would be accepted one by one; null if that cannot be done. */
export function acceptTogether<T>(entry: Entry, model: Model<T>, bounds: RejectionBounds): Accepted<T> | null {
  const reason = obstacle(entry, bounds.samples);
  const result = reason ?? attempt(entry, () => accepted(entry, model, bounds), true);
  if (result instanceof Reason) {
    explain(entry, 'rejection', result, `one by one, because ${result}`);
    adviseOnExecutions(entry, 'rejection', result, bounds.samples);
    return null;
  }
  explain(entry, 'rejection', 'columns', `${result.attempts} executions side by side`);
  return result;
}

function accepted<T>(entry: Entry, model: Model<T>, bounds: RejectionBounds): Accepted<T> {
  const { samples } = bounds;
  const acceptance = new Acceptance<T>(entry, bounds);
  kernelMemory().expect(samples);
  const tried = triedOf(2 * samples);
  for (let first = 0; ; ) {
    const isTried = first === 0 && tried > 0;
    const size = isTried ? tried : sizeOfNext(samples - acceptance.count, acceptance.count, first);
    acceptance.begin(first, size);
    const execute = (): number =>
      executeRange(entry, executionsOf(entry, model), first, size, (count) => new ColumnRejecting(count), acceptance);
    // A few of them show whether the others are made sooner alone.
    if (isTried) meter.trial((2 * samples) / tried - 1, execute);
    else execute();
    const past = acceptance.end();
    if (acceptance.count === samples) return { values: acceptance.values, attempts: first + past };
    first += size;
  }
}

/**
 * A little more than it should take to find the missing ones, as far as is known. Side by side some more cost next to nothing; one by one
 * each rank makes at least one.
 */
export function sizeOfNext(missing: number, found: number, attempts: number, ranks = 1, together = true): number {
  const expected = attempts === 0 ? 2 * missing : (1.05 * missing * attempts) / Math.max(found, 1);
  return Math.min(ranks * MOST_AT_ONCE, Math.max(together ? LEAST_AT_ONCE : ranks, Math.ceil(expected)));
}

/** The outcome of a stretch of executions side by side; null if that cannot be done. */
export function stretchTogether<T>(
  entry: Entry,
  model: Model<T>,
  { first, count }: Share,
  bounds: RejectionBounds,
): Stretch<T> | null {
  const result = attempt(entry, () => stretch<T>(entry, model, { first, count }, bounds), true);
  if (!(result instanceof Reason)) return result;
  explain(entry, 'rejection', result, `one by one, because ${result}`);
  return null;
}

function stretch<T>(entry: Entry, model: Model<T>, { first, count }: Share, { maxScore }: RejectionBounds): Stretch<T> {
  const collected = new Collected<T>(count);
  collected.begin(first);
  executeRange(entry, executionsOf(entry, model), first, count, (size) => new ColumnRejecting(size), collected);
  const { values, ended, factorScores } = collected.result;
  const came = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const score = factorScores === null ? 0 : factorScores[i];
    if (ended[i] === 0) continue;
    if (score > maxScore) came[i] = FAILED;
    else if (score === maxScore || score > thresholdOf(entry, first + i, maxScore)) came[i] = ACCEPTED;
  }
  return { values, came };
}

/** Executions that do not score more than this are rejected. */
const thresholdOf = (entry: Entry, number: number, maxScore: number): number =>
  maxScore + Math.log(entry.streamOf(number).begin().uniform());

/** What has been accepted. A class of its own, so that V8 has no more to optimise than the loop over executions. */
class Acceptance<T> implements Collecting {
  count = 0;
  /** Those accepted, as long as they are numbers. */
  private numbers: Float64Array | null;
  private list: T[] = [];
  /** One after the other, up to now. */
  private rejections = 0;
  /** The executions to be looked at, and how many have been. */
  private first = 0;
  private size = 0;
  private looked = 0;
  private readonly collected = new Collected<T>(MOST_AT_ONCE);

  constructor(
    private readonly entry: Entry,
    private readonly bounds: RejectionBounds,
  ) {
    this.numbers = new Float64Array(bounds.samples);
  }

  get values(): ArrayLike<T> {
    return (this.numbers as ArrayLike<unknown> as ArrayLike<T>) ?? this.list;
  }

  /** Goes on with executions from this number on. */
  begin(first: number, size: number): void {
    this.first = first;
    this.size = size;
    this.looked = 0;
    this.collected.begin(first);
  }

  addRange(start: number, ends: Ends, handler: ColumnWeighing): void {
    if (!this.takeAll(ends.length, ends, handler)) this.collected.addRange(start, ends, handler);
  }

  add(indices: Int32Array, ends: Ends, handler: ColumnWeighing): void {
    if (!this.takeAll(indices.length, ends, handler)) this.collected.add(indices, ends, handler);
  }

  /**
   * Takes the numbers of all executions that came to their end, without looking at each, if their scores say so: as they do if
   * there are only conditions. False if that is not so, or not all executions are here.
   */
  private takeAll(executed: number, ends: Ends, { factorScores }: ColumnWeighing): boolean {
    const { numbers, size, bounds, count } = this;
    const { numbers: found, length } = ends;
    if (executed !== size || numbers === null || found === null) return false;
    if (this.rejections + size >= bounds.maxRejections) return false;
    if (factorScores === null ? bounds.maxScore !== 0 : !ends.haveAll(factorScores, bounds.maxScore)) return false;
    const taken = Math.min(length, bounds.samples - count);
    numbers.set(found.seen.subarray(0, taken), count);
    this.count += taken;
    const { slots } = ends;
    this.rejections = size - 1 - slots[length - 1];
    this.looked = taken < length || this.count === bounds.samples ? slots[taken - 1] + 1 : size;
    return true;
  }

  /** Looks at executions until there are enough; gives how many were looked at. */
  end(): number {
    return this.looked > 0 ? this.looked : this.look(this.collected.result);
  }

  private look({ values, ended, factorScores }: Sampled<T>): number {
    const { first, size } = this;
    const { samples, maxScore, maxRejections } = this.bounds;
    for (let i = 0; i < size; i++) {
      const score = factorScores === null ? 0 : factorScores[i];
      if (ended[i] === 0 || (score !== maxScore && !this.isAccepted(score, first + i))) {
        if (++this.rejections >= maxRejections) throw new OneByOne('weights', 'too many are rejected');
        continue;
      }
      this.rejections = 0;
      this.take(values[i]);
      if (this.count === samples) return i + 1;
    }
    return size;
  }

  private take(value: T): void {
    if (this.numbers !== null && typeof value === 'number') this.numbers[this.count] = value;
    else {
      if (this.numbers !== null) this.list = Array.from(this.numbers.subarray(0, this.count)) as T[];
      this.numbers = null;
      this.list.push(value);
    }
    this.count++;
  }

  private isAccepted(score: number, number: number): boolean {
    const { maxScore } = this.bounds;
    if (score > maxScore) throw new OneByOne('weights', 'factors add up to more than maxScore');
    return score > thresholdOf(this.entry, number, maxScore);
  }
}
