import type { Texts } from '../compiler/library-names.ts';
import type { Sample } from '../distributions/marginal.ts';
import type { TabulatedDistribution } from '../distributions/tabulated.ts';
import type { OptionTable } from './options.ts';

/** A program to infer over: a function of no arguments, whose value's distribution is wanted. */
export type Model<T> = () => T;

/**
 * The distribution of a model's value, as inference found it: a table of values with probabilities, and what the
 * algorithm can tell besides. `Marginal` and `SampleBasedMarginal` are the two kinds.
 */
export interface Posterior<T> extends TabulatedDistribution<T> {
  /** In draw order, where the algorithm draws samples. */
  readonly samples?: readonly Sample<T>[];
  /** Log-weights of the samples, where they are not equal. */
  readonly weights?: ArrayLike<number>;
  /** Log of the evidence, or an estimate of it, where the algorithm has one. */
  readonly logZ?: number;
  /** WebPPL's name for `logZ`. */
  readonly normalizationConstant?: number;
  /** Executions, where they were asked for. */
  readonly traces?: readonly unknown[];
  /** Acceptance rates, effective sample sizes and the like, by name. */
  readonly diagnostics?: Record<string, unknown>;
  /** What the automatic method chose. */
  readonly method?: string;
  /** Why it chose it. */
  readonly reason?: string;
}

/**
 * What an algorithm gives, as a type that depends on what the model returns: `interface ChainResult extends ResultType { type:
 * ChainPosterior<this['value']> }`.
 */
export interface ResultType {
  readonly value: unknown;
  readonly type: Posterior<this['value']>;
}

/** The type of what an algorithm gives for a model that returns a `T`. */
export type ResultOf<R extends ResultType, T> = (R & { readonly value: T })['type'];

/** One inference algorithm: a file in this folder exports one, and `methods.ts` lists it under its name. */
export interface Algorithm<O extends object, R extends ResultType = ResultType> {
  /** As in `Infer({method: name})`. */
  readonly name: string;
  /** The texts of a program that it executes, besides the plain one. */
  readonly texts?: readonly (keyof Texts)[];
  /** For the type checker alone: what `Infer` is known to give with this method. */
  readonly gives?: R;
  readonly options: OptionTable<O>;
  run<T>(model: Model<T>, options: O): Posterior<T>;
}
