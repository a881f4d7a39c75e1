/** How probable the data are under a model, for reports and for comparing models. */
import { tableOf, withParameters } from '../guides/given-params.ts';
import type { Model } from '../inference/algorithm.ts';
import { annealedWeights } from '../inference/chains/ais.ts';
import { badWeights } from '../inference/diagnostics/advice.ts';
import { importanceDiagnostics } from '../inference/diagnostics/pareto.ts';
import { runAlgorithm } from '../inference/infer.ts';
import type { SampledPosterior } from '../inference/method-types.ts';
import { count, type Option, oneOf, readOptions, withDefault } from '../inference/options.ts';
import { importance } from '../inference/sampling/importance.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { knownApart } from '../runtime/known-models.ts';
import { machine } from '../runtime/machine.ts';
import { logSumExp } from '../tensor/special/exponentials.ts';

/** Options of `evidence`. */
export interface EvidenceOptions {
  /** Parameters of the guides, as `Optimize` returns them; those of the run if left out. */
  params?: Readonly<Record<string, unknown>>;
  /** `'importance'` (if left out) weighs what the guides draw; `'AIS'` anneals from the prior, and needs no guide. */
  method?: 'importance' | 'AIS';
  /** Executions to weigh, or to anneal: 1,000 by importance, 10 by AIS if left out. */
  samples?: number;
  /** Steps of each annealed execution: 1,000 if left out. */
  steps?: number;
}

/** The logarithm of the evidence, and how far it can be trusted. */
export interface Evidence {
  /** The estimate of log p(data). The estimate of p(data) itself is unbiased, so that its logarithm tends to be too low. */
  logZ: number;
  /** Its standard error. */
  se: number;
  /** The effective sample size: how many independent executions of equal weight would be as accurate. */
  ess: number;
  /** Below 0.7 the weights can be trusted (Pareto k̂); NaN where there are too few to tell. */
  khat: number;
}

interface Read {
  method: 'importance' | 'AIS';
  samples: number | undefined;
  steps: number;
}

const TABLE: { readonly [K in keyof Read]: Option<Read[K]> } = {
  method: withDefault(oneOf('importance', 'AIS'), 'importance'),
  samples: withDefault<number | undefined>(count(1), undefined),
  steps: withDefault(count(1), 1000),
};

/**
 * The marginal likelihood of a model: the probability of all that it observes, its choices summed out. By importance sampling from
 * the guides, which should have been trained (or from the prior, where there are none), or by annealing.
 *
 *     const model = () => {
 *       const x = gaussian(0, 1);
 *       observe(Gaussian({mu: x, sigma: 1}), 0.5);
 *       return x;
 *     };
 *     evidence(model, {samples: 2000}).logZ
 */
export function evidence(model: Model<unknown>, options: EvidenceOptions = {}): Evidence {
  if (typeof model !== 'function') {
    throw new WaymarkError(`evidence takes the model first, as in evidence(model, {samples}); got ${describe(model)}.`);
  }
  const { method, samples, steps } = readOptions<Read>('evidence', options, TABLE, { apart: ['params'] });
  const find = (): Evidence =>
    method === 'importance' ? byImportance(model, samples ?? 1000) : byAnnealing(model, samples ?? 10, steps);
  const { params } = options;
  return knownApart(model, () =>
    params === undefined ? find() : withParameters(tableOf('evidence: params', params), find),
  );
}

function byImportance(model: Model<unknown>, samples: number): Evidence {
  const found = runAlgorithm(importance, 'evidence', model, { samples, guide: true }) as SampledPosterior<unknown>;
  const { ess = samples, khat = Number.NaN } = (found.diagnostics ?? {}) as Partial<Evidence>;
  const advice = badWeights({ ess, khat });
  if (advice !== undefined) machine.run.warn(`evidence: ${advice}`);
  return { logZ: found.logZ!, se: standardError(ess, samples), ess, khat };
}

function byAnnealing(model: Model<unknown>, samples: number, steps: number): Evidence {
  const weights = annealedWeights(model, { steps, samples });
  const { ess, khat } = importanceDiagnostics(weights);
  return { logZ: logSumExp(weights) - Math.log(samples), se: standardError(ess, samples), ess, khat };
}

/** Of the logarithm of an average of weights. */
const standardError = (ess: number, samples: number): number => Math.sqrt(Math.max(0, 1 / ess - 1 / samples));
