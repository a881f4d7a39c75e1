import { LOG_2PI } from '../../../tensor/constants.ts';

/** Steps of an ascent that are remembered. */
const MEMORY = 6;

/** How the gradient changed over a step: `z = −(gradient after − gradient before)`, so that sᵀz > 0 at a summit. */
interface Pair {
  readonly s: Float64Array;
  readonly z: Float64Array;
  /** 1 / sᵀz. */
  readonly rho: number;
}

/**
 * What the last steps of an ascent say of the curvature of a log-density (L-BFGS): an estimate H of the inverse of its
 * negative Hessian, which is the covariance of a normal distribution of the same shape. Begins with a diagonal, which
 * follows the steps too (Gilbert & Lemaréchal 1989), and has an update of rank two for each step remembered.
 */
export class Curvature {
  private known: Normal | null = null;

  private constructor(
    private readonly diagonal: Float64Array,
    private readonly pairs: readonly Pair[],
  ) {}

  static unknown(dimension: number): Curvature {
    return new Curvature(new Float64Array(dimension).fill(1), []);
  }

  /** Whether no step has said anything. */
  get isUnknown(): boolean {
    return this.pairs.length === 0;
  }

  /** What is known after a further step; the same as before where the density is not concave along it. */
  after(s: Float64Array, z: Float64Array): Curvature {
    const b = dot(s, z);
    if (!(b > 1e-12 * dot(z, z))) return this;
    const { diagonal } = this;
    let a = 0;
    let c = 0;
    for (let i = 0; i < s.length; i++) {
      a += z[i] * z[i] * diagonal[i];
      c += (s[i] * s[i]) / diagonal[i];
    }
    const next = diagonal.map((d, i) => 1 / (a / (b * d) + (z[i] * z[i]) / b - (a * s[i] * s[i]) / (b * c * d * d)));
    if (!next.every((d) => d > 0 && d < Infinity)) return this;
    return new Curvature(next, [...this.pairs, { s, z, rho: 1 / b }].slice(-MEMORY));
  }

  /** H times a vector: towards the summit, if the vector is the gradient. */
  times(vector: Float64Array): Float64Array {
    const { diagonal, pairs } = this;
    const result = vector.slice();
    const shares = new Float64Array(pairs.length);
    for (let j = pairs.length - 1; j >= 0; j--) {
      const { s, z, rho } = pairs[j];
      shares[j] = rho * dot(s, result);
      addScaled(result, -shares[j], z);
    }
    for (let i = 0; i < result.length; i++) result[i] *= diagonal[i];
    for (let j = 0; j < pairs.length; j++) {
      const { s, z, rho } = pairs[j];
      addScaled(result, shares[j] - rho * dot(z, result), s);
    }
    return result;
  }

  /**
   * A draw from the normal distribution with mean 0 and covariance H. Each update turns H into
   * (I − ρszᵀ) H (I − ρzsᵀ) + ρssᵀ, and so a draw u into (I − ρszᵀ) u + √ρ s ξ.
   */
  draw(gaussian: () => number): Float64Array {
    const { diagonal, pairs } = this;
    const u = new Float64Array(diagonal.length);
    for (let i = 0; i < u.length; i++) u[i] = Math.sqrt(diagonal[i]) * gaussian();
    for (let j = 0; j < pairs.length; j++) {
      const { s, z, rho } = pairs[j];
      addScaled(u, Math.sqrt(rho) * gaussian() - rho * dot(z, u), s);
    }
    return u;
  }

  /** The density of that normal distribution, and half the log-determinant of H with which it is normalised. */
  get normal(): Normal {
    this.known ??= new Normal(this.diagonal, this.pairs);
    return this.known;
  }
}

/** The normal distribution with mean 0 and the covariance that a curvature says. */
class Normal {
  /** ½ log det H. */
  readonly logVolume: number;
  /** B s for each pair, where B is the inverse of H as it was before that pair; and 1 / sᵀBs. */
  private readonly known: { readonly bs: Float64Array; readonly inverse: number }[] = [];

  constructor(
    private readonly diagonal: Float64Array,
    private readonly pairs: readonly Pair[],
  ) {
    let logVolume = 0;
    for (let i = 0; i < diagonal.length; i++) logVolume += 0.5 * Math.log(diagonal[i]);
    for (let j = 0; j < pairs.length; j++) {
      const { s, rho } = pairs[j];
      const bs = this.precisionTimes(s);
      const length = dot(s, bs);
      this.known.push({ bs, inverse: 1 / length });
      logVolume += 0.5 * Math.log(length * rho);
    }
    this.logVolume = logVolume;
  }

  score(u: Float64Array): number {
    return -0.5 * (dot(u, this.precisionTimes(u)) + u.length * LOG_2PI) - this.logVolume;
  }

  /** The inverse of H times a vector, as far as pairs are known. */
  private precisionTimes(vector: Float64Array): Float64Array {
    const { known, pairs, diagonal } = this;
    const result = new Float64Array(vector.length);
    for (let i = 0; i < result.length; i++) result[i] = vector[i] / diagonal[i];
    for (let j = 0; j < known.length; j++) {
      const { bs, inverse } = known[j];
      const { z, rho } = pairs[j];
      addScaled(result, -inverse * dot(bs, vector), bs);
      addScaled(result, rho * dot(z, vector), z);
    }
    return result;
  }
}

/** The scalar product. */
export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Adds a multiple of another vector, in place. */
export function addScaled(to: Float64Array, scale: number, what: Float64Array): void {
  for (let i = 0; i < to.length; i++) to[i] += scale * what[i];
}

export function difference(a: Float64Array, b: Float64Array): Float64Array {
  const result = new Float64Array(a.length);
  for (let i = 0; i < a.length; i++) result[i] = a[i] - b[i];
  return result;
}
