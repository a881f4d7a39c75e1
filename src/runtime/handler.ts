/**
 * The contract between programs and inference. A program never knows what runs it: `sample`, `factor`,
 * `observe` and `mapData` ask the current handler, and each inference algorithm is one handler (one file in
 * `src/inference/`) that gives them meaning. An algorithm works by executing the program from the start, as often
 * as it likes, with `execute` (`execution.ts`); it never resumes one half way.
 */
import type { Tensor } from '../tensor/tensor.ts';
import type { Address } from './address.ts';
import type { PastIterations } from './iteration.ts';
import type { Random } from './random.ts';
import type { Rounds } from './rejection.ts';
import type { RemainingCall } from './returning.ts';

/** An interval of the real line: the support of a bounded continuous distribution. */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/** What the runtime and the algorithms need to know of a distribution; `src/distributions/` implements it. */
export interface Distribution<V> {
  /** The family's name, as programs write it. */
  readonly name: string;
  /** Named parameters as given, after checking. */
  readonly params: object;
  /** Whether scores are densities. */
  readonly isContinuous: boolean;
  /** True if all values of the support are known to be equally probable. */
  readonly isUniform?: boolean;
  /** Draws one value with the given random numbers. */
  draw(random: Random): V;
  /** Log-probability or log-density; −∞ outside the support, never NaN. */
  score(value: V): number;
  /** All values if finitely many; the bounds if a continuous interval. Absent if neither. */
  support?(): readonly V[] | Interval;
}

/** Second argument of `sample`. */
export interface SampleOptions<V> {
  /** What the guide program samples here: a distribution, or a thunk run only when guides are needed, which may make choices of its own. */
  guide?: Distribution<V> | (() => Distribution<V>);
  /** Proposal for Metropolis–Hastings, given the current value. */
  driftKernel?: (previous: V) => Distribution<V>;
  /** Forbids the automatic mean-field guide at this choice. */
  noAutoGuide?: boolean;
  /** Forces (or forbids) the pathwise gradient estimator at this choice. */
  reparam?: boolean;
  /** How `Optimize` estimates the gradient of this choice's guide, where it is not to decide that itself. */
  gradient?: GradientName;
  /** How often a guide that makes choices of its own is run to estimate its density, where these choices cannot be summed out. */
  guideSamples?: number;
}

/** The ways to estimate the gradient at a choice. */
export const GRADIENTS = [
  'pathwise',
  'score',
  'leaveOneOut',
  'enumerate',
  'measure',
  'muprop',
  'rebar',
  'nvil',
] as const;

export type GradientName = (typeof GRADIENTS)[number];

/** What a handler is told of a call of `mapData` besides the number of data. */
export interface DataGiven {
  /** The data as the program gave them. */
  readonly data: unknown;
  readonly dreamBatchSize?: number;
}

/** One call of `mapData`, as a handler follows it. */
export interface DataPass {
  /** The data to look at, in this order; absent means all. */
  readonly indices?: ArrayLike<number>;
  enter(index: number): void;
  /** What the program sees in place of the datum that it has just come to. Absent means the datum itself. */
  datum?(index: number, datum: unknown): unknown;
  leave(): void;
  finish(): void;
  /** What the program gets in place of results, where those of some data are elsewhere. */
  readonly withheld?: unknown;
  /**
   * Runs the body for all data side by side, where the handler can. Undefined means it must be run for one after the
   * other; then nothing has happened.
   */
  together?<A, B>(data: ArrayLike<A>, body: (datum: A, index: number) => B): B[] | undefined;
}

/** Parameters that lanes have each their own of. */
export interface LaneParameters {
  readonly names: readonly string[];
  readonly values: readonly Tensor[];
  /** The names again, when the lanes have been given other data. */
  namesNow(): readonly string[];
  /** Makes the parameter of that name, if there is none. */
  declare(name: string): void;
}

/** The states that there may be before an item of `foldData`. */
export interface SummedStates {
  /** Those after it: `step` gives the state after one before. */
  onward(step: (state: unknown) => unknown): SummedStates;
  /** One of them, drawn by how probable they are. */
  drawn(): unknown;
}

/** What gives `sample`, `factor` and the others their meaning: one for each inference algorithm. */
export interface Handler {
  /** In messages: "while running …". */
  readonly name: string;

  /**
   * A random choice. `address` is unique to this choice within the execution only after
   * `address.choice(machine.execution)`, which handlers that keep a table of choices must call.
   */
  sample<V>(distribution: Distribution<V>, options: SampleOptions<V> | undefined, address: Address): V;

  /**
   * The value of the choice met now, if the handler knows it before it has seen the distribution, because it goes the way of
   * an earlier execution again; else `fresh`. Helpers such as `flip(p)` ask for it before they make a distribution.
   */
  replay?(address: Address): unknown;

  /** What is known of the iterations of a construct that begins here; null if nothing can be known. */
  recall?(address: Address): PastIterations | null;

  /** Makes an inference that depends on nothing but the execution so far, or gives what it gave before. Absent means just made. */
  inferred?<R>(infer: () => R, address: Address): R;

  /** Adds to the log-weight of the execution. Never called with NaN. */
  factor(score: number, address: Address): void;

  /**
   * Draws a choice that a guide makes for itself. `chance` is its score, where no gradient passes through the value and the
   * handler needs one. Absent means that it is drawn with `machine.stream`.
   */
  auxiliary?<V>(distribution: Distribution<V>): { readonly value: V; readonly chance: number };

  /** Conditions on an observed value. Absent means `factor` of its score. */
  observe?<V>(distribution: Distribution<V>, value: V, address: Address): void;

  /** A choice weighted as soon as its value is known. Absent means `sample`, then `factor`. */
  sampleWithFactor?<V>(distribution: Distribution<V>, score: (value: V) => number, address: Address): V;

  /** Follows the rounds of a loop that rejects, which begins. Absent means that the first is taken that the program accepts. */
  rejecting?(): Rounds;

  /** Marks the point before which rejuvenation leaves choices alone. Absent means it has no effect. */
  proposalBoundary?(): void;

  /** The value of a parameter as the program sees it, given what the table holds. Absent means just that. */
  param?(name: string, value: Tensor, scalar: boolean): unknown;

  /** The same for a parameter that each lane has its own of. */
  laneParam?(parameters: LaneParameters, scalar: boolean): unknown;

  /** A mark of where the execution is now, which `mem` keeps with a function that it is given. */
  readonly here?: object;
  /** Runs what `mem` remembers, first asked for now: its choices belong to where the function was given to `mem`. */
  remembering?<T>(home: object | undefined, work: () => T): T;
  /** Told of every `mapData`; says which data to look at. Absent means all, one after the other. */
  mapData?(length: number, batchSize: number | undefined, address: Address, given: DataGiven): DataPass;

  /**
   * Runs the iterations of `map` and its like side by side, where the handler can and there are enough of them. Undefined means that
   * they must be run one after the other; then nothing has happened. `used` says that what they return is wanted.
   */
  together?<A, B>(
    items: ArrayLike<A>,
    body: (item: A, index: number) => B,
    address: Address,
    used: boolean,
  ): B[] | undefined;

  /**
   * Runs the sides of a conditional on which the lanes in force disagree, each for those that take it, and gives the value
   * for all of them, if it is `valued`. Absent means that lanes part.
   */
  branch?(taken: Uint8Array, then: () => unknown, otherwise: () => unknown, valued: boolean): unknown;

  /**
   * Lanes that may run the sides of a conditional each come to one: remembers which lanes take which side, and may record
   * both sides with open lanes (`optimize/open-steps.ts`). Undefined if it was not recorded so; `sides` are then what is to
   * be run.
   */
  fork?(
    condition: unknown,
    sides: { yes: () => unknown; no: () => unknown; readonly both?: boolean },
    valued: boolean,
  ): { readonly value: unknown } | undefined;

  /** Told of numbers that the program looks at, where they differ between lanes: what it does next depends on them. */
  looksAt?(numbers: object): void;

  /**
   * Asked by `foldData` before its first item: a way to go through all states that there may be at once, where their choices need not be
   * drawn. Undefined means one state after the other.
   */
  summedStates?(init: unknown): SummedStates | undefined;

  /**
   * True if `sample` does nothing but draw from the distribution, with `machine.stream.begin()`, and tell `drew`, if there is one:
   * helpers such as `gaussian(mu, sigma)` then need not make a distribution.
   */
  readonly onlyDraws?: boolean;

  /** Told of the score of what was drawn. */
  drew?(score: number): void;

  /** True if executions may end by returning: the handler then calls `giveUp` (`returning.ts`) when it hears of factors. */
  readonly returns?: boolean;

  /**
   * Whether executions start with `machine.hands`: calls in return position are handed over, which then are all that is
   * left. Needs `returns`, and has no effect on programs that keep state.
   */
  readonly hands?: boolean;

  /** Told of each call handed over, before it is made. False gives the execution up. */
  reaches?(call: RemainingCall): boolean;

  /** True if the program is to run its lifted text, because this handler gives it nodes of a graph. */
  readonly lifted?: boolean;

  /** True if one execution may stand for those of several lanes (`src/lanes/`): it looks at no value without asking. */
  readonly inLanes?: boolean;

  /** True where guides are sampled, so that `guide(thunk)` runs its thunk. */
  readonly guided?: boolean;

  /** True if data are made up, so that `observe` without a value is no mistake. */
  readonly synthesises?: boolean;

  /** True if choices or their guides are found by addresses: choices at two places are not to be made as one. */
  readonly usesAddresses?: boolean;
}
