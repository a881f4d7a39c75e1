import type { Model } from '../inference/algorithm.ts';
import type { OptionTable } from '../inference/options.ts';
import type { Entry } from '../runtime/execution.ts';
import type { Weight } from './compiled-step.ts';
import type { StepDivision } from './division.ts';
import type { Gradients, PackedParameters } from './packed-parameters.ts';
import type { StepAverages } from './shared-baselines.ts';
import type { GradientsOption } from './sites/rule.ts';
import type { Weighted } from './surrogate.ts';

/** What one step learned: how good the parameters are, and where to move the ones that were met. */
export interface Estimate {
  readonly objective: number;
  /**
   * Gradients of what is to be made small (minus the objective, where that is to be made large), by the name of the parameter; or
   * they are with the packed parameters already.
   */
  readonly gradients: Gradients | 'packed';
  /** What later steps may learn from this one besides the gradients. */
  readonly notes?: { readonly weighted: readonly Weighted[]; readonly weights: readonly Weight[] };
}

/** What is known of the steps to come. */
export interface Outlook {
  /** Nothing changes between steps but the parameters: no callback of the program runs that could change what the model does. */
  readonly steady: boolean;
  /** How many steps there are. */
  readonly steps: number;
}

/** A way to estimate gradients: one row of the table in `estimators.ts`. */
export interface Estimator<O extends object> {
  /** What the objective is called, where progress is shown. */
  readonly objective: string;
  /** Whether better parameters have a larger objective. */
  readonly larger: boolean;
  /** True if it teaches only some guides: parameters of others then have no gradient, and that is no mistake. */
  readonly teachesSome?: true;
  readonly options: OptionTable<O>;
  /**
   * Starts an optimisation; the function returned does the i-th step.
   */
  start(
    model: Model<unknown>,
    entry: Entry,
    options: O & { readonly gradients?: GradientsOption },
    parameters: PackedParameters,
    outlook: Outlook,
  ): Steps;
}

/**
 * What steps find out of a program and go by from then on, such as which values of choices are tried side by side. Ranks see different data,
 * and have to find out the same.
 */
export interface Findings {
  /** Whether something was found since all ranks agreed that decides how gradients are estimated. */
  readonly areNew: boolean;
  /** All ranks have found the same up to now. */
  agree(): void;
  /** Forgets what was found since. */
  goBack(): void;
}

/** Does the i-th step. */
export interface Steps {
  (step: number): Estimate;
  /**
   * What several ranks need to make steps together. Absent means that each of them does all of it: the estimate is not a
   * mean over data and executions.
   */
  readonly together?: {
    readonly division: StepDivision;
    readonly averages: StepAverages;
    /** Learns from a step of which this rank has made all. */
    learn(estimate: Estimate): void;
    /** Notes what `averages` are to learn from. */
    note(estimate: Estimate): void;
    readonly findings: Findings;
  };
  /** Called once after the last step. */
  end?(): void;
  /** What steps remember of earlier ones besides the parameters, as numbers by name; absent means nothing. */
  readonly memory?: {
    save(): ReadonlyMap<string, number>;
    restore(numbers: ReadonlyMap<string, number>): void;
  };
}
