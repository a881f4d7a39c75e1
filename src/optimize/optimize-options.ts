import {
  callback,
  count,
  fileName,
  flag,
  limit,
  number,
  type Option,
  type OptionTable,
  oneOf,
  positiveNumber,
  variant,
  withDefault,
} from '../inference/options.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { type AutoGuide, autoGuideOption } from './auto-guide-option.ts';
import { type CheckpointOptions, checkpointOption } from './checkpoint-options.ts';
import { type Objective, objectiveOption } from './objective-option.ts';
import type { GradientsOption } from './sites/rule.ts';
import { updateRules } from './update-rules.ts';

type OptMethod = keyof typeof updateRules;

export interface OptimizeOptions {
  /** How many steps to take. */
  steps: number;
  /** What turns gradients into moves: an optimiser, by name or as `{name: options}`. */
  optMethod: { name: OptMethod; options: object };
  /** What is to be improved: an objective, by name or as `{name: options}`, or a list of several with weights. */
  estimator: Objective;
  /**
   * How gradients of choices are estimated: by the rule that each names, else by the one that suits best (`'automatic'`) or by the
   * paper's two rules (`'named'`); or by the paper's two rules alone, whatever is named (`'paper'`).
   */
  gradients: GradientsOption;
  /**
   * What automatic guides are: each by itself (`'meanField'`); or parts of one guide of all continuous choices: a Gaussian of full rank
   * (`'fullRank'`), one of a diagonal and a few factors (`'lowRank'`, `{lowRank: {rank: 10}}`), a flow (`'flow'`,
   * `{flow: {hidden: 16, bins: 8}}`), or the Gaussian that fits the density at its maximum (`'laplace'`); or, inside `mapData`, what a network makes of
   * the datum (`'network'`), which is learned with the model and serves new data too. If left out: what has been learned before, else each by itself.
   */
  autoGuide: AutoGuide | undefined;
  /** Optimised instead of the run's own parameters, which then stay as they are. */
  params: Readonly<Record<string, Tensor>> | undefined;
  /** Where to keep the optimisation, so that it can go on after the process has ended. */
  checkpoint: CheckpointOptions | undefined;
  /** This number times each parameter is added to its gradient. */
  weightDecay: number;
  /** The largest norm that the gradient of all parameters together may have. */
  clip: number | false;
  /** Whether to write the norm of the gradient to stderr in each step. */
  showGradNorm: boolean;
  /** Whether to warn, once, of each parameter whose gradient is zero. */
  checkGradients: boolean;
  /** Whether to write the objective to stderr. */
  verbose: boolean;
  /** Called after each step; returning true stops. */
  onStep: (step: number, objective: number) => unknown;
  /** Called at the end, with the objective of each step. */
  onFinish: (result: { history: readonly number[] }) => unknown;
  /** Whether to write index, step, time and objective to a file. */
  logProgress: boolean;
  /** That file. */
  logProgressFilename: string;
  /** Milliseconds between rows of the log. */
  logProgressThrottle: number;
  /** How many steps with a bad objective may be skipped before that is an error. */
  skipBadSteps: number;
  /** Stops once the smoothed objective has not improved for this many steps. */
  stopAtPlateau: number | undefined;
}

const clipOption: Option<number | false> = {
  expected: 'a number greater than 0, or false',
  read: (value) =>
    value === false || (typeof value === 'number' && value > 0) ? { value: value as number | false } : undefined,
};

/** A number s, or {l2: {strength: s}}: both add s θ to the gradient. */
const decayOption: Option<number> = {
  expected: 'a number of at least 0, or {l2: {strength: number}}',
  read(value) {
    const l2 = (value as { l2?: { strength?: unknown } } | null)?.l2;
    const strength = typeof l2 === 'object' && l2 !== null ? (l2.strength ?? 1) : value;
    return typeof strength === 'number' && strength >= 0 && strength < Infinity ? { value: strength } : undefined;
  },
};

const tensorsByName: Option<Readonly<Record<string, Tensor>> | undefined> = {
  expected: 'parameters by name, as Optimize returns them',
  standard: { value: undefined },
  read: (value) =>
    typeof value === 'object' && value !== null ? { value: value as Readonly<Record<string, Tensor>> } : undefined,
};

/** One of the rows of a table, by name or as {name: options}; the first name given is the default. */
function rowOf<N extends string>(
  owner: string,
  table: { readonly [K in N]: { readonly options: object } },
  standard: N,
): Option<{ name: N; options: object }> {
  const entries = (Object.keys(table) as N[]).map((name) => [name, table[name].options]);
  const option = variant<N>(owner, Object.fromEntries(entries));
  return withDefault(option, option.read(standard)!.value);
}

export const optimizeOptions: OptionTable<OptimizeOptions> = {
  steps: withDefault(count(0), 1),
  optMethod: rowOf<OptMethod>('optMethod', updateRules, 'adam'),
  estimator: objectiveOption,
  gradients: withDefault(oneOf('automatic', 'named', 'paper'), 'automatic' as GradientsOption),
  autoGuide: autoGuideOption,
  params: tensorsByName,
  checkpoint: checkpointOption,
  weightDecay: withDefault(decayOption, 0),
  clip: withDefault(clipOption, false as number | false),
  showGradNorm: withDefault(flag, false),
  checkGradients: withDefault(flag, true),
  verbose: withDefault(flag, false),
  onStep: withDefault(callback('of the step and the objective'), () => undefined),
  onFinish: withDefault(callback('of an object with the history'), () => undefined),
  logProgress: withDefault(flag, false),
  logProgressFilename: withDefault(fileName, 'optimizeProgress.csv'),
  logProgressThrottle: withDefault(number, 200),
  skipBadSteps: withDefault(limit(0), 0),
  stopAtPlateau: { ...positiveNumber, standard: { value: undefined } } as Option<number | undefined>,
};
