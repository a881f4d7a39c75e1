/** Scores of families of numbers, as a tape records them: to the last bit what the family's own definition computes. */

import type { FamilyForm } from '../../algebra/families.ts';
import { LOG_ROOT_HALF_PI } from '../../distributions/half-normal.ts';
import { formsOf, type ScalarFamily } from '../../distributions/scalar-family.ts';
import { HALF_LOG_2PI } from '../../tensor/constants.ts';
import { logBeta, logChoose, logFactorial, logGamma } from '../../tensor/special/gamma.ts';
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
    return t.operate('sub', bellScore(t, z, sigma), t.constant(HALF_LOG_2PI));
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

const log1p = (t: Tape, x: number): number => t.call(Math.log1p as HostFunction, x);
const isWhole = (t: Tape, x: number): number => t.operate('eq', t.operate('floor', x), x);
const isPositiveNumber = (t: Tape, x: number): readonly number[] => [t.finite(x), isPositive(t, x)];
const isCount = (t: Tape, n: number, least: number): readonly number[] => [
  isWhole(t, n),
  t.operate('ge', n, t.constant(least)),
  t.operate('le', n, t.constant(Number.MAX_SAFE_INTEGER)),
];

/** The score where all of these hold, and it is a number; else nothing has this value. */
function where(t: Tape, score: number, ...conditions: readonly number[]): number {
  const all = conditions.reduce((a, b) => t.operate('and', a, b), t.operate('eq', score, score));
  return t.operate('select', all, score, t.constant(-Infinity));
}

const beta: RecordedFamily = {
  names: ['a', 'b'],
  truths: false,
  isContinuous: true,
  accepts: (t, a, b) => [...isPositiveNumber(t, a), ...isPositiveNumber(t, b)],
  score(t, x, a, b) {
    const [one, zero] = [t.constant(1), t.constant(0)];
    const successes = t.operate('mul', t.operate('sub', a, one), log(t, x));
    const failures = t.operate('mul', t.operate('sub', b, one), log1p(t, t.operate('neg', x)));
    const score = t.operate('sub', t.operate('add', successes, failures), t.call(logBeta as HostFunction, a, b));
    return where(t, score, t.operate('gt', x, zero), t.operate('lt', x, one));
  },
};

const binomial: RecordedFamily = {
  names: ['p', 'n'],
  truths: false,
  isContinuous: false,
  accepts: (t, p, n) => [...bernoulli.accepts(t, p), ...isCount(t, n, 0)],
  score(t, k, p, n) {
    const zero = t.constant(0);
    const isNone = t.operate('eq', k, zero);
    const isAll = t.operate('eq', k, n);
    const successes = t.operate('select', isNone, zero, t.operate('mul', k, log(t, p)));
    const others = t.operate('mul', t.operate('sub', n, k), log1p(t, t.operate('neg', p)));
    const failures = t.operate('select', isAll, zero, others);
    const ways = t.call(logChoose as HostFunction, n, k);
    const score = t.operate('add', t.operate('add', ways, successes), failures);
    return where(t, score, isWhole(t, k), t.operate('ge', k, zero), t.operate('le', k, n));
  },
};

const poisson: RecordedFamily = {
  names: ['mu'],
  truths: false,
  isContinuous: false,
  accepts: isPositiveNumber,
  score(t, k, mu) {
    const score = t.operate('sub', t.operate('mul', k, log(t, mu)), mu);
    const whole = t.operate('sub', score, t.call(logFactorial as HostFunction, k));
    return where(t, whole, isWhole(t, k), t.operate('ge', k, t.constant(0)));
  },
};

const exponential: RecordedFamily = {
  names: ['a'],
  truths: false,
  isContinuous: true,
  accepts: isPositiveNumber,
  score: (t, x, a) => where(t, t.operate('sub', log(t, a), t.operate('mul', a, x)), t.operate('ge', x, t.constant(0))),
};

const randomInteger: RecordedFamily = {
  names: ['n'],
  truths: false,
  isContinuous: false,
  accepts: (t, n) => isCount(t, n, 1),
  score: (t, k, n) =>
    where(t, t.operate('neg', log(t, n)), isWhole(t, k), t.operate('ge', k, t.constant(0)), t.operate('lt', k, n)),
};

/** −0.5 z² − log of the spread, as several families have it. */
function bellScore(t: Tape, z: number, sigma: number): number {
  const square = t.operate('mul', t.operate('mul', t.constant(-0.5), z), z);
  return t.operate('sub', square, log(t, sigma));
}

const halfNormal: RecordedFamily = {
  names: ['sigma'],
  truths: false,
  isContinuous: true,
  accepts: isPositiveNumber,
  score(t, x, sigma) {
    const score = t.operate('sub', bellScore(t, t.operate('div', x, sigma), sigma), t.constant(LOG_ROOT_HALF_PI));
    return where(t, score, t.operate('ge', x, t.constant(0)));
  },
};

const logNormal: RecordedFamily = {
  names: ['mu', 'sigma'],
  truths: false,
  isContinuous: true,
  accepts: (t, mu, sigma) => [t.finite(mu), ...isPositiveNumber(t, sigma)],
  score(t, x, mu, sigma) {
    const logX = log(t, x);
    const bell = bellScore(t, t.operate('div', t.operate('sub', logX, mu), sigma), sigma);
    const score = t.operate('sub', t.operate('sub', bell, t.constant(HALF_LOG_2PI)), logX);
    return where(t, score, isPositive(t, x));
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
  Beta: beta,
  Binomial: binomial,
  Poisson: poisson,
  Exponential: exponential,
  RandomInteger: randomInteger,
  HalfNormal: halfNormal,
  LogNormal: logNormal,
};

/** How the family with this definition is recorded, if it can be number by number. */
export const recordedFamily: (definition: object | undefined) => RecordedFamily | undefined = formsOf(
  BY_OPERATIONS,
  called,
);
