/** What the strategies of enumeration have in common: how far they may go, and how they say that they cannot. */

import type { MarginalBuilder } from '../../distributions/marginal.ts';
import type { Address } from '../../runtime/address.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import type { Distribution, Handler, SampleOptions } from '../../runtime/handler.ts';
import { Later } from '../../runtime/late-module.ts';
import { machine } from '../../runtime/machine.ts';
import type { RemainingCall } from '../../runtime/returning.ts';
import { givenUp } from '../../runtime/signals.ts';
import { TooManyValues } from '../../runtime/too-many-values.ts';
import type { Posterior } from '../algorithm.ts';
import { checkedScore, OTHER_METHODS, obstacleTo } from './choice-point.ts';

export interface SearchLimits {
  /** Choices in one execution. */
  readonly depth: number;
  /** Estimated number of nodes of the tree of executions, judged by the first of them. */
  readonly treeSize: number;
  /** True if the caller has other plans when enumeration is not feasible: it is told by `refusal`, without an error. */
  readonly tentative: boolean;
}

/** What takes part in an enumeration under gradients; installed by `src/lifting/`. */
interface LiftedEnumeration {
  /** Visits all executions from left to right. */
  depthFirst(limits: SearchLimits): Search;
  /** Collects their values. */
  collector<T>(): Collector<T>;
}

export const liftedEnumeration: Later<LiftedEnumeration> = new Later();

/** Adds up the weights of equal values; undefined if none had any weight. */
export interface Collector<T> {
  add(value: T, logWeight: number): void;
  build(): Posterior<T> | undefined;
  /** Adds all that another one has collected, with log-weights shifted; where searches that merge paths are to use it. */
  include?(other: MarginalBuilder<T>, shift: number): void;
}

/** What there is instead of a value for a path that has to be executed. */
export const unforeseen: unique symbol = Symbol('unforeseen');

/** A way through the tree of executions. Each execution follows a path from the root, replaying its known part. */
export abstract class Search implements Handler {
  readonly name = 'enumerate';
  /** True if scores are nodes. */
  readonly lifted: boolean = false;
  /** Log-weight of the current execution. */
  score = 0;
  /** Why this program will not be enumerated, once that is clear. */
  refusal: string | null = null;
  private collector: Collector<unknown> | null = null;
  /** Set by the caller when an execution has run to its end: the size of the tree is no longer in question. */
  sized: boolean;

  constructor(protected readonly limits: SearchLimits) {
    this.sized = limits.treeSize === Infinity;
  }

  /** Before the first execution: where values go, and whether all paths will be visited, in which case some may be merged. */
  begin(collector: Collector<unknown>, _complete: boolean): void {
    this.collector = collector;
  }

  /** An execution has come to its end. */
  found(value: unknown): void {
    this.collector!.add(value, this.score);
  }

  /** Before each execution. What it returns is what is left of an earlier execution to go on from, if that is possible. */
  abstract start(): RemainingCall | null;
  /** What the model returns on the current path, `abandoned`, or `unforeseen` if no execution has shown that. */
  foreseen(): unknown {
    return unforeseen;
  }
  /** An execution has come to its end with a value, or with `abandoned`. */
  ended(_value: unknown): void {}
  /** Whether what the program threw does not matter, because its result was not asked for. */
  pardons(_thrown: unknown): boolean {
    return false;
  }
  /** After each execution: moves on to the next path. False if there is none. */
  abstract advance(): boolean;
  /** True if the last execution broke off at a choice that will be taken up later, and so is not one that counts. */
  abstract readonly suspended: boolean;
  /** Choices on the current path. */
  abstract readonly length: number;
  /** Choices of the current path that the program has not met (again) yet. */
  abstract readonly unmet: number;

  abstract sample<V>(distribution: Distribution<V>, options: SampleOptions<V> | undefined, address: Address): V;
  abstract replay(address: Address): unknown;
  abstract factor(score: number, address: Address): void;
  abstract observe<V>(distribution: Distribution<V>, value: V): void;
  abstract sampleWithFactor<V>(distribution: Distribution<V>, score: (value: V) => number, address: Address): V;

  /** The values of a choice met for the first time. */
  protected valuesOf<V>(distribution: Distribution<V>): readonly V[] {
    const support = this.supportOf(distribution);
    const obstacle = obstacleTo(distribution, support);
    if (obstacle !== undefined)
      this.refuse(`${obstacle}`, `enumerate cannot list the values of this choice: ${obstacle}. ${OTHER_METHODS}`);
    return support as readonly V[];
  }

  private supportOf<V>(distribution: Distribution<V>): ReturnType<NonNullable<Distribution<V>['support']>> | undefined {
    try {
      return distribution.support?.();
    } catch (thrown) {
      if (!(thrown instanceof TooManyValues)) throw thrown;
      return this.refuse(`a ${distribution.name} has ${thrown.count} values`, thrown.message);
    }
  }

  protected checkDepth(depth: number): void {
    if (depth < this.limits.depth) return;
    this.refuse(`an execution made ${depth} choices`, `enumerate: ${endless(depth)}`);
  }

  /** The program ran out of stack. */
  endless(): string {
    const { length } = this;
    if (!this.limits.tentative) throw new WaymarkError(`enumerate: ${endless(length)}`);
    return `an execution overflowed the stack after ${length} choices`;
  }

  protected checkTreeSize(size: number): void {
    if (size <= this.limits.treeSize) return;
    this.refuse(
      `there may be more than ${this.limits.treeSize} executions`,
      `enumerate: the program seems to have more than maxEnumTreeSize (${this.limits.treeSize}) partial executions. ` +
        `Raise maxEnumTreeSize, or use a method that draws samples (MCMC, SMC, rejection).`,
    );
  }

  /** Runs the score function of a choice that has been made, as a part of the program. */
  protected scoreNow<V>(score: (value: V) => number, value: V, address: Address): void {
    machine.address = address.at('score');
    const weight = checkedScore(score(value));
    machine.address = address.at('factor');
    this.factor(weight, machine.address);
  }

  /** The program did something else than when it made the same choices before. */
  strayed(): never {
    throw new WaymarkError(
      'enumerate runs the program many times, and with the same choices made it took another way than before. ' +
        'What it does must depend on its choices alone: not on Math.random, the clock or outside variables, nor on ' +
        'a function given to cache that makes choices (use mem for that).',
    );
  }

  private refuse(reason: string, message: string): never {
    this.refusal = reason;
    if (this.limits.tentative) throw givenUp();
    throw new WaymarkError(message);
  }
}

function endless(choices: number): string {
  return (
    `one execution made ${choices} choices without ending, so the program seems to have infinitely many executions. ` +
    'Give maxExecutions, which visits the likeliest first, or use a method that draws samples (MCMC, SMC, rejection).'
  );
}
