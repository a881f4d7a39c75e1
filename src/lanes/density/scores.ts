/** Scores of families of numbers, as a tape records them: to the last bit what the family's own definition computes. */

import type { FamilyForm } from '../../algebra/families.ts';
import { formsOf, type ScalarFamily } from '../../distributions/scalar-family.ts';
import { HALF_LOG_2PI } from '../../tensor/constants.ts';
import { logGamma } from '../../tensor/special/gamma.ts';
import type { HostFunction, Tape } from './tape.ts';

export interface RecordedFamily extends FamilyForm {
  /** Conditions on the parameters; each is checked when a distribution is made. */
  accepts(t: Tape, ...params: readonly number[]): readonly number[];
  /** The score of a value of the right kind. */
  score(t: Tape, x: number, ...params: readonly number[]): number;
  readonly isContinuous: boolean;
}

const log = (t: Tape, x: number): number => t.call(Math.log as HostFunction, x);
const isPositive = (t: Tape, x: number): number => t.operate('gt', x, t.constant(0));

const gaussian: RecordedFamily = {
  names: ['mu', 'sigma'],
  truths: false,
  isContinuous: true,
  accepts: (t, mu, sigma) => [t.finite(mu), t.finite(sigma), isPositive(t, sigma)],
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
    return [t.finite(a), t.finite(b), t.operate('lt', a, b), t.finite(width)];
  },
  score(t, x, a, b) {
    const outside = t.operate('max', t.operate('lt', x, a), t.operate('gt', x, b));
    return t.operate('select', outside, t.constant(-Infinity), t.operate('neg', log(t, t.operate('sub', b, a))));
  },
};

/** The usual prior of a spread. Its shape is mostly constant, so that the tape computes `logGamma` once. */
const gamma: RecordedFamily = {
  names: ['shape', 'scale'],
  truths: false,
  isContinuous: true,
  accepts: (t, shape, scale) => [t.finite(shape), isPositive(t, shape), t.finite(scale), isPositive(t, scale)],
  score(t, x, shape, scale) {
    const power = t.operate('mul', t.operate('sub', shape, t.constant(1)), log(t, x));
    const unscaled = t.operate('sub', power, t.operate('div', x, scale));
    const shaped = t.operate('sub', unscaled, t.call(logGamma as HostFunction, shape));
    const score = t.operate('sub', shaped, t.operate('mul', shape, log(t, scale)));
    return t.operate('select', t.operate('le', x, t.constant(0)), t.constant(-Infinity), score);
  },
};

/** Any other family of numbers: its definition is called. */
function called(family: ScalarFamily): RecordedFamily {
  const { names, truths, isContinuous } = family;
  const accepts: HostFunction = (...params) => (family.accepts(params) ? 1 : 0);
  const score: HostFunction = (x, ...params) => family.score(truths ? x !== 0 : x, params);
  return {
    names,
    truths,
    isContinuous,
    accepts: (t, ...params) => [t.call(accepts, ...params)],
    score: (t, x, ...params) => t.call(score, x, ...params),
  };
}

/** Recorded operation by operation, since they are met often. What is computed is what the definition computes. */
const BY_OPERATIONS: Readonly<Record<string, RecordedFamily>> = {
  Gaussian: gaussian,
  Bernoulli: bernoulli,
  Uniform: uniform,
  Gamma: gamma,
};

/** How the family with this definition is recorded, if it can be number by number. */
export const recordedFamily: (definition: object | undefined) => RecordedFamily | undefined = formsOf(
  BY_OPERATIONS,
  called,
);
