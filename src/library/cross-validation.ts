/** How well a model predicts a datum that it has not seen: leave-one-out cross-validation and WAIC, from one posterior. */
import { smoothedWeights } from '../inference/diagnostics/smoothing.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { logSumExp } from '../tensor/special/exponentials.ts';
import { checkFunction } from './arguments.ts';
import { valuesFor } from './weighted.ts';

/** The log-probability of each datum, given a value of the posterior. */
export type DatumScores<V> = (value: V) => readonly number[];

/** Expected log predictive density of new data like these, as a sum over the data. */
export interface PredictiveScore {
  elpd: number;
  /** Its standard error. */
  se: number;
  /** The effective number of parameters. */
  p: number;
  /** The contribution of each datum to the sum. */
  pointwise: number[];
}

/** The same, with how far each contribution can be trusted. */
export interface LeaveOneOut extends PredictiveScore {
  /** Pareto k̂ of each datum; above 0.7 its contribution is not reliable: infer again without the datum. */
  khat: number[];
}

/**
 * Leave-one-out cross-validation by Pareto smoothed importance sampling. `scores` gives the log-probability of each datum for a value
 * of the posterior, which therefore has to hold what the data depend on. A higher `elpd` is better; compare models by the
 * difference of their `pointwise` parts.
 *
 *     var data = [1.2, 0.7, 1.9];
 *     var posterior = Infer({method: 'MCMC', samples: 1000, model: function() {
 *       var mu = gaussian(0, 1);
 *       map(function(y) { observe(Gaussian({mu: mu, sigma: 1}), y); }, data);
 *       return mu;
 *     }});
 *     loo(posterior, function(mu) { return map(function(y) { return Gaussian({mu: mu, sigma: 1}).score(y); }, data); }).elpd
 */
export function loo<V>(posterior: Distribution<V>, scores: DatumScores<V>): LeaveOneOut {
  const { rows, logWeights } = scoresOf('loo', posterior, scores);
  const khat: number[] = [];
  const pointwise = rows.map((row) => {
    const smoothed = smoothedWeights(row.map((score, s) => logWeights[s] - score));
    khat.push(smoothed.khat);
    return logSumExp(row.map((score, s) => score + Math.log(smoothed.weights[s])));
  });
  const inSample = rows.map((row) => logSumExp(row.map((score, s) => score + logWeights[s])));
  return { ...total(pointwise), p: sum(inSample) - sum(pointwise), pointwise, khat };
}

/** The widely applicable information criterion, as an `elpd`; `loo` says when it is not to be trusted, and this does not. */
export function waic<V>(posterior: Distribution<V>, scores: DatumScores<V>): PredictiveScore {
  const { rows, logWeights } = scoresOf('waic', posterior, scores);
  const parameters: number[] = [];
  const pointwise = rows.map((row) => {
    const mean = row.reduce((a, score, s) => a + Math.exp(logWeights[s]) * score, 0);
    const variance = row.reduce((a, score, s) => a + Math.exp(logWeights[s]) * (score - mean) ** 2, 0);
    parameters.push(variance);
    return logSumExp(row.map((score, s) => score + logWeights[s])) - variance;
  });
  return { ...total(pointwise), p: sum(parameters), pointwise };
}

const sum = (xs: readonly number[]): number => xs.reduce((a, b) => a + b, 0);

function total(pointwise: readonly number[]): { elpd: number; se: number } {
  const n = pointwise.length;
  const mean = sum(pointwise) / n;
  const squares = sum(pointwise.map((x) => (x - mean) ** 2));
  return { elpd: sum(pointwise), se: n > 1 ? Math.sqrt((n * squares) / (n - 1)) : Number.NaN };
}

/** A row for each datum, with its score under each value of the posterior; and the logarithms of these values' weights. */
function scoresOf<V>(
  caller: string,
  posterior: Distribution<V>,
  scores: DatumScores<V>,
): { rows: Float64Array[]; logWeights: Float64Array } {
  if (!isDistribution(posterior)) {
    throw new WaymarkError(
      `${caller} needs a posterior, as in ${caller}(posterior, scores); got ${describe(posterior)}.`,
    );
  }
  checkFunction(`${caller}(posterior, scores)`, scores);
  const { values, weights } = valuesFor(caller, posterior);
  const own = machine.address;
  const columns = values.map((value, s) => {
    machine.address = own.index(s);
    return checked(caller, scores(value));
  });
  machine.address = own;
  const [first] = columns;
  const odd = columns.find((column) => column.length !== first.length);
  if (odd !== undefined) {
    throw new WaymarkError(
      `${caller}: scores must give one number for each datum, got ${first.length} and ${odd.length}.`,
    );
  }
  const rows = first.map((_, i) => Float64Array.from(columns, (column) => column[i]));
  return { rows, logWeights: Float64Array.from(weights, Math.log) };
}

function checked(caller: string, scores: unknown): readonly number[] {
  if (Array.isArray(scores) && scores.length > 0) {
    const bad = scores.find((score) => typeof score !== 'number' || Number.isNaN(score));
    if (bad === undefined) return scores;
    throw new WaymarkError(`${caller}: scores must give numbers, got ${describe(bad)} among them.`);
  }
  throw new WaymarkError(`${caller}: scores must give an array with a number for each datum, got ${describe(scores)}.`);
}
