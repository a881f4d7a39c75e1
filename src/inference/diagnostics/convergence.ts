/**
 * Convergence of Markov chains: rank-normalised split R-hat, bulk and tail effective sample size (Vehtari, Gelman,
 * Simpson, Carpenter & Bürkner, "Rank-normalization, folding, and localization", 2021).
 */
import { normalQuantile } from '../../tensor/special/normal.ts';
import { concatenated } from '../concatenated.ts';
import { autocovariance, autocovariances } from './autocovariance.ts';

export interface Convergence {
  rhat: number;
  bulkEss: number;
  tailEss: number;
}

/** For chains of one quantity, all of the same length. */
export function convergence(chains: readonly ArrayLike<number>[]): Convergence {
  const halves = split(chains);
  const sorted = sortedOf(halves);
  const ranked = rankNormalise(halves, sorted);
  const rhat = Math.max(splitRhat(ranked), splitRhat(rankNormalise(fold(halves, quantileOf(sorted, 0.5)))));
  return { rhat, bulkEss: effectiveSize(ranked), tailEss: tailSize(halves, sorted) };
}

function split(chains: readonly ArrayLike<number>[]): Float64Array[] {
  return chains.flatMap((chain) => {
    const values = Float64Array.from(chain);
    const half = Math.floor(values.length / 2);
    return [values.subarray(0, half), values.subarray(values.length - half)];
  });
}

function rankNormalise(chains: readonly Float64Array[], sorted = sortedOf(chains)): Float64Array[] {
  const all = concatenated(chains);
  const scores = blomScores(sorted);
  return chainsOf(
    chains,
    all.map((value) => scores[placeOf(sorted, value)]),
  );
}

/** Numbers alone are sorted by typed arrays, many times faster than their places are by a function of ours. */
const sortedOf = (chains: readonly Float64Array[]): Float64Array => concatenated(chains).sort();

/** Where a number begins in a sorted list that holds it. */
function placeOf(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Scores of sorted numbers, each where the number begins: those that are the same share the mean of their ranks. */
function blomScores(sorted: Float64Array): Float64Array {
  const total = sorted.length;
  const scores = new Float64Array(total);
  for (let i = 0; i < total; ) {
    let j = i;
    while (j + 1 < total && sorted[j + 1] === sorted[i]) j++;
    scores[i] = blomScore((i + j) / 2, total);
    i = j + 1;
  }
  return scores;
}

/** Of a rank, counted from zero; 3/8 and 1/4 are Blom's offsets. */
const blomScore = (rank: number, total: number): number => normalQuantile((rank + 1 - 0.375) / (total + 0.25));

function chainsOf(chains: readonly Float64Array[], scores: Float64Array): Float64Array[] {
  let at = 0;
  return chains.map((chain) => {
    const part = scores.subarray(at, at + chain.length);
    at += chain.length;
    return part;
  });
}

/** Distances from the median: R-hat of these sees differences in spread. */
function fold(chains: readonly Float64Array[], median: number): Float64Array[] {
  return chains.map((chain) => chain.map((x) => Math.abs(x - median)));
}

function quantileOf(sorted: Float64Array, p: number): number {
  const at = p * (sorted.length - 1);
  const low = Math.floor(at);
  return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}

function meanOf(x: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i];
  return sum / x.length;
}

function varianceOf(x: Float64Array, mean = meanOf(x)): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] - mean) ** 2;
  return sum / (x.length - 1);
}

/** Within-chain variance and the pooled estimate that counts differences between chains. */
function variances(chains: readonly Float64Array[]): { within: number; pooled: number } {
  const n = chains[0].length;
  const means = Float64Array.from(chains, meanOf);
  const within = meanOf(Float64Array.from(chains, (chain, i) => varianceOf(chain, means[i])));
  const between = chains.length > 1 ? varianceOf(means) : 0;
  return { within, pooled: ((n - 1) / n) * within + between };
}

function splitRhat(chains: readonly Float64Array[]): number {
  if (chains[0].length < 2) return Number.NaN;
  const { within, pooled } = variances(chains);
  return within === 0 ? (pooled === 0 ? 1 : Infinity) : Math.sqrt(pooled / within);
}

/** Lags whose sums are taken one by one; more of them are found all at once. */
const FEW_LAGS = 64;

/** The mean of the chains' autocovariances, by lag. */
function autocovariancesOf(chains: readonly Float64Array[]): (lag: number) => number {
  const means = chains.map(meanOf);
  let all: readonly Float64Array[] | undefined;
  return (lag) => {
    if (lag < FEW_LAGS) return meanOf(Float64Array.from(chains, (chain, i) => autocovariance(chain, lag, means[i])));
    all ??= autocovariances(chains, means);
    return meanOf(Float64Array.from(all, (one) => one[lag]));
  };
}

/** Geyer's initial monotone sequence over the chains' mean autocorrelation. */
export function effectiveSize(chains: readonly Float64Array[]): number {
  const n = chains[0].length;
  const total = n * chains.length;
  if (n < 4) return Number.NaN;
  const { within, pooled } = variances(chains);
  if (pooled === 0) return total;
  const covariance = autocovariancesOf(chains);
  const correlation = (lag: number): number => 1 - (within - (covariance(lag) * n) / (n - 1)) / pooled;
  let time = -1;
  let previous = Infinity;
  for (let lag = 0; lag + 1 < n; lag += 2) {
    const pair = (lag === 0 ? 1 : correlation(lag)) + correlation(lag + 1);
    if (!(pair > 0)) break;
    previous = Math.min(previous, pair);
    time += 2 * previous;
  }
  // Antithetic chains may beat independence; the bound keeps an estimate from few draws within reason.
  return Math.min(total / Math.max(time, 1 / Math.log10(total)), total * Math.log10(total));
}

function tailSize(chains: readonly Float64Array[], sorted: Float64Array): number {
  const below = (p: number): number => {
    const bound = quantileOf(sorted, p);
    return effectiveSize(chains.map((chain) => chain.map((x) => (x <= bound ? 1 : 0))));
  };
  return Math.min(below(0.05), below(0.95));
}
