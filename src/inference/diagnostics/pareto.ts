/**
 * How good a proposal is for importance sampling: effective sample size, and the shape k̂ of a generalised Pareto
 * distribution fitted to the largest weights (Vehtari, Simpson, Gelman, Yao & Gabry, "Pareto smoothed importance
 * sampling", 2024; the fit is Zhang & Stephens 2009). k̂ < 0.7 means that the estimates can be trusted.
 */
export interface ImportanceDiagnostics {
  ess: number;
  /** NaN with too few or constant weights. */
  khat: number;
}

export function importanceDiagnostics(logWeights: ArrayLike<number>): ImportanceDiagnostics {
  const weights = Float64Array.from(logWeights);
  const largest = weights.reduce((a, b) => Math.max(a, b), -Infinity);
  if (largest === -Infinity) return { ess: 0, khat: Number.NaN };
  for (let i = 0; i < weights.length; i++) weights[i] = Math.exp(weights[i] - largest);
  let sum = 0;
  let squares = 0;
  for (const w of weights) {
    sum += w;
    squares += w * w;
  }
  return { ess: (sum * sum) / squares, khat: tailShape(weights) };
}

/** The largest weights, as a generalised Pareto distribution of their excess over the next one. */
interface Tail {
  /** How many there are. */
  readonly size: number;
  readonly threshold: number;
  readonly shape: number;
  readonly scale: number;
}

/** Fits the largest max(20 %, 3√n) weights; undefined if they are too few or all alike. */
export function tailOf(weights: Float64Array): Tail | undefined {
  const n = weights.length;
  const size = Math.min(Math.floor(n / 5), Math.ceil(3 * Math.sqrt(n)));
  if (size < 5) return undefined;
  const sorted = weights.slice().sort();
  const threshold = sorted[n - size - 1];
  const excess = sorted.slice(n - size).map((w) => w - threshold);
  if (excess[0] === excess[size - 1] || excess[size - 1] <= 0) return undefined;
  const { shape, scale } = paretoFit(excess);
  // A weakly informative prior at 1/2, as strong as ten observations, steadies the estimate for short tails.
  return { size, threshold, shape: (shape * size + 0.5 * 10) / (size + 10), scale };
}

const tailShape = (weights: Float64Array): number => tailOf(weights)?.shape ?? Number.NaN;

/** A generalised Pareto distribution from sorted excesses, by Zhang & Stephens' quasi-Bayesian method. */
export function paretoFit(excess: Float64Array): { shape: number; scale: number } {
  const n = excess.length;
  const grid = 30 + Math.floor(Math.sqrt(n));
  const quartile = excess[Math.floor(n / 4 + 0.5) - 1];
  const largest = excess[n - 1];
  const scales = Float64Array.from(
    { length: grid },
    (_, j) => 1 / largest + (1 - Math.sqrt(grid / (j + 0.5))) / (3 * Math.max(quartile, Number.MIN_VALUE)),
  );
  const shapeAt = (scale: number): number => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += Math.log1p(-scale * excess[i]);
    return sum / n;
  };
  const profile = scales.map((scale) => {
    const k = shapeAt(scale);
    return n * (Math.log(-scale / k) - k - 1);
  });
  let scale = 0;
  for (let j = 0; j < grid; j++) {
    let inverseWeight = 0;
    for (let i = 0; i < grid; i++) inverseWeight += Math.exp(profile[i] - profile[j]);
    scale += scales[j] / inverseWeight;
  }
  const shape = shapeAt(scale);
  return { shape, scale: -shape / scale };
}
