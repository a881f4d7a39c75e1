/**
 * The names of optimisation that programs see. What they do is installed by `register.ts`, together with the engine,
 * and only for programs that need it.
 */
import type { Params } from '../guides/given-params.ts';
import type { Model, Posterior } from '../inference/algorithm.ts';
import { modelAndOptions, runAlgorithm } from '../inference/infer.ts';
import { methodNamed } from '../inference/methods.ts';
import { WaymarkError } from '../runtime/errors.ts';

export interface Optimizing {
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

export const optimizing: { current: Optimizing | null } = { current: null };

function installed(owner: string): Optimizing {
  if (optimizing.current !== null) return optimizing.current;
  throw new WaymarkError(
    `${owner} needs a program compiled for gradients. Run it with \`waymark run\`, or load it with loadProgram.`,
  );
}

/** What `Optimize` takes besides the model; `docs/optimize.md` lists everything. */
export interface OptimizeGiven {
  steps?: number;
  optMethod?: string | Record<string, object>;
  estimator?: string | Record<string, object>;
  params?: Readonly<Params>;
  [option: string]: unknown;
}

/**
 * Improves the parameters that a model and its guides declare, step by step, and returns them all:
 *
 *     const params = Optimize(model, {steps: 1000, optMethod: {adam: {stepSize: 0.01}}});
 */
export function Optimize(model: Model<unknown>, options?: OptimizeGiven): Params;
export function Optimize(options: OptimizeGiven & { model: Model<unknown> }): Params;
export function Optimize(first: unknown, second?: unknown): Params {
  return installed('Optimize').optimize(first, second);
}

/** Lets a model make up data: choices outside `mapData` come from their guides, all others from the model. */
export function dreamSample(model: Model<unknown>): DreamSample {
  const { model: checked } = modelAndOptions<unknown>('dreamSample', model, undefined);
  return installed('dreamSample').dreamSample(checked);
}

/** Optimises the guides of a model, then draws samples from them: `Infer` with `method: 'optimize'`. */
export function OptimizeThenSample<T>(model: Model<T>, options?: object): Posterior<T> {
  installed('OptimizeThenSample');
  const given = modelAndOptions<T>('OptimizeThenSample', model, options);
  return runAlgorithm(methodNamed('optimize'), 'OptimizeThenSample', given.model, given.options);
}
