import type { Address } from '../../runtime/address.ts';
import { abandon } from '../../runtime/execution.ts';
import type { Distribution, SampleOptions } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { fresh } from '../../runtime/primitives.ts';
import { infiniteFactor } from '../chains/reexecution.ts';
import type { Agenda, PathNode } from './agenda.ts';
import { scoreInAdvance } from './choice-point.ts';
import { Search, type SearchLimits } from './search.ts';

interface Step extends PathNode {
  readonly parent: Step | null;
  readonly address: Address;
  /** Number of choices up to this one. */
  readonly depth: number;
  /** Possible values of this choice, this one included. */
  readonly breadth: number;
  /** Whether the score function of this choice has to run after it: it makes choices itself. */
  readonly deferred: boolean;
}

/**
 * Visits executions in the order of an agenda. At a new choice all its values go on the agenda; if the path that
 * comes next is one of them the execution goes on with it, else it breaks off and that path is replayed.
 */
export class AgendaSearch extends Search {
  length = 0;
  suspended = false;
  private position = 0;
  private step: Step | null = null;
  /** The path to `step`, from the root on. */
  private readonly path: Step[] = [];

  constructor(
    limits: SearchLimits,
    private readonly agenda: Agenda<Step>,
  ) {
    super(limits);
  }

  get unmet(): number {
    return this.length - this.position;
  }

  start(): null {
    this.position = 0;
    this.score = 0;
    this.suspended = false;
    return null;
  }

  sample<V>(distribution: Distribution<V>, _options: SampleOptions<V> | undefined, address: Address): V {
    if (this.position < this.length) return this.followed(address).value as V;
    const values = this.valuesOf(distribution);
    return this.branch(
      values,
      values.map((value) => distribution.score(value)),
      address,
      false,
    ).value as V;
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
      step = this.branch(values, scores, address, deferred);
    }
    if (step.deferred) this.scoreNow(score, step.value as V, address);
    return step.value as V;
  }

  factor(score: number): void {
    // What was met before the last replayed choice is in that choice's score already.
    if (this.position < this.length) return;
    if (score === -Infinity) throw abandon;
    if (score === Infinity) throw infiniteFactor();
    this.score += score;
  }

  observe<V>(distribution: Distribution<V>, value: V): void {
    if (this.position === this.length) this.factor(distribution.score(value));
  }

  advance(): boolean {
    // A suspended execution has taken its successor from the agenda already.
    const next = this.suspended ? this.step : this.agenda.take();
    if (next === undefined || next === null) return false;
    this.step = next;
    this.length = next.depth;
    for (let step: Step | null = next; step !== null; step = step.parent) this.path[step.depth - 1] = step;
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
    return step;
  }

  private branch(values: readonly unknown[], scores: readonly number[], address: Address, deferred: boolean): Step {
    const parent = this.length === 0 ? null : this.step;
    const depth = this.length + 1;
    this.checkDepth(this.length);
    let breadth = 0;
    for (const score of scores) if (score > -Infinity) breadth++;
    if (breadth === 0) throw abandon;
    if (!this.sized) this.measure(parent, breadth);
    for (let i = 0; i < values.length; i++) {
      if (scores[i] === -Infinity) continue;
      const score = this.score + scores[i];
      this.agenda.add({ parent, value: values[i], score, address, depth, breadth, deferred });
    }
    const next = this.agenda.take()!;
    this.step = next;
    if (next.parent !== parent || next.depth !== depth) {
      this.suspended = true;
      throw abandon;
    }
    this.path[depth - 1] = next;
    this.position = this.length = depth;
    this.score = next.score;
    return next;
  }

  /** Estimates the size of the tree as if all executions were like this one. */
  private measure(parent: Step | null, breadth: number): void {
    const breadths = [breadth];
    for (let step = parent; step !== null; step = step.parent) breadths.push(step.breadth);
    let product = 1;
    let size = 1;
    for (let i = breadths.length - 1; i >= 0; i--) {
      product *= breadths[i];
      size += product;
    }
    this.checkTreeSize(size);
  }
}
