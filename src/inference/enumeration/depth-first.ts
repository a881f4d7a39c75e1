import type { Address } from '../../runtime/address.ts';
import type { Distribution, SampleOptions } from '../../runtime/handler.ts';
import type { PastIterations } from '../../runtime/iteration.ts';
import { machine } from '../../runtime/machine.ts';
import { MemoLayer } from '../../runtime/memo.ts';
import { fresh } from '../../runtime/primitives.ts';
import { giveUp, type RemainingCall } from '../../runtime/returning.ts';
import { givenUp } from '../../runtime/signals.ts';
import { infiniteFactor } from '../chains/reexecution.ts';
import { scoreInAdvance } from './choice-point.ts';
import { Inferred } from './past-inferences.ts';
import { type FollowedPath, Iterated } from './past-iterations.ts';
import { type Point, RemainingCalls } from './remaining-calls.ts';
import { type Collector, Search } from './search.ts';

/** A choice on the current path. When the path is left, the object serves for another choice at the same depth. */
class Level {
  /** Log-weights of the values. */
  readonly scores: number[] = [];
  /** The value taken now is the one at this place. */
  place = 0;
  value: unknown = undefined;
  /**
   * Log-weight of the execution before this choice, and up to and including it. They start with a fraction, because V8
   * would otherwise make levels of another shape when it first sees one here, and optimise for both.
   */
  before = 0.5;
  after = 0.5;
  /** Whether the score function given to `sampleWithFactor` has to run after the choice: it makes choices itself. */
  deferred = false;
  /** While the size of the tree is in question: possible values so far, multiplied, and then summed up. */
  product = 1;
  size = 1;
  /** When the value was taken. */
  time = 0;

  constructor(
    public address: Address,
    public values: readonly unknown[],
  ) {}

  /** Takes the first possible value from a place on. False if there is none. */
  take(from: number): boolean {
    const { scores, values } = this;
    let place = from;
    while (place < values.length && scores[place] === -Infinity) place++;
    if (place === values.length) return false;
    this.place = place;
    this.value = values[place];
    this.after = this.before + scores[place];
    return true;
  }
}

/**
 * Visits all executions from left to right. Under gradients its lifted text does (`src/lifting/enumeration.ts`), with
 * scores that are nodes; sums are therefore written out, which lifting can read. The current path is kept as a list with
 * one level per choice, so that replaying a choice reads a few fields and allocates nothing.
 */
export class DepthFirst extends Search implements FollowedPath {
  length = 0;
  readonly suspended = false;
  /** The first `length` belong to the path. */
  private readonly levels: Level[] = [];
  position = 0;
  /** Values taken so far. */
  time = 0;
  readonly returns = true;
  readonly hands = true;
  /** Choices met at a depth where a path before made another. */
  detours = 0;
  private collected: Collector<unknown> | null = null;
  private complete = false;
  /** Null until the first call is handed over. */
  private calls: RemainingCalls<unknown> | null = null;
  /** By the address of the construct. */
  private readonly iterated: Map<Address, Iterated> = new Map();
  /** Likewise. */
  private readonly inferences: Map<Address, Inferred> = new Map();
  /** What `mem` remembers is a state that executions have after all. */
  private readonly remembered = MemoLayer.writes;

  /** The choices of the path, the first `length` of these. */
  get path(): readonly Level[] {
    return this.levels;
  }

  /** Whether executions begin at the start, so far, so that the path is all there is to know. */
  get restarts(): boolean {
    return this.calls === null;
  }

  get unmet(): number {
    return this.length - this.position;
  }

  override begin(collector: Collector<unknown>, complete: boolean): void {
    this.collected = collector;
    this.complete = complete;
  }

  override found(value: unknown): void {
    if (this.calls === null) this.collected!.add(value, this.score);
    else this.calls.add(value, this.score);
  }

  start(): RemainingCall | null {
    this.score = 0;
    this.position = 0;
    return this.calls === null ? null : this.takenUp(this.calls.last);
  }

  private takenUp(point: Point | null): RemainingCall | null {
    if (point !== null) this.position = point.position;
    return point === null ? null : point.call;
  }

  reaches(call: RemainingCall): boolean {
    call.keep();
    if (this.calls === null) this.calls = new RemainingCalls(this.collected!, this.complete);
    return this.calls.reach(call, this.position, this.score);
  }

  recall(address: Address): PastIterations | null {
    if (this.lifted || !machine.program.stateless || MemoLayer.writes !== this.remembered) return null;
    let known = this.iterated.get(address);
    if (known === undefined) {
      known = new Iterated(this);
      this.iterated.set(address, known);
    }
    return known;
  }

  inferred<R>(infer: () => R, address: Address): R {
    if (this.lifted || MemoLayer.writes !== this.remembered) return infer();
    let known = this.inferences.get(address);
    if (known === undefined) {
      known = new Inferred(this);
      this.inferences.set(address, known);
    }
    return known.of(infer);
  }

  isUnchanged(position: number, time: number): boolean {
    return position < this.length && (position === 0 || this.levels[position - 1].time <= time);
  }

  skipTo(position: number): void {
    this.position = position;
  }

  sample<V>(distribution: Distribution<V>, _options: SampleOptions<V> | undefined, address: Address): V {
    if (this.position < this.length) return this.followed(address).value as V;
    const values = this.valuesOf(distribution);
    const level = this.level(values, address);
    const { scores } = level;
    if (distribution.isUniform) scores[0] = distribution.score(values[0]);
    for (let i = 0; i < values.length; i++)
      scores[i] = distribution.isUniform ? scores[0] : distribution.score(values[i]);
    this.enter(level);
    return level.value as V;
  }

  sampleWithFactor<V>(distribution: Distribution<V>, score: (value: V) => number, address: Address): V {
    // Reserved on every visit, so that whatever else the program draws is the same on every visit.
    const occurrence = machine.stream.occurrence();
    let level: Level;
    if (this.position < this.length) {
      level = this.followed(address);
    } else {
      const values = this.valuesOf(distribution);
      level = this.level(values, address);
      const extra = values.map((value, i) => {
        level.scores[i] = distribution.score(value);
        return level.scores[i] > -Infinity ? scoreInAdvance(score, value, machine.stream.child(occurrence, i)) : 0;
      });
      level.deferred = extra.includes(undefined);
      if (!level.deferred) for (let i = 0; i < extra.length; i++) level.scores[i] = level.scores[i] + extra[i]!;
      this.enter(level);
    }
    const value = level.value as V;
    if (level.deferred) this.scoreNow(score, value, address);
    return value;
  }

  factor(score: number): void {
    // What comes before the last replayed choice has been added up already, and was possible.
    if (this.position < this.length) return;
    // Without a return in between, after which lifting would take both ways.
    if (score === -Infinity) giveUp();
    else if (score === Infinity) throw infiniteFactor();
    else this.score = this.score + score;
  }

  observe<V>(distribution: Distribution<V>, value: V): void {
    if (this.position === this.length) this.factor(distribution.score(value));
  }

  /** Makes a choice that the program would make next, with the first possible of its values. */
  foresee(address: Address, values: readonly unknown[], scores: readonly number[], before: number): void {
    this.score = before;
    const level = this.level(values, address);
    for (let i = 0; i < values.length; i++) level.scores[i] = scores[i];
    this.enter(level);
  }

  advance(): boolean {
    while (this.length > 0) {
      const level = this.levels[this.length - 1];
      if (level.take(level.place + 1)) {
        level.time = ++this.time;
        break;
      }
      this.length--;
    }
    if (this.calls !== null) this.calls.leave(this.length - 1);
    return this.length > 0;
  }

  replay(address: Address): unknown {
    return this.position < this.length ? this.followed(address).value : fresh;
  }

  /** The level of a choice that is made again. */
  private followed(address: Address): Level {
    const level = this.levels[this.position++];
    if (level.address !== address) this.strayed();
    this.score = level.after;
    return level;
  }

  /** The level of a choice met for the first time. */
  private level(values: readonly unknown[], address: Address): Level {
    const at = this.length;
    this.checkDepth(at);
    if (at === this.levels.length) this.levels.push(new Level(address, values));
    const level = this.levels[at];
    if (level.address !== address) this.detours++;
    level.address = address;
    level.values = values;
    level.before = this.score;
    level.deferred = false;
    return level;
  }

  /** Goes on with the first possible value of a new choice. */
  private enter(level: Level): void {
    if (!this.sized) this.measure(level);
    if (!level.take(0)) throw givenUp();
    level.time = ++this.time;
    this.position = ++this.length;
    this.score = level.after;
  }

  private measure(level: Level): void {
    let possible = 0;
    for (let i = 0; i < level.values.length; i++) if (level.scores[i] > -Infinity) possible++;
    const above = this.length === 0 ? undefined : this.levels[this.length - 1];
    level.product = (above?.product ?? 1) * possible;
    level.size = (above?.size ?? 1) + level.product;
    this.checkTreeSize(level.size);
  }
}
