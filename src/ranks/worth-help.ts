/** Whether another thread would come in time to do some of the work that is left. */
import { now, processorTime } from '../host/system.ts';

/** Milliseconds of work that must have been seen, and that must be left, before a helper is started. */
const SEEN_MS = 200;
const LEFT_MS = 1000;
/** What starting a thread and compiling the program take, about. */
const START_MS = 300;
/** How much of a part a helper must be expected to have done when this thread would come to it. */
const AHEAD = 0.25;
/** The share of a processor that this thread must have had: on a busy machine helpers would take from others what they give here. */
const MINE = 0.6;

/** Fewer processors without work are none: a helper that has to wait for one keeps this thread waiting at the end. */
const LEAST_IDLE = 0.5;

/** A time on the clock, and the processor time until then, in milliseconds. */
export interface Moment {
  readonly time: number;
  readonly processor: number;
}

export const moment = (): Moment => ({ time: now(), processor: processorTime() });

/** How long something has taken that began then, and how much of a processor it had. */
export function sinceMoment({ time, processor }: Moment): { readonly took: number; readonly had: number } {
  return { took: now() - time, had: processorTime() - processor };
}

export interface WorkSoFar {
  /** Milliseconds that it has taken, and those of them with a processor. */
  readonly took: number;
  readonly had: number;
  /** Milliseconds of the run before it began, which a helper has to repeat. */
  readonly before: number;
  /** How many parts are done; of those in the middle, so much of each. */
  readonly parts: number;
  /** How many are not begun. */
  readonly free: number;
  /** How many processors have been idle of late. */
  readonly idle: number;
}

export function isWorthHelp({ took, had, before, parts, free, idle }: WorkSoFar): boolean {
  if (took < SEEN_MS || parts === 0 || had < MINE * took || idle < LEAST_IDLE) return false;
  const ofPart = took / parts;
  // Of those that were begun something is left, too.
  const untilLast = Math.ceil(parts) * ofPart - took + (free - 1) * ofPart;
  return untilLast + ofPart >= LEFT_MS && untilLast - before - START_MS >= AHEAD * ofPart;
}
