/**
 * How far executions run, for speed alone: results are the same whatever is decided here. To go on, a particle has to execute the
 * program again from the start (or from its remaining call), so particles run ahead of the factor that is being weighed, and an
 * execution that would soon end is not stopped.
 */

import type { Distribution, Handler } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { RandomStream } from '../../runtime/random.ts';
import { givenUp } from '../../runtime/signals.ts';

/** How many factors ahead particles run at first, before it is known how often they are replaced. */
const FIRST_WINDOW = 8;

/** How many factors the first particle runs ahead, to learn where the program may end. */
export const SCOUTED = 256;

export class Horizon {
  /** Particles are executed until they have met so many factors. */
  factors = 0;
  private start = 0;
  private branches = 0;
  /** Factors that were met ahead in vain, since it was last moved. */
  private lost = 0;

  constructor(
    private readonly size: number,
    /** Whether particles may run ahead. */
    readonly ahead: boolean,
  ) {}

  /**
   * A particle was replaced at this factor by a copy of another that has run ahead, and has to be executed again from there. Once as much
   * is lost by that as was run ahead, the rest of it is not waited for: particles are replaced more often than they were before.
   */
  branch(factors: number): void {
    this.branches++;
    this.lost += Math.max(0, this.factors - factors);
    if (this.lost > this.size * (this.factors - this.start)) this.factors = factors;
  }

  /**
   * Running L factors ahead saves executing everybody's past at L − 1 factors out of L, and costs the futures of
   * replaced particles, about half of L each. The sum is least near √(2 · past / branches per particle and factor).
   * The past is what has to be executed again: all of it, unless executions can be taken up again at a later `point`. `end` is where
   * the program is known to end; 0 if that is not known.
   */
  move(factors: number, point: number, end: number): void {
    const past = Math.max(1, factors - point);
    let window = 1;
    if (this.ahead) {
      // One more than there were: that there was none for a while does not mean that there will be none for as long as that.
      const rate = (this.branches + 1) / (this.size * Math.max(1, factors - this.start));
      const best = factors === 0 ? FIRST_WINDOW : Math.ceil(Math.sqrt((2 * past) / rate));
      // Never much further than it has come: a program may go on for ever unless its conditions stop it.
      window = Math.min(best, factors + FIRST_WINDOW);
      const hardlyMore = past === factors && nearEnd(factors + window, end);
      if (end > factors && (factors + window >= end || hardlyMore)) window = 2 * end - factors;
    }
    this.factors = factors + window;
    this.start = factors;
    this.branches = 0;
    this.lost = 0;
  }
}

/** Going through fewer factors again costs less than keeping the points from which to go on. */
const FACTORS_PER_POINT = 16;

/** Whether a point to go on from pays here: the last is far back, and so is the end. */
export function isWorthPoint(factors: number, last: number, end: number): boolean {
  if (factors < last + FACTORS_PER_POINT) return false;
  return end <= factors || end - factors > FACTORS_PER_POINT;
}

/** Unwinding the stack costs as much as about this many factors, and half a factor more for each one met. */
const FACTORS_PER_STOP = 16;
const FACTORS_PER_FACTOR = 0.5;

/** Whether an execution that is at `factors`, and will end near `end`, is better left to run than stopped. */
function nearEnd(factors: number, end: number): boolean {
  return end > factors && end - factors <= FACTORS_PER_STOP + FACTORS_PER_FACTOR * factors;
}

/**
 * Ends an execution that has shown all that was wanted. Where it would end soon anyway it is left to run, without anyone
 * watching: that costs less than unwinding a deep stack, and functions that never return are never compiled.
 */
export function stop(factors: number, end: number): void {
  if (!nearEnd(factors, end)) throw givenUp();
  machine.handler = new Unwatched(2 * (end - factors));
}

/** Draws made with this are not used. */
const random = RandomStream.fromSeed(0);

class Unwatched implements Handler {
  readonly name = 'an execution that no inference follows';

  /** `factors` may be met before it is stopped after all, since it may go on for ever. */
  constructor(private factors: number) {}

  sample<V>(distribution: Distribution<V>): V {
    return distribution.draw(random.begin());
  }

  factor(score: number): void {
    // An impossible execution does not go on: it may well fail.
    if (score === -Infinity || --this.factors < 0) throw givenUp();
  }
}
