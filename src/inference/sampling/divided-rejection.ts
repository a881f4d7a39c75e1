/**
 * Rejection sampling among ranks, one execution after the other on each. They go through the executions by rounds; of a round each makes
 * a stretch, and those are accepted that one process would accept, in their order.
 */
import { divided } from '../../ranks/divided.ts';
import type { WaymarkError } from '../../runtime/errors.ts';
import { abandoned, isSignal } from '../../runtime/execution.ts';
import { type Accepted, type RejectionBounds, sizeOfNext } from './column-rejection.ts';

/** What came of an execution. Whether an error is the program's is seen later: one process may never come to that execution. */
type Attempt<T> = { readonly value: T } | 'rejected' | 'failed';

export function acceptedByRanks<T>(
  execute: (number: number) => T | typeof abandoned,
  { samples, maxRejections }: Pick<RejectionBounds, 'samples' | 'maxRejections'>,
  tooMany: (rejections: number) => WaymarkError,
): Accepted<T> {
  const attempt = (number: number): Attempt<T> => {
    try {
      const value = execute(number);
      return value === abandoned ? 'rejected' : { value };
    } catch (thrown) {
      if (isSignal(thrown)) throw thrown;
      return 'failed';
    }
  };
  const values: T[] = [];
  let rejections = 0;
  for (let first = 0; ; ) {
    const size = sizeOfNext(samples - values.length, values.length, first);
    const found = divided('draw samples', size, (i) => attempt(first + i));
    for (let i = 0; i < size; i++) {
      const one = found[i];
      if (one === 'failed') execute(first + i);
      if (typeof one === 'string') {
        if (++rejections >= maxRejections) throw tooMany(maxRejections);
        continue;
      }
      rejections = 0;
      values.push(one.value);
      if (values.length === samples) return { values, attempts: first + i + 1 };
    }
    first += size;
  }
}
