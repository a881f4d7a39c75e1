/**
 * Coordinates of scalar values, which the heads of the network make proposals for. A real number has the coordinate
 * u = Φ⁻¹(F(x)), where F is the cumulative probability of its prior; a whole number has an interval of u. So the
 * support is right for any u that is proposed, and a standard normal u is the prior itself. For finitely many values
 * a head changes the log-probabilities.
 */
import { Gaussian } from '../distributions/gaussian.ts';
import { fewValues, kindOf } from '../distributions/of-family.ts';
import { reals, wholeNumbers } from '../distributions/value-kind.ts';
import type { Distribution } from '../runtime/handler.ts';
import { normalCdf, normalQuantile } from '../tensor/special/normal.ts';
import { type Cumulative, ofDensity, ofMixture } from './numerical-cdf.ts';

/** Beyond this a cumulative probability has no digits left. */
export const EDGE = 8;

/** The longest list of values for which a head has an output for each value. */
const MOST_LISTED = 64;

export interface RealCoordinate {
  readonly kind: 'real';
  /** Whether the coordinate is exact far out in the tails, too, because no cumulative probability is computed for it. */
  readonly isOpen?: boolean;
  /** Whether `from` is a formula; if not, it searches for a quantile. */
  readonly isQuick?: boolean;
  to(x: number): number;
  from(u: number): number;
}

interface WholeCoordinate {
  readonly kind: 'whole';
  /** Φ⁻¹ of P(X < x) and of P(X ≤ x). */
  lower(x: number): number;
  upper(x: number): number;
  from(u: number): number;
}

export interface FiniteCoordinate {
  readonly kind: 'finite';
  readonly values: readonly unknown[];
  /** Log-probabilities of the prior. */
  readonly logs: ArrayLike<number>;
}

export type Coordinate = RealCoordinate | WholeCoordinate | FiniteCoordinate;

type Params = Record<string, number>;

type WithCdf = Distribution<number> & Cumulative;

/** The coordinate of a scalar distribution; null if it has none. */
export function coordinateOf(target: Distribution<unknown>): Coordinate | null {
  const exact = EXACT[target.name];
  if (exact !== undefined) return exact(target.params as Params);
  const values = fewValues(target, MOST_LISTED);
  if (values !== undefined) {
    return { kind: 'finite', values, logs: Float64Array.from(values, (value) => target.score(value)) };
  }
  if (hasCdf(target)) return target.isContinuous ? real(target) : drawsWhole(target) ? whole(target) : null;
  const found = target.isContinuous ? cumulativeOf(target) : undefined;
  return found === undefined ? null : real(found);
}

/** Cumulative probabilities of a continuous distribution that does not give them itself. */
function cumulativeOf(target: Distribution<unknown>): Cumulative | undefined {
  if (target.name === 'Mixture') {
    const { dists, ps } = target.params as {
      dists: readonly Distribution<unknown>[];
      ps: { data?: ArrayLike<number> };
    };
    return ofMixture(dists, ps.data ?? (ps as ArrayLike<number>));
  }
  if (target.name === 'KDE') {
    const { data, width } = target.params as { data: readonly unknown[]; width: unknown };
    if (typeof data[0] !== 'number' || typeof width !== 'number') return undefined;
    const kernels = (data as number[]).map((mu) => Gaussian({ mu, sigma: width }));
    return ofMixture(
      kernels as unknown as Distribution<unknown>[],
      kernels.map(() => 1),
    );
  }
  return kindOf(target) === reals ? ofDensity(target as Distribution<number>) : undefined;
}

/** Families whose coordinate is a formula. */
const EXACT: Readonly<Record<string, (params: Params) => Coordinate>> = {
  Gaussian: ({ mu, sigma }) => ({
    kind: 'real',
    isOpen: true,
    isQuick: true,
    to: (x) => (x - mu) / sigma,
    from: (u) => mu + sigma * u,
  }),
  LogNormal: ({ mu, sigma }) => ({
    kind: 'real',
    isOpen: true,
    isQuick: true,
    to: (x) => (Math.log(x) - mu) / sigma,
    from: (u) => Math.exp(mu + sigma * u),
  }),
  Uniform: ({ a, b }) => ({
    kind: 'real',
    isQuick: true,
    to: (x) => normalQuantile((x - a) / (b - a)),
    from: (u) => a + (b - a) * normalCdf(u),
  }),
  Bernoulli: ({ p }) => ({ kind: 'finite', values: TRUTHS, logs: [Math.log(p), Math.log1p(-p)] }),
};

const TRUTHS: readonly boolean[] = [true, false];

function hasCdf(target: Distribution<unknown>): target is WithCdf {
  const { cdf, quantile } = target as Partial<WithCdf>;
  return typeof cdf === 'function' && typeof quantile === 'function';
}

function real(target: Cumulative): RealCoordinate {
  return { kind: 'real', to: (x) => upTo(target, x), from: (u) => target.quantile(normalCdf(u)) };
}

function whole(target: WithCdf): WholeCoordinate {
  return {
    kind: 'whole',
    lower: (x) => upTo(target, x - 1),
    upper: (x) => upTo(target, x),
    from: (u) => target.quantile(normalCdf(u)),
  };
}

/** Φ⁻¹(F(x)), from the side on which it has its digits. */
function upTo(target: Cumulative, x: number): number {
  const below = target.cdf(x);
  return below <= 0.5 ? normalQuantile(below) : -normalQuantile(target.survival(x));
}

/** Whether values that are not few are whole numbers. */
function drawsWhole(target: Distribution<unknown>): boolean {
  if (kindOf(target) === wholeNumbers) return true;
  const values = target.support?.();
  return !Array.isArray(values) || values.every((value) => Number.isInteger(value));
}

/** The place of a value among those listed; −1 if it is none of them. */
export function indexIn({ values }: FiniteCoordinate, value: unknown): number {
  return values === TRUTHS ? (value === true ? 0 : value === false ? 1 : -1) : values.indexOf(value);
}
