/**
 * The names of optimisation that programs see. What they do is installed by `register.ts`, together with the engine,
 * and only for programs that need it.
 */
import type { Params } from '../guides/given-params.ts';
import type { Model, Posterior } from '../inference/algorithm.ts';
import { modelAndOptions, runAlgorithm } from '../inference/infer.ts';
import { methodNamed } from '../inference/methods.ts';
import type { OptionTable } from '../inference/options.ts';
import type { ForwardOptions } from '../inference/sampling/forward.ts';
import { installed, Later } from '../runtime/late-module.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { autoGuides } from './auto-guide-option.ts';
import type { CheckpointOptions } from './checkpoint-options.ts';
import type { estimators } from './estimators.ts';
import type { OptimizeOptions } from './optimize-options.ts';
import type { updateRules } from './update-rules.ts';

interface Optimizing {
  optimize(first: unknown, second: unknown): Params;
  dreamSample(model: Model<unknown>): DreamSample;
}

/** What `dreamSample` returns. */
export interface DreamSample {
  /** The choices, by address. */
  trace: Record<string, unknown>;
  /** The data made up: an array for each `mapData`, or just the one. */
  data: unknown;
}

export const optimizing: Later<Optimizing> = new Later();

type OptionsOf<Row> = Row extends { options: OptionTable<infer Options> } ? Partial<Options> : never;

/** One of the rows of a table: its name, or `{name: options}`. */
type RowOf<Rows> = keyof Rows | { [Name in keyof Rows]?: OptionsOf<Rows[Name]> };

/** The same in a list of several: with a weight in the place of its options, or beside them. */
type WeightedRowOf<Rows> =
  | keyof Rows
  | { [Name in keyof Rows]: { [One in Name]: number | OptionsOf<Rows[Name]> } & { weight?: number } }[keyof Rows];

/** Options that programs may give in other forms than the one they are read to. */
type Reread = 'optMethod' | 'estimator' | 'autoGuide' | 'params' | 'checkpoint' | 'weightDecay';

/** What `Optimize` takes besides the model. */
export interface OptimizeGiven extends Partial<Omit<OptimizeOptions, Reread>> {
  /** An optimiser: its name, or `{name: options}`. */
  optMethod?: RowOf<typeof updateRules>;
  /** An objective: its name, or `{name: options}`; or a list of several with weights, such as `[{ELBO: 1}, {dream: 0.5}]`. */
  estimator?: RowOf<typeof estimators> | readonly WeightedRowOf<typeof estimators>[];
  /** What automatic guides are: a kind, or `{kind: sizes}`, such as `{lowRank: {rank: 10}}`. */
  autoGuide?: RowOf<typeof autoGuides>;
  /** Parameters to start from, instead of the run's own, which then stay as they are. */
  params?: Readonly<Record<string, Tensor | number>>;
  /** Where to keep the optimisation, so that it can go on after the process has ended: a file, or more. */
  checkpoint?: string | (Partial<CheckpointOptions> & { file: string });
  /** This number times each parameter is added to its gradient. */
  weightDecay?: number | { l2: { strength?: number } };
}

declare module '../inference/method-types.ts' {
  interface MethodTable<T> {
    optimize: {
      options: Omit<OptimizeGiven, 'params'> & Partial<Omit<ForwardOptions, 'guide' | 'verbose'>>;
      result: SampledPosterior<T>;
    };
  }
}

/**
 * Improves the parameters that a model and its guides declare, step by step, and returns them all, by name. Names that are
 * known can be given, as in `Optimize<'mu' | 'sigma'>(model)`: the result then has no others.
 *
 *     const model = () => {
 *       const x = sample(Gaussian({mu: 0, sigma: 1}));
 *       observe(Gaussian({mu: x, sigma: 0.5}), 1);
 *     };
 *     const params = Optimize(model, {steps: 100, optMethod: {adam: {stepSize: 0.1}}});
 */
export function Optimize<Names extends string = string>(model: Model<unknown>, options?: OptimizeGiven): Params<Names>;
export function Optimize<Names extends string = string>(
  options: OptimizeGiven & { model: Model<unknown> },
): Params<Names>;
export function Optimize(first: unknown, second?: unknown): Params {
  return installed(optimizing, 'Optimize').optimize(first, second);
}

/**
 * Lets a model make up data: choices outside `mapData` come from their guides, all others from the model.
 *
 *     const model = () => mapData({data: [0]}, (y) => {
 *       const x = sample(Gaussian({mu: 0, sigma: 1}));
 *       observe(Gaussian({mu: x, sigma: 0.5}), y);
 *     });
 *     dreamSample(model)
 */
export function dreamSample(model: Model<unknown>): DreamSample {
  const { model: checked } = modelAndOptions<unknown>('dreamSample', model, undefined);
  return installed(optimizing, 'dreamSample').dreamSample(checked);
}

/** Optimises the guides of a model, then draws samples from them: `Infer` with `method: 'optimize'`. */
export function OptimizeThenSample<T>(model: Model<T>, options?: object): Posterior<T> {
  installed(optimizing, 'OptimizeThenSample');
  const given = modelAndOptions<T>('OptimizeThenSample', model, options);
  return runAlgorithm(methodNamed('optimize'), 'OptimizeThenSample', given.model, given.options);
}
