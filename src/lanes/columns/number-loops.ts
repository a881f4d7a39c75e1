/**
 * Loops over the parameters and values of families, in JavaScript: for what WebAssembly has no function of. Each is a function by itself, without
 * closures, so that V8 optimises it as it stands.
 */
import { shareOf } from '../../distributions/beta.ts';
import { binomialAt, drawBinomial } from '../../distributions/draws/binomial.ts';
import { positiveExp } from '../../distributions/draws/gamma.ts';
import { drawPoisson, poissonAt, SMALL_MEAN } from '../../distributions/draws/poisson.ts';
import { logBeta, logChoose, logFactorial, logGamma } from '../../tensor/special/gamma.ts';
import type { Operand } from './kernels.ts';
import type { LaneRandom } from './lane-random.ts';

/** Numbers of executions. Where there is one for all, it is in `same`. */
class Each {
  private readonly own: Float64Array | null;
  readonly same: number;

  constructor(operand: Operand) {
    this.own = typeof operand === 'number' ? null : operand.array;
    this.same = typeof operand === 'number' ? operand : Number.NaN;
  }

  at(lane: number): number {
    return this.own === null ? this.same : this.own[lane];
  }
}

/** A function of parameters that are mostly the same for all: it is called again where they are not what they were. */
class Kept {
  private a = Number.NaN;
  private b = Number.NaN;
  private found = Number.NaN;

  constructor(private readonly fn: (a: number, b: number) => number) {}

  of(a: number, b: number): number {
    if (a !== this.a || b !== this.b) {
      this.found = this.fn(a, b);
      this.a = a;
      this.b = b;
    }
    return this.found;
  }
}

/** As families of numbers score: nothing that is not finite has a score, and a score that is no number is none. */
const scoreOf = (x: number, score: number): number => (Number.isFinite(x) && !Number.isNaN(score) ? score : -Infinity);

/** exp(log + shift), or with `sign` −1 exp(shift − log), within the positive numbers. */
export function positives(logs: Float64Array, shifts: Operand, sign: 1 | -1): Float64Array {
  const shift = new Each(shifts);
  const result = new Float64Array(logs.length);
  for (let i = 0; i < result.length; i++) {
    result[i] = positiveExp(sign === 1 ? logs[i] + shift.at(i) : shift.at(i) - logs[i]);
  }
  return result;
}

export function shares(first: Float64Array, second: Float64Array): Float64Array {
  const result = new Float64Array(first.length);
  for (let i = 0; i < result.length; i++) result[i] = shareOf(first[i], second[i]);
  return result;
}

export function gammaScores(size: number, xs: Operand, shapes: Operand, scales: Operand): Float64Array {
  const [x, shape, scale] = [new Each(xs), new Each(shapes), new Each(scales)];
  const gammas = new Kept(logGamma);
  const logs = new Kept(Math.log);
  const result = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    const value = x.at(i);
    const k = shape.at(i);
    const s = scale.at(i);
    const score = (k - 1) * Math.log(value) - value / s - gammas.of(k, 0) - k * logs.of(s, 0);
    result[i] = value <= 0 ? -Infinity : scoreOf(value, score);
  }
  return result;
}

export function inverseGammaScores(size: number, xs: Operand, shapes: Operand, scales: Operand): Float64Array {
  const [x, shape, scale] = [new Each(xs), new Each(shapes), new Each(scales)];
  const gammas = new Kept(logGamma);
  const logs = new Kept(Math.log);
  const result = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    const value = x.at(i);
    const k = shape.at(i);
    const s = scale.at(i);
    const score = k * logs.of(s, 0) - gammas.of(k, 0) - (k + 1) * Math.log(value) - s / value;
    result[i] = value <= 0 ? -Infinity : scoreOf(value, score);
  }
  return result;
}

export function betaScores(size: number, xs: Operand, as: Operand, bs: Operand): Float64Array {
  const [x, a, b] = [new Each(xs), new Each(as), new Each(bs)];
  const betas = new Kept(logBeta);
  const result = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    const value = x.at(i);
    const [successes, failures] = [a.at(i), b.at(i)];
    const isInside = !(value <= 0 || value >= 1);
    const logs = (successes - 1) * Math.log(value) + (failures - 1) * Math.log1p(-value);
    result[i] = isInside ? scoreOf(value, logs - betas.of(successes, failures)) : -Infinity;
  }
  return result;
}

export function poissonScores(size: number, ks: Operand, mus: Operand): Float64Array {
  const [k, mu] = [new Each(ks), new Each(mus)];
  const result = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    const value = k.at(i);
    const mean = mu.at(i);
    const isCount = value >= 0 && Number.isInteger(value);
    result[i] = isCount ? scoreOf(value, value * Math.log(mean) - mean - logFactorial(value)) : -Infinity;
  }
  return result;
}

export function binomialScores(size: number, ks: Operand, ps: Operand, ns: Operand): Float64Array {
  const [k, p, n] = [new Each(ks), new Each(ps), new Each(ns)];
  const result = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    const value = k.at(i);
    const [probability, trials] = [p.at(i), n.at(i)];
    if (value < 0 || value > trials || !Number.isInteger(value)) {
      result[i] = -Infinity;
      continue;
    }
    const successes = value === 0 ? 0 : value * Math.log(probability);
    const failures = value === trials ? 0 : (trials - value) * Math.log1p(-probability);
    result[i] = scoreOf(value, logChoose(trials, value) + successes + failures);
  }
  return result;
}

/** Draws by the first uniform of each, where that suffices. */
export function poissons(firsts: Float64Array, mus: Operand, random: LaneRandom): Float64Array {
  const mu = new Each(mus);
  const result = new Float64Array(firsts.length);
  for (let i = 0; i < result.length; i++) {
    const mean = mu.at(i);
    const drawn = mean < SMALL_MEAN ? poissonAt(mean, firsts[i]) : -1;
    result[i] = drawn >= 0 ? drawn : drawPoisson(mean, random.at(i));
  }
  return result;
}

export function binomials(firsts: Float64Array, ps: Operand, ns: Operand, random: LaneRandom): Float64Array {
  const [p, n] = [new Each(ps), new Each(ns)];
  const result = new Float64Array(firsts.length);
  for (let i = 0; i < result.length; i++) {
    const [probability, trials] = [p.at(i), n.at(i)];
    const isOften = probability > 0.5;
    const rarer = isOften ? 1 - probability : probability;
    let drawn = rarer * trials < SMALL_MEAN ? binomialAt(rarer, trials, firsts[i]) : -1;
    if (drawn < 0) drawn = drawBinomial(rarer, trials, random.at(i));
    result[i] = isOften ? trials - drawn : drawn;
  }
  return result;
}
