/**
 * Points of the path that a search is on, from which an execution can be taken up again: there all that is left of it is a call.
 * Two paths that come to the same call, with the same arguments, have the same futures. The second time that happens its outcomes
 * are collected apart, and from the third time on they are added up without executing anything. So a sequence of n steps among k
 * states, such as a hidden Markov model, takes some k·n executions where there are kⁿ paths.
 */
import { MarginalBuilder } from '../../distributions/marginal.ts';
import { MemoLayer } from '../../runtime/memo.ts';
import type { RemainingCall } from '../../runtime/returning.ts';
import type { Collector } from './search.ts';

/** What is known of a call that paths have come to. */
class Future<T> {
  /** Its outcomes, relative to the weight it was reached with; null if they have not been collected. */
  outcomes: MarginalBuilder<T> | null = null;
  /** Whether a path has come to it. */
  met = false;
  /** Whether what comes of it is being collected. */
  open = false;

  constructor(
    /** Choices begun in the stream: whatever an inner inference draws depends on it. */
    readonly begun: number,
  ) {}
}

/** One point of the path, and how many choices were made before it. */
export interface Point {
  readonly position: number;
  readonly call: RemainingCall;
}

/** A point whose outcomes are collected apart. */
interface Collection<T> {
  /** Its place among the points. */
  readonly place: number;
  /** The log-weight it was reached with. */
  readonly before: number;
  readonly future: Future<T>;
  readonly outcomes: MarginalBuilder<T>;
}

/** Calls remembered at most: beyond that, paths are not compared any more. */
const MOST_FUTURES = 1_000_000;

type Branch = Map<unknown, Branch | Future<unknown>>;

export class RemainingCalls<T> {
  private readonly points: Point[] = [];
  private readonly apart: Collection<T>[] = [];
  /** Futures by function and arguments. */
  private readonly known: Branch = new Map();
  private futures = 0;
  /** The futures of a call also depend on what `mem` remembers, which is not in its arguments. */
  private readonly remembered = MemoLayer.writes;

  constructor(
    private readonly all: Collector<T>,
    /** Whether paths to the same call are followed only as long as something new comes of it. */
    private readonly merges: boolean,
  ) {}

  /** The last point of the path, or null. */
  get last(): Point | null {
    const { points } = this;
    return points.length === 0 ? null : points[points.length - 1];
  }

  /** Adds what came of an execution. */
  add(value: T, score: number): void {
    const { apart } = this;
    if (apart.length === 0) {
      this.all.add(value, score);
      return;
    }
    const { outcomes, before } = apart[apart.length - 1];
    outcomes.add(value, score - before);
  }

  /** The path has come to a call. False if what comes of it is known, and has been added. */
  reach(call: RemainingCall, position: number, score: number): boolean {
    const future = this.merges && MemoLayer.writes === this.remembered ? this.futureOf(call) : null;
    if (future !== null && future.outcomes !== null) {
      this.include(future.outcomes, score);
      return false;
    }
    const { points, apart } = this;
    // Of several points with no choice between them the last serves best.
    const last = points.length - 1;
    const isApart = apart.length > 0 && apart[apart.length - 1].place === last;
    if (last >= 0 && points[last].position === position && !isApart) points.pop();
    // The first time, nothing is collected apart: most calls never come again.
    if (future?.met && !future.open) {
      future.open = true;
      apart.push({ place: points.length, before: score, future, outcomes: new MarginalBuilder() });
    }
    if (future !== null) future.met = true;
    points.push({ position, call });
    return true;
  }

  /** The choice made after `position` others is another now: what was left after it is no longer. */
  leave(position: number): void {
    const { points, apart } = this;
    while (points.length > 0 && points[points.length - 1].position > position) points.pop();
    while (apart.length > 0 && apart[apart.length - 1].place >= points.length) {
      const { future, outcomes, before } = apart.pop()!;
      future.outcomes = outcomes;
      this.include(outcomes, before);
    }
  }

  private include(outcomes: MarginalBuilder<T>, score: number): void {
    const { apart } = this;
    if (apart.length === 0) {
      this.all.include!(outcomes, score);
      return;
    }
    const outer = apart[apart.length - 1];
    outer.outcomes.include(outcomes, score - outer.before);
  }

  /** Null if the call is not one to compare: objects may be equal in many ways, and looking is not free. */
  private futureOf({ callee, args, begun }: RemainingCall): Future<T> | null {
    for (let i = 0; i < args.length; i++) {
      const argument = args[i];
      if (typeof argument === 'object' ? argument !== null : Object.is(argument, -0)) return null;
    }
    let branch = this.known;
    let key: unknown = callee;
    for (let i = 0; i < args.length; i++) {
      let next = branch.get(key) as Branch | undefined;
      if (next === undefined) {
        next = new Map();
        branch.set(key, next);
      }
      branch = next;
      key = args[i];
    }
    const found = branch.get(key) as Future<T> | undefined;
    if (found !== undefined) return found.begun === begun ? found : null;
    if (this.futures >= MOST_FUTURES) return null;
    this.futures++;
    const made = new Future<T>(begun);
    branch.set(key, made as Future<unknown>);
    return made;
  }
}
