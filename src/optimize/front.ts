/**
 * The names of optimisation that programs see. What they do is installed by `register.ts`, together with the engine,
 * and only for programs that need it.
 */
import type { Model } from '../inference/algorithm.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Tensor } from '../tensor/tensor.ts';

/** Parameters by name, as `Optimize` returns them and `Infer` takes them. */
export type Params = Record<string, Tensor>;

export interface Optimizing {
  optimize(first: unknown, second: unknown): Params;
}

export const optimizing: { current: Optimizing | null } = { current: null };

function installed(): Optimizing {
  if (optimizing.current !== null) return optimizing.current;
  throw new WaymarkError(
    'Optimize needs a program compiled for gradients. Run it with `waymark run`, or load it with loadProgram.',
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
  return installed().optimize(first, second);
}
