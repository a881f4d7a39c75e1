/**
 * Threads that run the same program behind this one, and take parts of long work that it has not begun: chains, so far. The work is
 * that of one thread, to the last bit, whichever thread does which part.
 */
import { machine, runsDirectly } from './machine.ts';

/** Whether a run has such threads, or may start some. */
export interface Helpers {
  /** Work of so many independent parts begins, outside any inference. Undefined if this thread does all of it. */
  begin(parts: number): HelpedWork | undefined;
  /** Told of what a program prints. A helper does no work in which something is printed. */
  readonly prints?: () => void;
  /** Told of advice, which a helper hands on. */
  readonly warns?: (message: string) => void;
  /** Told where a program is about to lock and write files in the course of its work: a helper ends there. */
  readonly writes?: () => void;
}

/** What is to be done of such work, and by whom. */
export interface Parts {
  /** The next part to do here; −1 if none is left. */
  next(): number;
  /** Told now and then: how many of `each` iterations of every part begun here are made, all in all. */
  look(made: number, each: number): void;
}

/** How the parts of some work are done. */
export interface PartWork<R> {
  /** Does the parts that it is given, and gives what came of each. */
  run(parts: Parts): ReadonlyMap<number, R>;
  /** What a part starts from, as bytes: the same value wherever the same program runs. Undefined if it has no form as bytes. */
  startOf(part: number): Uint8Array | undefined;
}

export interface HelpedWork {
  /** Does all parts, and gives what came of them, in their order. */
  results<R>(work: PartWork<R>): R[];
  /** How many of them were done by other threads. */
  readonly elsewhere: number;
}

/** The help that there is for work of so many parts: outside any inference, and not within a share of other work. */
export function helpFor(parts: number): HelpedWork | undefined {
  const { run, apart } = machine;
  return run.helpers === undefined || apart || !runsDirectly() ? undefined : run.helpers.begin(parts);
}
