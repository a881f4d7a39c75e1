/** Optimisers: how a parameter moves, given its gradient. All make the objective smaller. */
import { fraction, number, type Option, type OptionTable, positiveNumber, withDefault } from '../inference/options.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';

/** A step size: a number, or a function of the step. */
export type StepSize = number | ((step: number) => number);

const stepSizeOption: Option<StepSize> = {
  expected: 'a number greater than 0, or a function of the step',
  read: (value) =>
    typeof value === 'function' || (typeof value === 'number' && value > 0 && value < Infinity)
      ? { value: value as StepSize }
      : undefined,
};

/** What an optimiser remembers of one parameter: arrays as long as the parameter. */
export type Memory = readonly Float64Array[];

export interface UpdateRule<O extends object> {
  readonly options: OptionTable<O>;
  /** How many arrays of memory each parameter needs. */
  readonly memories: number;
  /** Moves `values` against `gradient`. `step` counts from 0. */
  apply(options: O, step: number, values: Float64Array, gradient: Float64Array, memory: Memory): void;
}

const EPSILON = 1e-8;

function sizeAt(size: StepSize, step: number): number {
  if (typeof size === 'number') return size;
  const now = size(step);
  if (typeof now === 'number' && now >= 0 && now < Infinity) return now;
  throw new WaymarkError(
    `stepSize must give a number of at least 0 for each step; for step ${step} it gave ${describe(now)}.`,
  );
}

interface Sgd {
  stepSize: StepSize;
  stepSizeDecay: number;
  mu: number;
}

const sgd: UpdateRule<Sgd> = {
  options: {
    stepSize: withDefault(stepSizeOption, 0.1),
    stepSizeDecay: withDefault(positiveNumber, 1),
    mu: withDefault(fraction, 0),
  },
  memories: 1,
  apply({ stepSize, stepSizeDecay, mu }, step, values, gradient, [velocity]) {
    const size = typeof stepSize === 'number' ? stepSize * stepSizeDecay ** step : sizeAt(stepSize, step);
    for (let i = 0; i < values.length; i++) {
      velocity[i] = mu * velocity[i] - size * gradient[i];
      values[i] += velocity[i];
    }
  },
};

const adagrad: UpdateRule<{ stepSize: StepSize }> = {
  options: { stepSize: withDefault(stepSizeOption, 0.1) },
  memories: 1,
  apply({ stepSize }, step, values, gradient, [squares]) {
    const size = sizeAt(stepSize, step);
    for (let i = 0; i < values.length; i++) {
      squares[i] += gradient[i] * gradient[i];
      values[i] -= (size * gradient[i]) / (Math.sqrt(squares[i]) + EPSILON);
    }
  },
};

const rmsprop: UpdateRule<{ stepSize: StepSize; decayRate: number }> = {
  options: { stepSize: withDefault(stepSizeOption, 0.1), decayRate: withDefault(fraction, 0.9) },
  memories: 1,
  apply({ stepSize, decayRate }, step, values, gradient, [squares]) {
    const size = sizeAt(stepSize, step);
    for (let i = 0; i < values.length; i++) {
      squares[i] = decayRate * squares[i] + (1 - decayRate) * gradient[i] * gradient[i];
      values[i] -= (size * gradient[i]) / (Math.sqrt(squares[i]) + EPSILON);
    }
  },
};

/** Zeiler 2012; `stepSize` scales the step that the method finds by itself. */
const adadelta: UpdateRule<{ stepSize: StepSize; decayRate: number }> = {
  options: { stepSize: withDefault(stepSizeOption, 1), decayRate: withDefault(fraction, 0.95) },
  memories: 2,
  apply({ stepSize, decayRate }, step, values, gradient, [squares, moves]) {
    const size = sizeAt(stepSize, step);
    for (let i = 0; i < values.length; i++) {
      squares[i] = decayRate * squares[i] + (1 - decayRate) * gradient[i] * gradient[i];
      const move = (Math.sqrt(moves[i] + 1e-6) / Math.sqrt(squares[i] + 1e-6)) * gradient[i];
      moves[i] = decayRate * moves[i] + (1 - decayRate) * move * move;
      values[i] -= size * move;
    }
  },
};

interface Adam {
  stepSize: StepSize;
  decayRate1: number;
  decayRate2: number;
}

const adamOptions: OptionTable<Adam> = {
  stepSize: withDefault(stepSizeOption, 0.001),
  decayRate1: withDefault(fraction, 0.9),
  decayRate2: withDefault(fraction, 0.999),
};

/** Kingma & Ba 2015. The bias correction counts steps of the whole optimisation, also for parameters met late. */
function adamStep(
  { stepSize, decayRate1, decayRate2 }: Adam,
  step: number,
  values: Float64Array,
  gradient: Float64Array,
  [mean, squares]: Memory,
): void {
  const corrected = (sizeAt(stepSize, step) * Math.sqrt(1 - decayRate2 ** (step + 1))) / (1 - decayRate1 ** (step + 1));
  for (let i = 0; i < values.length; i++) {
    const g = gradient[i];
    mean[i] = decayRate1 * mean[i] + (1 - decayRate1) * g;
    squares[i] = decayRate2 * squares[i] + (1 - decayRate2) * g * g;
    values[i] -= (corrected * mean[i]) / (Math.sqrt(squares[i]) + EPSILON);
  }
}

const adam: UpdateRule<Adam> = { options: adamOptions, memories: 2, apply: adamStep };

/** Loshchilov & Hutter 2019: decay of the weights apart from the gradient. */
const adamw: UpdateRule<Adam & { weightDecay: number }> = {
  options: { ...adamOptions, weightDecay: withDefault(number, 0.01) },
  memories: 2,
  apply(options, step, values, gradient, memory) {
    const keep = 1 - sizeAt(options.stepSize, step) * options.weightDecay;
    for (let i = 0; i < values.length; i++) values[i] *= keep;
    adamStep(options, step, values, gradient, memory);
  },
};

/** By the name `optMethod` gives. */
export const updateRules = { adam, adamw, sgd, gd: sgd, adagrad, rmsprop, adadelta } as const;
