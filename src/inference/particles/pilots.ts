/**
 * Whether particles are worth being tried side by side. Where the compiler does not know that they do much the same, a few executions are made
 * one by one, and their factors are counted: particles that meet different numbers of them are out of step, and most of what is done is then
 * done for a few at a time. Only very many of them are tried all the same.
 */
import { meter } from '../../lanes/columns/meter.ts';
import { fail } from '../../lanes/obstacles.ts';
import { abandoned, type Entry } from '../../runtime/execution.ts';
import type { Distribution, Handler } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { Reason } from '../../runtime/reasons.ts';
import { givenUp } from '../../runtime/signals.ts';
import type { Model } from '../algorithm.ts';

/** One particle in so many is made first, and no more than this; fewer than this say nothing. */
const PART = 16;
const MOST = 8;
const FEWEST = 4;
const UNTIMED = 2;
/** Choices after which functions that call themselves, and did so equally often each time, are taken to do so always, as over a list of data. */
const TELLING = 64;
/** Executions with more choices are given up. */
const LONGEST = 10_000;
/** Milliseconds for which a trial is worth it, if particles are executed again up to each factor. */
const WORTH_A_TRIAL = 2500;
/** After so many milliseconds V8 has optimised what executions call, which may make them ten times as fast as the first ones. */
const OPTIMISED = 40;
const TIMES_ALONE = 3;

const DIFFERENT = new Reason('courses', 'they meet different numbers of factors, so that one by one takes less time');

/** Draws choices from the program as it stands, and counts factors. */
class Counting implements Handler {
  readonly name = 'SMC';
  factors = 0;
  choices = 0;

  sample<V>(distribution: Distribution<V>): V {
    if (++this.choices > LONGEST) throw givenUp();
    return distribution.draw(machine.stream.begin());
  }

  factor(score: number): void {
    this.factors++;
    if (score === -Infinity) throw givenUp();
  }
}

/** Why so many particles are not tried side by side; null if they are. */
export function whyNotTried(entry: Entry, model: Model<unknown>, particles: number): Reason | null {
  const { clock, isPatient } = meter;
  const count = Math.min(MOST, Math.ceil(particles / PART));
  if (clock === null || isPatient || count < FEWEST || machine.program.evenness === 'even') return null;
  let start = 0;
  let choices = 0;
  let longest = 0;
  const found = new Set<number>();
  const execute = (number: number): void => {
    const handler = new Counting();
    const value = entry.execute(handler, model, entry.streamOf(number));
    if (value !== abandoned) found.add(handler.factors);
    longest = Math.max(longest, handler.choices);
    choices += handler.choices;
  };
  try {
    for (let i = 1; i <= count; i++) {
      // The first ones call everything for the first time.
      if (i === UNTIMED + 1) start = clock();
      execute(i);
      const areAlike = i > 1 && found.size === 1 && choices === i * longest;
      if (areAlike && choices >= TELLING && machine.program.evenness === 'recursive') return null;
    }
    if (found.size <= 1) return null;
    const first = { made: count, took: clock() - start, each: (clock() - start) / (count - UNTIMED) };
    const isWorthIt = (each: number): boolean => each * TIMES_ALONE * particles >= WORTH_A_TRIAL;
    if (isWorthIt(first.each) && isWorthIt(settled(first, particles, clock, execute))) return null;
  } catch {
    // What fails here may never be met; if it is, the filter says so.
    return null;
  }
  fail(entry, DIFFERENT);
  return DIFFERENT;
}

/** Makes more executions, up to so many, until V8 has optimised what they call; gives the milliseconds that one of the last took. */
function settled(
  { made, took, each }: { readonly made: number; readonly took: number; readonly each: number },
  most: number,
  clock: () => number,
  execute: (number: number) => void,
): number {
  let [spent, next, last] = [took, made + 1, each];
  while (spent < OPTIMISED && next <= most) {
    const end = Math.min(2 * next, most + 1);
    const start = clock();
    const some = end - next;
    for (; next < end; next++) execute(next);
    const now = clock() - start;
    spent += now;
    last = now / some;
  }
  return last;
}

/** So many factors are many: executions are executed again up to some of them, and what they have made by then may be large. */
const MANY = 256;
/** Executions are made again about once for each √(10 · factors), on average half of the way (`horizon.ts`). */
const FACTORS_AGAIN = 10;

/**
 * The milliseconds of processor that particles with very many factors take alone, as far as one execution tells; undefined for others. What side
 * by side counts says too little of these: not how often each is executed again, nor what becomes dearer on the way, as a list that grows.
 */
export function longAlone(entry: Entry, model: Model<unknown>, particles: number): number | undefined {
  const { clock } = meter;
  if (clock === null) return undefined;
  let [took, factors] = [0, 0];
  // The first calls everything for the first time.
  for (let i = 1; i <= UNTIMED; i++) {
    const handler = new Counting();
    const start = clock();
    try {
      entry.execute(handler, model, entry.streamOf(i));
    } catch {
      return undefined;
    }
    [took, factors] = [clock() - start, handler.factors];
    if (factors < MANY) return undefined;
  }
  return took * particles * Math.sqrt(factors / FACTORS_AGAIN);
}
