/** Moments and quantiles of numbers with weights that add up to 1. */

export interface WeightedNumbers {
  readonly values: Float64Array;
  readonly weights: ArrayLike<number>;
}

export function weightedMean({ values, weights }: WeightedNumbers): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += weights[i] * values[i];
  return total;
}

export function weightedVariance(numbers: WeightedNumbers): number {
  const { values, weights } = numbers;
  const mean = weightedMean(numbers);
  let total = 0;
  for (let i = 0; i < values.length; i++) total += weights[i] * (values[i] - mean) ** 2;
  return total;
}

/** The numbers in ascending order, each with its weight. */
export function ascending({ values, weights }: WeightedNumbers): WeightedNumbers {
  // Most samples weigh the same, and numbers alone are sorted many times faster by typed arrays.
  const sorted = values.slice().sort();
  if (areEqual(weights)) return { values: sorted, weights };
  // So are they with weights: each weight finds the place of its number by halving.
  const moved = new Float64Array(values.length);
  const taken = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const first = firstOf(sorted, values[i]);
    moved[first + taken[first]++] = weights[i];
  }
  return { values: sorted, weights: moved };
}

/** The first place of a number among sorted ones; NaN is last. */
function firstOf(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < value || (Number.isNaN(value) && !Number.isNaN(sorted[middle]))) low = middle + 1;
    else high = middle;
  }
  return low;
}

function areEqual(weights: ArrayLike<number>): boolean {
  for (let i = 1; i < weights.length; i++) if (weights[i] !== weights[0]) return false;
  return true;
}

/** The smallest value with at least probability p at or below it, as a function of p. */
export const weightedQuantiles = (numbers: WeightedNumbers): ((p: number) => number) =>
  sortedQuantiles(ascending(numbers));

/** The same of numbers in ascending order. */
export function sortedQuantiles({ values, weights }: WeightedNumbers): (p: number) => number {
  return (p) => {
    // A sum of probabilities that are exactly p on paper may fall short of it by rounding.
    const enough = p - 1e-12;
    let total = 0;
    for (let i = 0; i < values.length; i++) {
      total += weights[i];
      if (weights[i] > 0 && total >= enough) return values[i];
    }
    return values[values.length - 1];
  };
}

/** Between neighbours, for numbers of equal weight: R's type 7, which most systems use. */
export function interpolatedQuantiles(numbers: WeightedNumbers): (p: number) => number {
  const { values } = ascending(numbers);
  return (p) => {
    const at = p * (values.length - 1);
    const below = Math.floor(at);
    const above = Math.min(below + 1, values.length - 1);
    return values[below] + (at - below) * (values[above] - values[below]);
  };
}

/** Pearson's correlation; undefined where one of the two is constant. */
export function weightedCorrelation(x: WeightedNumbers, y: WeightedNumbers): number | undefined {
  const [meanX, meanY] = [weightedMean(x), weightedMean(y)];
  let [xx, xy, yy] = [0, 0, 0];
  for (let i = 0; i < x.values.length; i++) {
    const [dx, dy] = [x.values[i] - meanX, y.values[i] - meanY];
    xx += x.weights[i] * dx * dx;
    xy += x.weights[i] * dx * dy;
    yy += x.weights[i] * dy * dy;
  }
  return xx === 0 || yy === 0 ? undefined : xy / Math.sqrt(xx * yy);
}
