/** Summaries of runs. */

export const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

/** Of the mean of independent values; 0 if there is only one. */
export function standardError(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const centre = mean(values);
  const squares = values.reduce((sum, x) => sum + (x - centre) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}

/** How many standard errors an interval reaches to either side: about 95 %. */
const REACH = 2;

/** The mean with an interval that holds the true one in about 95 % of cases. */
export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export function interval(values: readonly number[]): Interval {
  const centre = mean(values);
  const reach = REACH * standardError(values);
  return { mean: centre, low: centre - reach, high: centre + reach };
}

/** The mean of the last values of a history: where an optimisation has come to. */
export const ending = (history: readonly number[], share = 0.05): number =>
  mean(history.slice(-Math.max(1, Math.round(history.length * share))));

/** The mean of the values around each step, so many to either side. */
export function smoothed(history: readonly number[], reach: number): number[] {
  const sums = [0];
  for (const x of history) sums.push(sums[sums.length - 1] + x);
  return history.map((_, i) => {
    const [from, to] = [Math.max(0, i - reach), Math.min(history.length, i + reach + 1)];
    return (sums[to] - sums[from]) / (to - from);
  });
}

/** The value of a smoothed history at a step, or at its end if it is shorter. */
export const around = (history: readonly number[], step: number, reach = 0): number =>
  mean(history.slice(Math.max(0, Math.min(step, history.length - 1) - reach), step + reach + 1));

/** The first step at which a smoothed history is at least so high. */
export function firstAbove(history: readonly number[], level: number, reach: number): number | undefined {
  const step = smoothed(history, reach).findIndex((x) => x >= level);
  return step === -1 ? undefined : step;
}
