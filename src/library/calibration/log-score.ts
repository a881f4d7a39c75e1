/** How much a posterior knows of a true value: its log-density there, against that of the prior. */
import { SQRT_2PI } from '../../tensor/constants.ts';
import type { Numbers } from './draws.ts';

/** Nats gained over the prior, in the mean over all simulations. */
export interface LogScore {
  /** Mean log-density of the true values under their posteriors, less that under the prior. */
  readonly gain: number;
  /** Standard error of the gain. */
  readonly se: number;
  readonly posterior: number;
  readonly prior: number;
}

/** Values that have a probability of their own, and not a density: whole numbers if there are no others, −∞, and what comes twice. */
function atomsIn(truths: readonly number[]): (value: number) => boolean {
  if (truths.every((truth) => Number.isInteger(truth) || !Number.isFinite(truth))) return () => true;
  const seen = new Set<number>();
  const twice = new Set<number>();
  for (const truth of truths) {
    if (seen.has(truth)) twice.add(truth);
    seen.add(truth);
  }
  return (value) => !Number.isFinite(value) || twice.has(value);
}

/**
 * `numbersOf(i)` are those of the posterior of the i-th true value. Densities are estimated by kernels. Among n draws of the posterior counts
 * one of the prior, so that a value which no draw came near has a small density and not none.
 */
export class Scoring {
  private readonly isAtom: (value: number) => boolean;
  private readonly prior: Numbers;
  private readonly width: number;
  private readonly gains: number[] = [];
  private sums = { posterior: 0, prior: 0 };

  constructor(private readonly truths: readonly number[]) {
    this.isAtom = atomsIn(truths);
    const n = truths.length;
    this.prior = { values: Float64Array.from(truths), weights: new Float64Array(n).fill(1 / n), draws: n };
    this.width = widthOf(this.prior, 0, this.isAtom);
  }

  /** Log-densities of the i-th true value under its posterior and under the prior. */
  scoreOf(i: number, posterior: Numbers): readonly [after: number, before: number] {
    const truth = this.truths[i];
    const n = this.truths.length;
    const [kernel, width] = this.kernelFor(posterior, truth);
    // The prior, without the value itself and with one more value that no draw has.
    const own = kernel(truth, this.width);
    const before = (n * density(this.prior, this.width, kernel) - own + own / n) / (n - 1 + 1 / n);
    const draws = Math.min(posterior.draws, 1e9);
    const after = (draws * density(posterior, width, kernel) + before) / (draws + 1);
    return [Math.log(after), Math.log(before)];
  }

  add([after, before]: readonly [after: number, before: number]): void {
    this.gains.push(after - before);
    this.sums.posterior += after;
    this.sums.prior += before;
  }

  private kernelFor(posterior: Numbers, truth: number): [Kernel, number] {
    if (this.isAtom(truth)) return [equality(truth), 1];
    return [normal(truth, this.isAtom), widthOf(posterior, this.width, this.isAtom)];
  }

  get result(): LogScore {
    const n = this.gains.length;
    const gain = this.gains.reduce((a, b) => a + b, 0) / n;
    const squares = this.gains.reduce((sum, one) => sum + (one - gain) ** 2, 0);
    return {
      gain,
      se: Math.sqrt(squares / (n - 1) / n),
      posterior: this.sums.posterior / n,
      prior: this.sums.prior / n,
    };
  }
}

type Kernel = (value: number, width: number) => number;

const equality =
  (truth: number): Kernel =>
  (value) =>
    value === truth ? 1 : 0;

const normal =
  (truth: number, isAtom: (value: number) => boolean): Kernel =>
  (value, width) =>
    !isAtom(value) ? Math.exp(-0.5 * ((truth - value) / width) ** 2) / (width * SQRT_2PI) : 0;

function density({ values, weights }: Numbers, width: number, kernel: Kernel): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += weights[i] * kernel(values[i], width);
  return total;
}

/** Silverman's rule, for the values that have a density; `otherwise` where they are all the same. */
function widthOf({ values, weights, draws }: Numbers, otherwise: number, isAtom: (value: number) => boolean): number {
  let [share, sum, squares] = [0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    if (isAtom(values[i])) continue;
    share += weights[i];
    sum += weights[i] * values[i];
  }
  if (share === 0) return otherwise;
  const mean = sum / share;
  for (let i = 0; i < values.length; i++) if (!isAtom(values[i])) squares += weights[i] * (values[i] - mean) ** 2;
  const n = Math.min(draws, values.length) * share;
  const width = 0.9 * Math.sqrt(squares / share) * Math.max(1, n) ** -0.2;
  return width > 0 ? width : otherwise > 0 ? otherwise * 1e-3 : 1e-9;
}
