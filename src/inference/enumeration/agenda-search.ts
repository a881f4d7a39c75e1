import type { Address } from '../../runtime/address.ts';
import type { Distribution, SampleOptions } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { fresh } from '../../runtime/primitives.ts';
import { giveUp } from '../../runtime/returning.ts';
import { givenUp, isSignal } from '../../runtime/signals.ts';
import { infiniteFactor } from '../chains/reexecution.ts';
import type { Agenda, PathNode } from './agenda.ts';
import { scoreInAdvance } from './choice-point.ts';
import { Search, type SearchLimits, unforeseen } from './search.ts';

/** The outcome of an execution: the program's value, or `abandoned`. */
class Ending {
  constructor(
    readonly value: unknown,
    readonly score: number,
  ) {}
}

/** (There are many of them, all of which are kept: what is the same for all values of a choice is not noted here.) */
interface Step extends PathNode {
  readonly parent: Step | null;
  readonly address: Address | null;
  /** Number of choices up to this one. */
  readonly depth: number;
  /** What comes after it: the possible values of the next choice, or an end. Null as long as no execution has been there. */
  after: readonly Step[] | Ending | null;
}

/** Before the first choice. */
const root = (): Step => ({
  ...{ parent: null, value: undefined, score: 0, address: null, depth: 0 },
  after: null,
});

/** Choices that an execution makes at most beyond what was asked for, or as many as it made before. It might go on for ever. */
const FURTHEST = 12;
/** It makes none that is less likely than this beside what was asked for, on a logarithmic scale: others are asked for before. */
const UNLIKELY = 3;

/**
 * Visits executions in the order of an agenda. An execution follows the path that comes next, to learn what choice is made
 * after it. It does not end there, but goes on with the likeliest values: so it learns what comes after each of these, which mostly
 * are the next to be asked for. Whatever fails on the way there has not been asked for, and counts only if it is.
 */
export class AgendaSearch extends Search {
  length = 0;
  suspended = false;
  readonly returns = true;
  private position = 0;
  /** The end of the path that is to be followed. */
  private step: Step = root();
  /** The path to `step`, from the root on. */
  private readonly path: Step[] = [];
  /** The last choice made by this execution. */
  private tip: Step = this.step;
  /** Log-probabilities of the values of a choice, as long as it is made: the first ones, since others may have had more. */
  private readonly scores: number[] = [];
  /** Choices whose score function has to run after them, since it makes choices itself: what comes after the step before. */
  private readonly deferred = new WeakSet<object>();
  /** Whether this execution was broken off, so that nothing is known of what comes after `tip`. */
  private broken = false;

  constructor(
    limits: SearchLimits,
    private readonly agenda: Agenda<Step>,
  ) {
    super(limits);
  }

  get unmet(): number {
    return this.length - this.position;
  }

  /** Whether this execution has shown what it was to show. */
  private get isAhead(): boolean {
    return this.step.after !== null;
  }

  start(): null {
    this.position = 0;
    this.score = 0;
    this.suspended = false;
    this.broken = false;
    this.tip = this.step;
    return null;
  }

  override foreseen(): unknown {
    const { after } = this.step;
    if (!(after instanceof Ending)) return unforeseen;
    this.suspended = false;
    this.score = after.score;
    return after.value;
  }

  override ended(value: unknown): void {
    this.suspended = this.isAhead;
    if (this.suspended && !this.broken) this.tip.after = new Ending(value, this.score);
  }

  override pardons(thrown: unknown): boolean {
    if (!this.isAhead || isSignal(thrown)) return false;
    this.refusal = null;
    this.broken = true;
    return true;
  }

  sample<V>(distribution: Distribution<V>, _options: SampleOptions<V> | undefined, address: Address): V {
    if (this.position < this.length) return this.followed(address).value as V;
    const values = this.valuesOf(distribution);
    const { scores } = this;
    if (distribution.isUniform) scores[0] = distribution.score(values[0]);
    for (let i = 0; i < values.length; i++)
      scores[i] = distribution.isUniform ? scores[0] : distribution.score(values[i]);
    return this.branch(values, scores, address).value as V;
  }

  sampleWithFactor<V>(distribution: Distribution<V>, score: (value: V) => number, address: Address): V {
    // Reserved on every visit, so that whatever else the program draws is the same on every visit.
    const occurrence = machine.stream.occurrence();
    let step: Step;
    if (this.position < this.length) {
      step = this.followed(address);
    } else {
      const values = this.valuesOf(distribution);
      const prior = values.map((value) => distribution.score(value));
      const extra = values.map((value, i) =>
        prior[i] > -Infinity ? scoreInAdvance(score, value, machine.stream.child(occurrence, i)) : 0,
      );
      const deferred = extra.includes(undefined);
      const scores = deferred ? prior : prior.map((own, i) => own + extra[i]!);
      step = this.branch(values, scores, address);
      if (deferred) this.deferred.add(step.parent!.after!);
    }
    if (this.deferred.has(step.parent!.after!)) this.scoreNow(score, step.value as V, address);
    return step.value as V;
  }

  factor(score: number): void {
    // What was met before the last replayed choice is in that choice's score already.
    if (this.position < this.length) return;
    if (score === -Infinity) giveUp();
    else if (score === Infinity) throw infiniteFactor();
    else this.score += score;
  }

  observe<V>(distribution: Distribution<V>, value: V): void {
    if (this.position === this.length) this.factor(distribution.score(value));
  }

  advance(): boolean {
    let next = this.step;
    // A path of which is known what comes next is not executed.
    do {
      const { after } = next;
      if (after !== null && !(after instanceof Ending)) for (const step of after) this.agenda.add(step);
      const taken = this.agenda.take();
      if (taken === undefined) return false;
      next = taken;
    } while (next.after !== null && !(next.after instanceof Ending));
    this.step = next;
    this.position = this.length = next.depth;
    if (next.after === null) {
      for (let step = next; step.parent !== null; step = step.parent) this.path[step.depth - 1] = step;
    }
    return true;
  }

  replay(address: Address): unknown {
    return this.position < this.length ? this.followed(address).value : fresh;
  }

  /** The step of a choice that is made again. */
  private followed(address: Address): Step {
    const step = this.path[this.position++];
    if (step.address !== address) this.strayed();
    this.score = step.score;
    this.tip = step;
    return step;
  }

  private branch(values: readonly unknown[], scores: readonly number[], address: Address): Step {
    const parent = this.tip;
    if (this.isAhead) this.checkDistance(parent);
    this.checkDepth(parent.depth);
    let breadth = 0;
    for (let i = 0; i < values.length; i++) if (scores[i] > -Infinity) breadth++;
    if (breadth === 0) throw givenUp();
    if (!this.sized) this.measure(parent, breadth);
    const depth = parent.depth + 1;
    const before = this.score;
    // Of that length from the start: there are many of them, and one that grows has room for more.
    const after = new Array<Step>(breadth);
    let count = 0;
    let next: Step | null = null;
    for (let i = 0; i < values.length; i++) {
      if (scores[i] === -Infinity) continue;
      const score = before + scores[i];
      const step: Step = { parent, value: values[i], score, address, depth, after: null };
      if (next === null || score > next.score) next = step;
      after[count++] = step;
    }
    parent.after = after;
    this.tip = next!;
    this.score = next!.score;
    return next!;
  }

  /** Breaks the execution off if it has gone far enough, or if the size of the tree is to be judged by what was asked for. */
  private checkDistance({ depth }: Step): void {
    const furthest = this.length + Math.max(FURTHEST, this.length);
    const isLikely = this.score > this.step.score - UNLIKELY;
    if (this.sized && isLikely && depth < furthest && depth < this.limits.depth) return;
    this.broken = true;
    throw givenUp();
  }

  /** Estimates the size of the tree as if all executions were like this one. */
  private measure(parent: Step, breadth: number): void {
    const breadths = [breadth];
    for (let step = parent; step.parent !== null; step = step.parent)
      breadths.push((step.parent.after as Step[]).length);
    let product = 1;
    let size = 1;
    for (let i = breadths.length - 1; i >= 0; i--) {
      product *= breadths[i];
      size += product;
    }
    this.checkTreeSize(size);
  }
}
