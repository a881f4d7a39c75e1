/** Rejection sampling of executions side by side. */
import { kernelMemory } from '../lanes/columns/kernel-memory.ts';
import { attempt, obstacle } from '../lanes/columns/run.ts';
import { explain } from '../lanes/obstacles.ts';
import type { Entry } from '../runtime/execution.ts';
import { OneByOne } from '../runtime/signals.ts';
import type { Model } from './algorithm.ts';
import { ColumnImportance } from './column-forward.ts';
import { Collected, executeRange, type Sampled } from './column-sampling.ts';

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
  const result = reason ?? attempt(entry, () => accepted(entry, model, bounds));
  if (typeof result === 'string') {
    explain(entry, 'rejection', `one by one, because ${result}`);
    return null;
  }
  explain(entry, 'rejection', `${result.attempts} executions side by side`);
  return result;
}

function accepted<T>(entry: Entry, model: Model<T>, bounds: RejectionBounds): Accepted<T> {
  const { samples } = bounds;
  const acceptance = new Acceptance<T>(entry, bounds);
  const { values } = acceptance;
  const collected = new Collected<T>(MOST_AT_ONCE);
  kernelMemory().expect(samples);
  for (let first = 0; ; ) {
    const size = sizeOfNext(samples - values.length, values.length, first);
    collected.begin(first);
    executeRange(entry, model, first, size, (count) => new ColumnRejecting(count), collected);
    const past = acceptance.look(collected.result, first, size);
    if (values.length === samples) return { values, attempts: first + past };
    first += size;
  }
}

/** A little more than it should take to find the missing ones, as far as is known. */
function sizeOfNext(missing: number, found: number, attempts: number): number {
  const expected = attempts === 0 ? 2 * missing : (1.05 * missing * attempts) / Math.max(found, 1);
  return Math.min(MOST_AT_ONCE, Math.max(LEAST_AT_ONCE, Math.ceil(expected)));
}

/** What has been accepted. A class of its own, so that V8 has no more to optimise than the loop over executions. */
class Acceptance<T> {
  readonly values: T[] = [];
  /** One after the other, up to now. */
  private rejections = 0;

  constructor(
    private readonly entry: Entry,
    private readonly bounds: RejectionBounds,
  ) {}

  /** Looks at executions until there are enough; gives how many were looked at. */
  look({ values, ended, factorScores }: Sampled<T>, first: number, size: number): number {
    const { samples, maxScore, maxRejections } = this.bounds;
    for (let i = 0; i < size; i++) {
      const score = factorScores === null ? 0 : factorScores[i];
      if (ended[i] === 0 || (score !== maxScore && !this.isAccepted(score, first + i))) {
        if (++this.rejections >= maxRejections) throw new OneByOne('too many are rejected');
        continue;
      }
      this.rejections = 0;
      if (this.values.push(values[i]) === samples) return i + 1;
    }
    return size;
  }

  private isAccepted(score: number, number: number): boolean {
    const { maxScore } = this.bounds;
    if (score > maxScore) throw new OneByOne('factors add up to more than maxScore');
    return score > maxScore + Math.log(this.entry.streamOf(number).begin().uniform());
  }
}
