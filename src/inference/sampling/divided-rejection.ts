/**
 * Rejection sampling among ranks. They go through the executions by rounds; of a round each makes a stretch, side by side where it can, and
 * those are accepted that one process would accept, in their order.
 */
import { largestOf, sharedOut } from '../../ranks/divided.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { abandoned, isSignal } from '../../runtime/execution.ts';
import type { Share, Team } from '../../runtime/team.ts';
import { concatenated } from '../concatenated.ts';
import {
  ACCEPTED,
  type Accepted,
  FAILED,
  REJECTED,
  type RejectionBounds,
  type Stretch,
  sizeOfNext,
} from './column-rejection.ts';

/** How a stretch is made: an execution by itself, and all of them side by side; null where that cannot be done. */
interface Attempting<T> {
  alone(number: number): T | typeof abandoned;
  readonly together: ((share: Share) => Stretch<T> | null) | null;
}

export function acceptedByRanks<T>(
  team: Team,
  { alone, together }: Attempting<T>,
  { samples, maxRejections }: Pick<RejectionBounds, 'samples' | 'maxRejections'>,
  tooMany: (rejections: number) => WaymarkError,
): Accepted<T> {
  const inColumns = largestOf('draw samples', team, together === null ? 1 : 0) === 1 ? null : together;
  const values: T[] = [];
  let rejections = 0;
  for (let first = 0; ; ) {
    const size = sizeOfNext(samples - values.length, values.length, first, team.size, inColumns !== null);
    const work = (share: Share): Stretch<T> => {
      const stretch = { first: first + share.first, count: share.count };
      return inColumns?.(stretch) ?? oneByOne(stretch, alone);
    };
    const found = sharedOut('draw samples', size, work, joined);
    for (let i = 0; i < size; i++) {
      if (found.came[i] === FAILED) {
        alone(first + i);
        throw new WaymarkError(
          `Execution ${first + i} has failed on one rank and not on others: do all read the same data?`,
        );
      }
      if (found.came[i] !== ACCEPTED) {
        if (++rejections >= maxRejections) throw tooMany(maxRejections);
        continue;
      }
      rejections = 0;
      values.push(found.values[i]);
      if (values.length === samples) return { values, attempts: first + i + 1, rejections };
    }
    first += size;
  }
}

function oneByOne<T>({ first, count }: Share, alone: Attempting<T>['alone']): Stretch<T> {
  const values = new Array<T>(count);
  const came = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    try {
      const value = alone(first + i);
      came[i] = value === abandoned ? REJECTED : ACCEPTED;
      if (value !== abandoned) values[i] = value;
    } catch (thrown) {
      if (isSignal(thrown)) throw thrown;
      came[i] = FAILED;
    }
  }
  return { values, came };
}

function joined<T>(parts: readonly Stretch<T>[]): Stretch<T> {
  const lists = parts.map(({ values }) => values as ArrayLike<unknown>);
  const areNumbers = lists.every((list) => list instanceof Float64Array);
  const values = areNumbers ? concatenated(lists as Float64Array[]) : lists.flatMap((list) => Array.from(list));
  return { values: values as ArrayLike<T>, came: Uint8Array.from(parts.flatMap(({ came }) => Array.from(came))) };
}
