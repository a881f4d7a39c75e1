import { Marginal } from '../../distributions/marginal.ts';
import { divided } from '../../ranks/divided.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { Entry } from '../../runtime/execution.ts';
import { logSumExp } from '../../tensor/special/exponentials.ts';
import type { Algorithm, Model, Posterior } from '../algorithm.ts';
import type { EvidenceResult } from '../method-types.ts';
import { count, withDefault } from '../options.ts';
import { IterationCount } from '../progress.ts';
import { Chain } from './chain.ts';
import { standardKernel, startKernel } from './kernel.ts';
import { NO_SITE } from './reexecution.ts';
import { Trace } from './trace.ts';

/** Options of annealed importance sampling. */
export interface AISOptions {
  /** Temperatures between prior and posterior, with one step of the chain at each. */
  steps: number;
  /** Independent chains, whose weights are averaged. */
  samples: number;
}

/**
 * Annealed importance sampling (Neal 2001): estimates the evidence with chains that start from the prior, in which
 * factors count k/steps times at the k-th step. As a method of `Infer`, the result is a distribution on `true`
 * whose `normalizationConstant` is the estimate.
 */
export const ais: Algorithm<AISOptions, EvidenceResult> = {
  name: 'AIS',

  options: { steps: withDefault(count(1), 20), samples: withDefault(count(1), 1) },

  run<T>(model: Model<T>, options: AISOptions): Posterior<T> {
    const logZ = estimateEvidence(model, options);
    const result = Marginal.fromScores([{ value: true, score: logZ }]);
    return result as Posterior<unknown> as Posterior<T>;
  },
};

/** Log of the evidence: exp of it is unbiased. */
export function estimateEvidence<T>(model: Model<T>, options: AISOptions): number {
  return logSumExp(annealedWeights(model, options)) - Math.log(options.samples);
}

/** Logarithms of independent estimates of the evidence, each of them unbiased. */
export function annealedWeights<T>(model: Model<T>, { steps, samples }: AISOptions): number[] {
  const entry = new Entry();
  const progress = new IterationCount('AIS', steps * samples);
  try {
    return divided('anneal chains', samples, (i) => annealedWeight(entry, model, i, steps, progress));
  } finally {
    progress.finish();
  }
}

function annealedWeight<T>(entry: Entry, model: Model<T>, i: number, steps: number, progress: IterationCount): number {
  const random = entry.streamOf(i);
  const origins = random.named('executions');
  const origin = origins.child(1, 0);
  const chain = new Chain(entry, model, random, (k) => origin.restart(k));
  const kernel = startKernel(chain, standardKernel);
  chain.reexecution.onImpossible = hardFactor;
  chain.reexecution.run(new Trace(entry.address), chain.current, NO_SITE, undefined, origins.child(0, 0));
  let weight = 0;
  for (let k = 1; k <= steps; k++) {
    weight += chain.current.factorScore / steps;
    chain.factorScale = k / steps;
    // A step after the last weighing would be wasted.
    if (k < steps) kernel.step();
    progress.step();
  }
  return weight;
}

function hardFactor(): never {
  throw new WaymarkError(
    'AIS cannot anneal a factor of -Infinity or a condition that fails, as here. Soften it (observe a distribution ' +
      'around the value, or factor with a finite score), or estimate the evidence with SMC.',
  );
}
