/**
 * Families whose scores are recorded operation by operation. What is computed is, to the last bit, what the family's own
 * definition computes. All other families score by calls of their own.
 */
import { logGamma } from '../../tensor/special/gamma.ts';
import type { HostFunction, Tape } from './tape.ts';

export interface RecordedFamily {
  /** Of the parameters, in this order. */
  readonly names: readonly string[];
  /** What must be true of the parameters; each is checked when a distribution is made. */
  accepts(t: Tape, ...params: readonly number[]): readonly number[];
  /** The score of a value of the right kind. */
  score(t: Tape, x: number, ...params: readonly number[]): number;
  /** Whether values are truth values. */
  readonly truths: boolean;
  readonly isContinuous: boolean;
}

const HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

const log = (t: Tape, x: number): number => t.call(Math.log as HostFunction, x);
const isPositive = (t: Tape, x: number): number => t.operate('gt', x, t.constant(0));

/** The score, or −∞ where a condition holds. */
const unless = (t: Tape, condition: number, score: number): number =>
  t.operate('select', condition, t.constant(-Infinity), score);

const gaussian: RecordedFamily = {
  names: ['mu', 'sigma'],
  truths: false,
  isContinuous: true,
  accepts: (t, mu, sigma) => [t.operate('finite', mu), t.operate('finite', sigma), isPositive(t, sigma)],
  score(t, x, mu, sigma) {
    const z = t.operate('div', t.operate('sub', x, mu), sigma);
    const square = t.operate('mul', t.operate('mul', t.constant(-0.5), z), z);
    return t.operate('sub', t.operate('sub', square, log(t, sigma)), t.constant(HALF_LOG_2PI));
  },
};

const bernoulli: RecordedFamily = {
  names: ['p'],
  truths: true,
  isContinuous: false,
  accepts: (t, p) => [t.operate('ge', p, t.constant(0)), t.operate('le', p, t.constant(1))],
  score: (t, x, p) => t.operate('select', x, log(t, p), t.call(Math.log1p as HostFunction, t.operate('neg', p))),
};

const uniform: RecordedFamily = {
  names: ['a', 'b'],
  truths: false,
  isContinuous: true,
  accepts(t, a, b) {
    const width = t.operate('sub', b, a);
    return [t.operate('finite', a), t.operate('finite', b), t.operate('lt', a, b), t.operate('finite', width)];
  },
  score(t, x, a, b) {
    const outside = t.operate('max', t.operate('lt', x, a), t.operate('gt', x, b));
    return unless(t, outside, t.operate('neg', log(t, t.operate('sub', b, a))));
  },
};

const exponential: RecordedFamily = {
  names: ['a'],
  truths: false,
  isContinuous: true,
  accepts: (t, a) => [t.operate('finite', a), isPositive(t, a)],
  score: (t, x, a) => unless(t, t.operate('lt', x, t.constant(0)), t.operate('sub', log(t, a), t.operate('mul', a, x))),
};

const gamma: RecordedFamily = {
  names: ['shape', 'scale'],
  truths: false,
  isContinuous: true,
  accepts: (t, shape, scale) => [
    ...[t.operate('finite', shape), isPositive(t, shape)],
    ...[t.operate('finite', scale), isPositive(t, scale)],
  ],
  score(t, x, shape, scale) {
    const power = t.operate('mul', t.operate('sub', shape, t.constant(1)), log(t, x));
    const unscaled = t.operate(
      'sub',
      t.operate('sub', power, t.operate('div', x, scale)),
      t.call(logGamma as HostFunction, shape),
    );
    const score = t.operate('sub', unscaled, t.operate('mul', shape, log(t, scale)));
    return unless(t, t.operate('le', x, t.constant(0)), score);
  },
};

const laplace: RecordedFamily = {
  names: ['location', 'scale'],
  truths: false,
  isContinuous: true,
  accepts: (t, location, scale) => [t.operate('finite', location), t.operate('finite', scale), isPositive(t, scale)],
  score(t, x, location, scale) {
    const distance = t.operate('neg', t.operate('abs', t.operate('sub', x, location)));
    return t.operate('sub', t.operate('div', distance, scale), log(t, t.operate('mul', t.constant(2), scale)));
  },
};

/** By name. */
export const recordedFamilies: Readonly<Record<string, RecordedFamily>> = {
  Gaussian: gaussian,
  Bernoulli: bernoulli,
  Uniform: uniform,
  Exponential: exponential,
  Gamma: gamma,
  Laplace: laplace,
};
