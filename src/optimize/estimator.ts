import type { Model } from '../inference/algorithm.ts';
import type { OptionTable } from '../inference/options.ts';
import type { Entry } from '../runtime/execution.ts';

/** What one step learned: how good the parameters are, and where to move the ones that were met. */
export interface Estimate {
  /** To be made large: the ELBO, say. */
  readonly objective: number;
  /** Of minus the objective, by parameter name. */
  readonly gradients: ReadonlyMap<string, Float64Array>;
}

/** A way to estimate gradients: one row of the table in `estimators.ts`. */
export interface Estimator<O extends object> {
  readonly options: OptionTable<O>;
  /** Starts an optimisation; the function returned does the i-th step. */
  start(model: Model<unknown>, entry: Entry, options: O): (step: number) => Estimate;
}
