/**
 * The update rules of gradient descent and its relatives, written once for numbers, tensors and nodes. On buffers of the
 * device a rule becomes one fused pass over parameters, gradients and state (`optimize/parameter-pack.ts`).
 */
import type { Value } from './node.ts';
import { add, div, mul, pow, sqrt, square, sub } from './ops.ts';

/** What a rule computes from: a parameter, its gradient, its state, and the number of this step, counted from 1. */
interface UpdateArguments {
  readonly parameter: Value;
  readonly gradient: Value;
  readonly state: readonly Value[];
  readonly step: Value;
  readonly stepSize: Value;
}

/** How parameters move to make an objective smaller. */
export interface UpdateRule {
  readonly name: string;
  readonly stepSize: number;
  /** Numbers of state per parameter; they start at 0. */
  readonly states: number;
  update(given: UpdateArguments): { parameter: Value; state: Value[] };
}

const EPSILON = 1e-8;

/** a − b, a · b … on whatever values are given: the rules are plain formulas. */
const plus = add as (a: Value, b: Value) => Value;
const minus = sub as (a: Value, b: Value) => Value;
const times = mul as (a: Value, b: Value) => Value;
const over = div as (a: Value, b: Value) => Value;
const power = pow as (a: Value, b: Value) => Value;
const root = sqrt as (a: Value) => Value;
const squared = square as (a: Value) => Value;

/** ρ · before + (1 − ρ) · now. */
function average(decay: number, before: Value, now: Value): Value {
  return plus(times(decay, before), times(1 - decay, now));
}

export interface StepSize {
  readonly stepSize?: number;
}

export function sgd({ stepSize = 0.1 }: StepSize = {}): UpdateRule {
  return {
    name: 'sgd',
    stepSize,
    states: 0,
    update: (g) => ({ parameter: minus(g.parameter, times(g.stepSize, g.gradient)), state: [] }),
  };
}

/** v ← μ v − lr g; θ ← θ + v. */
export function momentum({ stepSize = 0.1, mu = 0.9 }: StepSize & { readonly mu?: number } = {}): UpdateRule {
  return {
    name: 'momentum',
    stepSize,
    states: 1,
    update(g) {
      const velocity = minus(times(mu, g.state[0]), times(g.stepSize, g.gradient));
      return { parameter: plus(g.parameter, velocity), state: [velocity] };
    },
  };
}

/** Duchi, Hazan & Singer (2011). */
export function adagrad({ stepSize = 0.1 }: StepSize = {}): UpdateRule {
  return {
    name: 'adagrad',
    stepSize,
    states: 1,
    update(g) {
      const total = plus(g.state[0], squared(g.gradient));
      const move = over(times(g.stepSize, g.gradient), plus(root(total), EPSILON));
      return { parameter: minus(g.parameter, move), state: [total] };
    },
  };
}

/** Tieleman & Hinton (2012). */
export function rmsprop({
  stepSize = 0.1,
  decayRate = 0.9,
}: StepSize & { readonly decayRate?: number } = {}): UpdateRule {
  return {
    name: 'rmsprop',
    stepSize,
    states: 1,
    update(g) {
      const mean = average(decayRate, g.state[0], squared(g.gradient));
      const move = over(times(g.stepSize, g.gradient), plus(root(mean), EPSILON));
      return { parameter: minus(g.parameter, move), state: [mean] };
    },
  };
}

/** Zeiler (2012). */
export function adadelta({
  stepSize = 1,
  decayRate = 0.95,
  epsilon = 1e-6,
}: StepSize & { readonly decayRate?: number; readonly epsilon?: number } = {}): UpdateRule {
  return {
    name: 'adadelta',
    stepSize,
    states: 2,
    update(g) {
      const [gradients, moves] = g.state;
      const mean = average(decayRate, gradients, squared(g.gradient));
      const ratio = over(root(plus(moves, epsilon)), root(plus(mean, epsilon)));
      const move = times(ratio, g.gradient);
      return {
        parameter: minus(g.parameter, times(g.stepSize, move)),
        state: [mean, average(decayRate, moves, squared(move))],
      };
    },
  };
}

export interface AdamOptions extends StepSize {
  readonly decayRate1?: number;
  readonly decayRate2?: number;
}

/** Kingma & Ba (2015), with the bias corrections folded into the step size (end of their section 2). */
export function adam({ stepSize = 0.001, decayRate1 = 0.9, decayRate2 = 0.999 }: AdamOptions = {}): UpdateRule {
  return {
    name: 'adam',
    stepSize,
    states: 2,
    update(g) {
      const mean = average(decayRate1, g.state[0], g.gradient);
      const spread = average(decayRate2, g.state[1], squared(g.gradient));
      const correction = over(root(minus(1, power(decayRate2, g.step))), minus(1, power(decayRate1, g.step)));
      const move = over(times(times(g.stepSize, correction), mean), plus(root(spread), EPSILON));
      return { parameter: minus(g.parameter, move), state: [mean, spread] };
    },
  };
}

/** Adam with weight decay apart from the gradient (Loshchilov & Hutter, 2019). */
export function adamw({
  weightDecay = 0.01,
  ...options
}: AdamOptions & { readonly weightDecay?: number } = {}): UpdateRule {
  const plain = adam(options);
  return {
    ...plain,
    name: 'adamw',
    update(g) {
      const shrunk = minus(g.parameter, times(times(g.stepSize, weightDecay), g.parameter));
      return plain.update({ ...g, parameter: shrunk });
    },
  };
}
