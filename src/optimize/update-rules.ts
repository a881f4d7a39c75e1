/** The optimisers by the names and with the options that programs give; the rules themselves are the engine's. */
import { fraction, number, type Option, type OptionTable, positiveNumber, withDefault } from '../inference/options.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import * as engine from '../tensor/optimisers.ts';

/** A step size: a number, or a function of the step. */
export type StepSize = number | ((step: number) => number);

const stepSizeOption: Option<StepSize> = {
  expected: 'a number of at least 0, or a function of the step',
  read: (value) =>
    typeof value === 'function' || (typeof value === 'number' && value >= 0 && value < Infinity)
      ? { value: value as StepSize }
      : undefined,
};

/** What an optimiser remembers of one parameter: arrays as long as the parameter. */
export type Memory = readonly (Float64Array | Float32Array)[];

/** A rule with its options chosen. */
export interface Movement {
  readonly rule: engine.UpdateRule;
  /** `step` counts from 0. */
  stepSize(step: number): number;
}

export interface OptimisationMethod<O extends object> {
  readonly options: OptionTable<O>;
  start(options: O): Movement;
}

function sizeAt(size: StepSize, step: number): number {
  if (typeof size === 'number') return size;
  const now = size(step);
  if (typeof now === 'number' && now >= 0 && now < Infinity) return now;
  throw new WaymarkError(
    `stepSize must give a number of at least 0 for each step; for step ${step} it gave ${describe(now)}.`,
  );
}

/** A method whose options, but for the step size, are those of the engine's rule. */
function method<O extends { stepSize: StepSize }>(
  options: OptionTable<O>,
  rule: (options: Omit<O, 'stepSize'>) => engine.UpdateRule,
): OptimisationMethod<O> {
  return {
    options,
    start: ({ stepSize, ...rest }) => ({ rule: rule(rest), stepSize: (step) => sizeAt(stepSize, step) }),
  };
}

const size = (standard: number): { stepSize: Option<StepSize> } => ({
  stepSize: withDefault(stepSizeOption, standard),
});

const sgd: OptimisationMethod<{ stepSize: StepSize; stepSizeDecay: number; mu: number }> = {
  options: { ...size(0.1), stepSizeDecay: withDefault(positiveNumber, 1), mu: withDefault(fraction, 0) },
  start: ({ stepSize, stepSizeDecay, mu }) => ({
    rule: engine.momentum({ mu }),
    stepSize: (step) => (typeof stepSize === 'number' ? stepSize * stepSizeDecay ** step : sizeAt(stepSize, step)),
  }),
};

const decayRates = { decayRate1: withDefault(fraction, 0.9), decayRate2: withDefault(fraction, 0.999) };

const adam = method({ ...size(0.001), ...decayRates }, engine.adam);
const adamw = method({ ...size(0.001), ...decayRates, weightDecay: withDefault(number, 0.01) }, engine.adamw);
const adagrad = method(size(0.1), engine.adagrad);
const rmsprop = method({ ...size(0.1), decayRate: withDefault(fraction, 0.9) }, engine.rmsprop);
/** Here the step size scales the step that the method finds by itself. */
const adadelta = method({ ...size(1), decayRate: withDefault(fraction, 0.95) }, engine.adadelta);

/** By the name `optMethod` gives. */
export const updateRules = { adam, adamw, sgd, gd: sgd, adagrad, rmsprop, adadelta } as const;
