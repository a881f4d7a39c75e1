/**
 * What it is expected to cost that executions run one by one: how many times as long they take. What was counted until side by side ended
 * tells (`Reason.timesAlone`); where nothing was, what is usual, by the number of executions. Fitted to the processor time of programs of
 * `bench/styles/`; it is an estimate, and nothing but messages depends on it.
 */
import { type Reason, type ReasonCode, reasonCodesWithoutCost } from './reasons.ts';

/** Nanoseconds for a choice, and what goes with it: alone, side by side, and once for all of them. */
const ALONE = 250;
const TOGETHER = 48;
const ONCE = 36_000;
/** Steps of a chain, and paths of an enumeration, that are executed take so many times as long as recorded ones. */
export const UNRECORDED = 3;
/** The same for steps of an optimisation that are not compiled. */
export const UNCOMPILED = 4;
/** Data of an optimisation one by one: so many of them take as long as one more time of all. */
const DATA_SHARED = 6;
const MOST = 50;

/** Of so many executions, each made so many times over alone. */
export const costOfExecutions = ({ code, timesAlone }: Reason, executions: number, times = 1): number =>
  code === 'courses' ? 1 : (timesAlone ?? (times * ALONE) / (TOGETHER + ONCE / Math.max(1, executions)));

/** Of so many data in a step. */
export const costOfData = (count: number): number => Math.min(MOST, count / DATA_SHARED);

/** As in "about 8 times": rough numbers are not told to the digit. */
export function figureOf(cost: number): string {
  if (cost >= 10) return String(5 * Math.round(cost / 5));
  return cost >= 3 ? String(Math.round(cost)) : String(Math.round(2 * cost) / 2);
}

/** Less is not told from nothing. */
const NOTICEABLE = 1.25;

/** What it costs, as a line below an explanation; nothing where there is no other way. */
export function costLine(code: ReasonCode | undefined, cost: number | undefined, indent = 2): string {
  if (code === undefined || cost === undefined || reasonCodesWithoutCost.has(code)) return '';
  const costs =
    cost < NOTICEABLE
      ? 'nothing: another way would take as long, or longer.'
      : `about ${figureOf(cost)} times the time, as far as can be told.`;
  return `\n${' '.repeat(indent)}What it costs: ${costs}`;
}
