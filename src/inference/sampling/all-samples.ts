/**
 * Makes all executions of an inference that draws samples, in the way that takes least time: the first ones alone, the others side by
 * side if these are many and it can be done. All ways give the same, so that what was made in one way is taken up in another.
 */

import { meter, triedOf } from '../../lanes/columns/meter.ts';
import { Pace, partOf, SOON_DONE } from '../../lanes/columns/pace.ts';
import { attempt, obstacle } from '../../lanes/columns/run.ts';
import { explain } from '../../lanes/obstacles.ts';
import { costOfExecutions } from '../../runtime/costs.ts';
import { abandoned, type Entry } from '../../runtime/execution.ts';
import type { Handler } from '../../runtime/handler.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { Reason } from '../../runtime/reasons.ts';
import { adviseOnExecutions } from '../../runtime/remedies.ts';
import type { Share } from '../../runtime/team.ts';
import type { Model } from '../algorithm.ts';
import { IterationCount } from '../progress.ts';
import { Collected, type ColumnWeighing, executionsOf, type Sampled, Stretch } from './column-sampling.ts';

/** A handler of one execution after the other, with the scores of the one just made. */
export interface SingleHandler extends Handler {
  readonly choiceScore: number;
  readonly factorScore: number;
  /** Gets ready for the next execution. */
  begin(): void;
}

/** Executions one by one. */
export class Alone<T> {
  private readonly stream: RandomStream;

  constructor(
    readonly entry: Entry,
    private readonly handler: SingleHandler,
    readonly model: Model<T>,
    /** Is told of each that came to its end, in order, as soon as that is known. */
    readonly told: ((value: T, choiceScore: number, factorScore: number) => void) | null = null,
  ) {
    this.stream = entry.streamOf(0);
  }

  /** Makes those of these numbers, and gives how many they are. Nothing of the program runs in between, unless it is told of each. */
  run({ first, count }: Share, collected: Collected<T>, progress: IterationCount): number {
    const all = (): void => {
      for (let i = first; i < first + count; i++) {
        this.put(i, this.next(i), collected);
        progress.step();
      }
    };
    if (this.told === null) this.entry.many(this.handler, all);
    else this.watched({ first, count }, collected, progress);
    return count;
  }

  private watched({ first, count }: Share, collected: Collected<T>, progress: IterationCount): void {
    const { handler, entry, told } = this;
    for (let i = first; i < first + count; i++) {
      const value = entry.many(handler, () => this.next(i));
      progress.step();
      if (value === abandoned) continue;
      this.put(i, value, collected);
      told!(value, handler.choiceScore, handler.factorScore);
    }
  }

  /** Makes one; gives the number of its choices, as far as they are not made by iterations. */
  one(number: number, collected: Collected<T>): number {
    this.put(
      number,
      this.entry.many(this.handler, () => this.next(number)),
      collected,
    );
    return this.stream.position;
  }

  private next(number: number): T | typeof abandoned {
    this.handler.begin();
    return this.entry.again(this.handler, this.model, this.stream.restart(number));
  }

  private put(number: number, value: T | typeof abandoned, collected: Collected<T>): void {
    if (value !== abandoned) collected.put(number, value, this.handler.choiceScore, this.handler.factorScore);
  }
}

/** What the executions of a share gave. */
export function sampleAll<T>(
  method: string,
  alone: Alone<T>,
  share: Share,
  handlerFor: (size: number) => ColumnWeighing,
): Sampled<T> {
  const { entry, model, told } = alone;
  const { first, count } = share;
  const end = first + count;
  const collected = new Collected<T>(share);
  const progress = new IterationCount(method, count);
  try {
    let reason = obstacle(entry, count);
    let made = first;
    if (reason === null) {
      const pace = told !== null || meter.isPatient || meter.clock === null ? null : new Pace(entry, meter.clock);
      if (pace !== null && !pace.isTogether) made = untilWorthATrial(pace, alone, share, collected, progress);
      if (made === end) reason = SOON_DONE;
      else {
        const stretch = new Stretch(entry, executionsOf(entry, model), handlerFor, collected);
        const rest = { first: made, count: end - made };
        const some = (share: Share): number => alone.run(share, collected, progress);
        const result = attempt(entry, () => together(stretch, rest, pace, told === null ? some : null));
        if (!(result instanceof Reason)) {
          const parts = result === 1 ? '' : `, in ${result} groups`;
          const before = made === first ? '' : `, ${made - first} of them before one by one`;
          explain(entry, method, 'columns', `${count} executions side by side${parts}${before}`);
          if (told !== null) tellAll(collected.result, told);
          return collected.result;
        }
        reason = result;
        made = told === null ? Math.max(made, stretch.next) : first;
      }
    }
    const cost = costOfExecutions(reason, count);
    explain(entry, method, reason, `${count} executions one by one, because ${reason}`, { cost });
    adviseOnExecutions(entry, method, reason, count);
    if (made < end) alone.run({ first: made, count: end - made }, collected, progress);
    return collected.result;
  } finally {
    progress.finish();
  }
}

/** Makes executions one by one until the others are worth a trial side by side, or all are made; gives the number of the next. */
function untilWorthATrial<T>(
  pace: Pace,
  alone: Alone<T>,
  { first, count }: Share,
  collected: Collected<T>,
  progress: IterationCount,
): number {
  const end = first + count;
  let next = first;
  for (; next < end && !pace.isSure(end - next) && !pace.isKnown; next++) {
    const number = next;
    pace.first(() => alone.one(number, collected));
    progress.step();
  }
  while (next < end && !pace.isSure(end - next) && !pace.isWorthATrial(end - next)) {
    const some = { first: next, count: Math.min(Math.ceil((next - first) / 2), end - next) };
    pace.more(() => alone.run(some, collected, progress));
    next += some.count;
  }
  return next;
}

/** Makes them side by side, and gives the number of groups. */
function together<T>(
  stretch: Stretch<T>,
  rest: Share,
  pace: Pace | null,
  alone: ((share: Share) => number) | null,
): number {
  const { count } = rest;
  if (pace === null) return stretch.execute(rest, triedOf(count));
  const tried = pace.isTogether || pace.isSure(count) ? 0 : partOf(count);
  return pace.together(count, () => stretch.execute(rest, tried, pace, alone));
}

function tellAll<T>(
  { values, ended, choiceScores, factorScores }: Sampled<T>,
  told: NonNullable<Alone<T>['told']>,
): void {
  for (let i = 0; i < ended.length; i++) {
    if (ended[i] === 1) told(values[i], choiceScores[i], factorScores?.[i] ?? 0);
  }
}
