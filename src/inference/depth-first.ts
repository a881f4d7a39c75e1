import type { Address } from '../runtime/address.ts';
import { abandon } from '../runtime/execution.ts';
import type { Distribution, SampleOptions } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { scoreInAdvance } from './choice-point.ts';
import { infiniteFactor } from './reexecution.ts';
import { Search } from './search.ts';

/**
 * Visits all executions from left to right. The current path is kept in arrays, one entry per choice, so that
 * replaying it costs a few array reads per choice and allocates nothing.
 */
export class DepthFirst extends Search {
  length = 0;
  readonly suspended = false;
  private position = 0;

  private readonly addresses: Address[] = [];
  private readonly values: unknown[] = [];
  /** Log-weight of the execution up to each choice, without it and with it. */
  private readonly before: number[] = [];
  private readonly after: number[] = [];

  /** What is left to take: all values of each choice, the place of the current one … */
  private readonly supports: (readonly unknown[])[] = [];
  private readonly places: number[] = [];
  /** … and the log-weights of all, those of one choice after those of the other, from `offsets` on. */
  private readonly offsets: number[] = [];
  private readonly scores: number[] = [];
  private used = 0;

  /** Whether the score function of a choice by `sampleWithFactor` has to run after it: it makes choices itself. */
  private readonly deferred: boolean[] = [];

  /** While the size of the tree is in question: possible values so far, multiplied and then summed up. */
  private readonly products: number[] = [];
  private readonly sizes: number[] = [];

  get unmet(): number {
    return this.length - this.position;
  }

  start(): void {
    this.position = 0;
    this.score = 0;
  }

  sample<V>(distribution: Distribution<V>, _options: SampleOptions<V> | undefined, address: Address): V {
    if (this.position < this.length) return this.replay(address) as V;
    const values = this.valuesOf(distribution);
    this.begin(values, address);
    for (let i = 0; i < values.length; i++) this.scores[this.used++] = distribution.score(values[i]);
    return this.take(values);
  }

  sampleWithFactor<V>(distribution: Distribution<V>, score: (value: V) => number, address: Address): V {
    // Reserved on every visit, so that whatever else the program draws is the same on every visit.
    const occurrence = machine.stream.occurrence();
    const at = this.position;
    if (at < this.length) {
      const value = this.replay(address) as V;
      if (this.deferred[at]) this.scoreNow(score, value, address);
      return value;
    }
    const values = this.valuesOf(distribution);
    this.begin(values, address);
    for (let i = 0; i < values.length; i++) {
      let weight = distribution.score(values[i]);
      if (!this.deferred[at] && weight > -Infinity) {
        const more = scoreInAdvance(score, values[i], machine.stream.child(occurrence, i));
        if (more === undefined) {
          // Seen at the first value or at none that matters: a score added already is taken back by starting over.
          this.deferred[at] = true;
          this.used = this.offsets[at];
          i = -1;
          continue;
        }
        weight += more;
      }
      this.scores[this.used++] = weight;
    }
    const value = this.take(values);
    if (this.deferred[at]) this.scoreNow(score, value, address);
    return value;
  }

  factor(score: number): void {
    // What comes before the last replayed choice has been added up already, and was possible.
    if (this.position < this.length) return;
    if (score === -Infinity) throw abandon;
    if (score === Infinity) throw infiniteFactor();
    this.score += score;
  }

  observe<V>(distribution: Distribution<V>, value: V): void {
    if (this.position === this.length) this.factor(distribution.score(value));
  }

  private replay(address: Address): unknown {
    const at = this.position++;
    if (this.addresses[at] !== address) this.strayed();
    this.score = this.after[at];
    return this.values[at];
  }

  private begin(values: readonly unknown[], address: Address): void {
    const at = this.position;
    this.checkDepth(at);
    this.addresses[at] = address;
    this.supports[at] = values;
    this.before[at] = this.score;
    this.offsets[at] = this.used;
    this.deferred[at] = false;
  }

  /** Takes the first possible value of the choice whose scores have just been written. */
  private take<V>(values: readonly V[]): V {
    const at = this.position;
    if (!this.sized) this.measure(at);
    const place = this.firstPossible(at, 0);
    if (place === values.length) {
      this.used = this.offsets[at];
      throw abandon;
    }
    this.settle(at, place);
    this.position = this.length = at + 1;
    this.score = this.after[at];
    return values[place];
  }

  advance(): boolean {
    while (this.length > 0) {
      const at = this.length - 1;
      const place = this.firstPossible(at, this.places[at] + 1);
      if (place < this.supports[at].length) {
        this.settle(at, place);
        return true;
      }
      this.length = at;
      this.used = this.offsets[at];
    }
    return false;
  }

  private firstPossible(at: number, from: number): number {
    const size = this.supports[at].length;
    const offset = this.offsets[at];
    let place = from;
    while (place < size && this.scores[offset + place] === -Infinity) place++;
    return place;
  }

  private settle(at: number, place: number): void {
    this.places[at] = place;
    this.values[at] = this.supports[at][place];
    this.after[at] = this.before[at] + this.scores[this.offsets[at] + place];
  }

  private measure(at: number): void {
    let possible = 0;
    for (let i = this.offsets[at]; i < this.used; i++) if (this.scores[i] > -Infinity) possible++;
    this.products[at] = (at === 0 ? 1 : this.products[at - 1]) * possible;
    this.sizes[at] = (at === 0 ? 1 : this.sizes[at - 1]) + this.products[at];
    this.checkTreeSize(this.sizes[at]);
  }
}
