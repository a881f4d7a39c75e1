/** Rejection sampling of executions side by side. */
import { attempt, obstacle } from '../lanes/columns/run.ts';
import { explain } from '../lanes/obstacles.ts';
import type { Entry } from '../runtime/execution.ts';
import { OneByOne } from '../runtime/signals.ts';
import type { Model } from './algorithm.ts';
import { ColumnImportance } from './column-forward.ts';
import { Collected, executeRange, type Sampled } from './column-sampling.ts';

/** What was accepted, and how many executions that took. */
export interface Accepted<T> {
  readonly values: readonly T[];
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

function accepted<T>(
  entry: Entry,
  model: Model<T>,
  { samples, maxScore, maxRejections }: RejectionBounds,
): Accepted<T> {
  const values: T[] = [];
  let rejections = 0;
  for (let first = 0; ; ) {
    const size = sizeOfNext(samples - values.length, values.length, first);
    const collected = new Collected<T>(size, first);
    executeRange(entry, model, first, size, (count) => new ColumnRejecting(count), collected);
    const found = collected.result;
    for (let i = 0; i < size; i++) {
      if (!isAccepted(entry, found, i, first + i, maxScore)) {
        if (++rejections >= maxRejections) throw new OneByOne('too many are rejected');
        continue;
      }
      rejections = 0;
      if (values.push(found.values[i]) === samples) return { values, attempts: first + i + 1 };
    }
    first += size;
  }
}

/** A little more than it should take to find the missing ones, as far as is known. */
function sizeOfNext(missing: number, found: number, attempts: number): number {
  const expected = attempts === 0 ? 2 * missing : (1.05 * missing * attempts) / Math.max(found, 1);
  return Math.min(MOST_AT_ONCE, Math.max(LEAST_AT_ONCE, Math.ceil(expected)));
}

function isAccepted(
  entry: Entry,
  { ended, factorScores }: Sampled<unknown>,
  place: number,
  number: number,
  maxScore: number,
): boolean {
  if (ended[place] === 0) return false;
  const score = factorScores?.[place] ?? 0;
  if (score > maxScore) throw new OneByOne('factors add up to more than maxScore');
  return score >= maxScore || score > maxScore + Math.log(entry.streamOf(number).begin().uniform());
}
