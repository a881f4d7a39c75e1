import { abandon } from '../../runtime/execution.ts';
import type { Distribution, Handler } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { RandomStream } from '../../runtime/random.ts';

/** Unwinding the stack costs as much as about this many factors, and half a factor more for each one met. */
const FACTORS_PER_STOP = 16;
const FACTORS_PER_FACTOR = 0.5;

/** Whether an execution that is at `factors`, and will end near `end`, is better left to run than stopped. */
export function nearEnd(factors: number, end: number): boolean {
  return end > factors && end - factors <= FACTORS_PER_STOP + FACTORS_PER_FACTOR * factors;
}

/**
 * Ends an execution that has shown all that was wanted. Where it would end soon anyway it is left to run, with nobody
 * watching: that costs less than unwinding a deep stack, and functions that never return are never compiled.
 */
export function stop(factors: number, end: number): void {
  if (!nearEnd(factors, end)) throw abandon;
  machine.handler = new Unwatched(2 * (end - factors));
}

/** Nobody sees what is drawn with this. */
const random = RandomStream.fromSeed(0);

class Unwatched implements Handler {
  readonly name = 'an execution nobody watches';

  /** `factors` may be met before it is stopped after all, since it may go on for ever. */
  constructor(private factors: number) {}

  sample<V>(distribution: Distribution<V>): V {
    return distribution.draw(random.begin());
  }

  factor(score: number): void {
    // What is impossible should not be executed: it may well fail.
    if (score === -Infinity || --this.factors < 0) throw abandon;
  }
}
