/** Ctrl-C and the like: a run that has something to save is told, and given time to do so; others end at once. */
import { STDERR, write } from './streams.ts';
import { isTerminal } from './terminal.ts';

/** With the exit codes that shells expect. */
const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** How long a run may take until it is between two steps. A second signal ends it before. */
const PATIENCE_MS = 20_000;
const EXPLAIN_MS = 2_000;

/**
 * What a thread can be told while it computes, and tells: at `STOP` 0, or the exit code that the signal asks for; at `LEARNING`
 * how many optimisations are going on that have something to save.
 */
export type StopFlag = Int32Array<SharedArrayBuffer>;

export const STOP = 0;
export const LEARNING = 1;

let saving: StopFlag | undefined;
/** A message that is written as soon as a signal comes. */
let announcement: string | undefined;

/** For one of several ranks: a launcher that ends all of them leaves little time. */
export function sayOnSignal(words: string): void {
  announcement = words;
}

let lastWork: (() => void) | undefined;

/** Done where a signal ends the command, and nothing else says so. */
export function beforeEnd(work: () => void): void {
  lastWork = work;
}

let waitsForOthers = false;

/** For one of several ranks: its thread may wait for others that are gone, and Node would wait for the thread. */
export function endWithoutThreads(): void {
  waitsForOthers = true;
}

function end(signal: NodeJS.Signals, code: number): void {
  lastWork?.();
  if (!waitsForOthers) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/**
 * From now on the first signal is told to the thread that looks at the flag, which saves its work and ends. Unless it has
 * something to save all the time, only while it optimises: any other program ends at once.
 */
export function saveOnSignal(always: boolean): StopFlag {
  saving = new Int32Array(new SharedArrayBuffer(8));
  if (always) saving[LEARNING] = 1;
  return saving;
}

let stopping: (() => void) | undefined;

/** From now on the first signal calls this, which brings the command to its end; a second one ends it at once. */
export function stopOnSignal(stop: () => void): void {
  stopping = stop;
}

/** False if there is nothing to wait for. */
function told(code: number): boolean {
  if (saving === undefined || Atomics.load(saving, LEARNING) === 0) return false;
  return Atomics.compareExchange(saving, STOP, 0, code) === 0;
}

/** No half-drawn progress is left behind. */
export function endCleanlyOnSignals(): void {
  for (const [signal, code] of Object.entries(CODES) as [keyof typeof CODES, number][]) {
    process.on(signal, () => {
      if (isTerminal(STDERR)) write(STDERR, '\r\u001b[K');
      if (stopping !== undefined) {
        const stop = stopping;
        stopping = undefined;
        stop();
        return;
      }
      if (announcement !== undefined) write(STDERR, `${announcement}\n`);
      announcement = undefined;
      if (!told(code)) end(signal, code);
      setTimeout(explain, EXPLAIN_MS).unref();
      setTimeout(giveUp, PATIENCE_MS, signal, code).unref();
    });
  }
}

/** From now on signals do what they do to any process, also while this thread computes; until they are heard again. */
export function leaveSignals(): () => void {
  for (const signal of Object.keys(CODES)) process.removeAllListeners(signal);
  return endCleanlyOnSignals;
}

function explain(): void {
  write(STDERR, 'Waiting for the end of a step, to save what was learned. A second signal ends the program at once.\n');
}

function giveUp(signal: NodeJS.Signals, code: number): void {
  write(STDERR, 'The program is not between two steps, so that nothing could be saved.\n');
  end(signal, code);
}
