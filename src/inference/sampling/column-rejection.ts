/** Rejection sampling of executions side by side. */

import { kernelMemory } from '../../lanes/columns/kernel-memory.ts';
import { meter, triedOf } from '../../lanes/columns/meter.ts';
import { Pace, partOf, SOON_DONE } from '../../lanes/columns/pace.ts';
import { attempt, type Ends, obstacle } from '../../lanes/columns/run.ts';
import { explain } from '../../lanes/obstacles.ts';
import { costOfExecutions } from '../../runtime/costs.ts';
import { abandoned, type Entry } from '../../runtime/execution.ts';
import { Reason } from '../../runtime/reasons.ts';
import { adviseOnExecutions } from '../../runtime/remedies.ts';
import { OneByOne } from '../../runtime/signals.ts';
import type { Share } from '../../runtime/team.ts';
import { optimising } from '../../v8/optimising.ts';
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

/** What was accepted up to now, how many executions that took, and how many of the last of them were rejected. */
export interface Accepted<T> {
  readonly values: ArrayLike<T>;
  readonly attempts: number;
  readonly rejections: number;
}

/** Executions one by one. */
interface Attempts<T> {
  /** Runs `work`, which calls `next`. */
  many<R>(work: () => R): R;
  /** The value of the next execution, or `abandoned` if it was rejected. */
  next(): T | typeof abandoned;
  /** The choices of the last one. */
  readonly choices: number;
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

/**
 * Accepts executions, the very ones that would be accepted one by one: as many as are wanted, or those up to where the others have to be made one
 * by one. `pilots` are made first, if there are any, to find out which way is faster.
 */
export function acceptTogether<T>(
  pilots: Attempts<T> | null,
  entry: Entry,
  model: Model<T>,
  bounds: RejectionBounds,
): Accepted<T> {
  const { samples } = bounds;
  const acceptance = new Acceptance<T>(entry, bounds);
  let reason = obstacle(entry, samples);
  if (reason === null) {
    const pace = pilots === null || meter.isPatient || meter.clock === null ? null : new Pace(entry, meter.clock);
    if (pace !== null && !pace.isTogether) acceptance.untilWorthATrial(pilots!, pace);
    if (acceptance.isOver) reason = SOON_DONE;
    else {
      const result = attempt(entry, () => acceptRest(entry, model, acceptance, pace), true);
      if (result instanceof Reason) reason = result;
    }
  }
  const accepted = acceptance.result;
  if (reason === null) explain(entry, 'rejection', 'columns', `${accepted.attempts} executions side by side`);
  else {
    const cost = costOfExecutions(reason, samples);
    explain(entry, 'rejection', reason, `one by one, because ${reason}`, { cost });
    adviseOnExecutions(entry, 'rejection', reason, samples);
  }
  return accepted;
}

function acceptRest<T>(entry: Entry, model: Model<T>, acceptance: Acceptance<T>, pace: Pace | null): void {
  const executions = executionsOf(entry, model);
  const others = acceptance.expected;
  kernelMemory().loops.expect(others);
  const next = (size: number): void => {
    acceptance.begin(size);
    executeRange(entry, executions, acceptance.attempts, size, (count) => new ColumnRejecting(count), acceptance);
    acceptance.end();
  };
  const rest = (): void => {
    // A few of them show whether the others are made sooner alone.
    const isSure = pace !== null && !pace.isTogether && pace.isSure(others);
    if (isSure) optimising.lasting();
    const tried = pace === null ? triedOf(others) : isSure || pace.isTogether ? 0 : partOf(others);
    if (tried > 0) {
      meter.trial(others / tried - 1, () => next(tried), pace?.timing(others));
      const left = acceptance.expected - LEAST_AT_ONCE;
      if (pace !== null && left > LEAST_AT_ONCE)
        pace.part(LEAST_AT_ONCE, left, MOST_AT_ONCE, () => next(LEAST_AT_ONCE));
    }
    while (!acceptance.isFull) next(sizeOfNext(acceptance.missing, acceptance.count, acceptance.attempts));
  };
  if (pace === null) rest();
  else pace.together(others, rest);
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
  const collected = new Collected<T>({ first, count });
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
  /** Executions that were looked at. */
  attempts = 0;
  /** Those accepted, as long as they are numbers. */
  private numbers: Float64Array | null;
  private list: T[] = [];
  /** One after the other, up to now. */
  private rejections = 0;
  /** The executions to be looked at next, and how many of them have been. */
  private size = 0;
  private looked = 0;
  private readonly collected = new Collected<T>({ first: 0, count: MOST_AT_ONCE });

  constructor(
    private readonly entry: Entry,
    private readonly bounds: RejectionBounds,
  ) {
    this.numbers = new Float64Array(bounds.samples);
  }

  get result(): Accepted<T> {
    const { numbers, count, attempts, rejections } = this;
    const values = numbers === null ? this.list : (numbers.subarray(0, count) as ArrayLike<unknown> as ArrayLike<T>);
    return { values, attempts, rejections };
  }

  get missing(): number {
    return this.bounds.samples - this.count;
  }

  get isFull(): boolean {
    return this.missing === 0;
  }

  /** Whether enough are accepted, or too many rejected. */
  get isOver(): boolean {
    return this.isFull || this.rejections >= this.bounds.maxRejections;
  }

  /** How many more executions it should take, as far as is known. */
  get expected(): number {
    const { attempts, count, missing } = this;
    return attempts === 0 ? 2 * missing : Math.ceil((missing * attempts) / Math.max(count, 0.5));
  }

  /** Makes executions one by one until the others are worth a trial side by side, or it is over. */
  untilWorthATrial(pilots: Attempts<T>, pace: Pace): void {
    const one = (): number => {
      this.alone(pilots, 1);
      return pilots.choices;
    };
    const isSure = (): boolean => pace.isSure(this.expected);
    while (!this.isOver && !isSure() && !pace.isKnown) pace.first(one);
    while (!this.isOver && !isSure() && !pace.isWorthATrial(this.expected))
      pace.more(() => this.alone(pilots, Math.ceil(this.attempts / 2)));
  }

  /** Makes so many one by one, unless it is over before; gives how many were made. */
  private alone(pilots: Attempts<T>, most: number): number {
    const before = this.attempts;
    pilots.many(() => {
      while (!this.isOver && this.attempts < before + most) {
        const value = pilots.next();
        this.attempts++;
        if (value === abandoned) this.rejections++;
        else this.accept(value);
      }
    });
    return this.attempts - before;
  }

  private reject(): void {
    if (++this.rejections >= this.bounds.maxRejections) throw new OneByOne('weights', 'too many are rejected');
  }

  private accept(value: T): void {
    this.rejections = 0;
    this.take(value);
  }

  /** Goes on with so many executions. */
  begin(size: number): void {
    this.size = size;
    this.looked = 0;
    this.collected.begin(this.attempts);
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

  /** Looks at executions until there are enough. */
  end(): void {
    this.attempts += this.looked > 0 ? this.looked : this.look(this.collected.result);
  }

  private look({ values, ended, factorScores }: Sampled<T>): number {
    const { attempts: first, size } = this;
    const { maxScore } = this.bounds;
    for (let i = 0; i < size; i++) {
      const score = factorScores === null ? 0 : factorScores[i];
      if (ended[i] === 0 || (score !== maxScore && !this.isAccepted(score, first + i))) this.reject();
      else this.accept(values[i]);
      if (this.isFull) return i + 1;
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
