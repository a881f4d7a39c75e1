import { SampleBasedMarginal } from '../distributions/marginal.ts';
import { Entry } from '../runtime/execution.ts';
import type { RandomStream } from '../runtime/random.ts';
import type { Algorithm, Model, Posterior } from './algorithm.ts';
import { type Callbacks, callbacks } from './callbacks.ts';
import { Continuation, fromAnyGuide, fromGuide, type Proposal } from './continuation.ts';
import { GuideQuality } from './guide-quality.ts';
import { KeptSamples } from './kept-samples.ts';
import { type KernelChoice, kernelOption, standardKernel } from './kernel.ts';
import { count, flag, oneOf, withDefault } from './options.ts';
import { Population } from './population.ts';
import { IterationCount } from './progress.ts';
import { record } from './recording.ts';
import { Rejuvenation } from './rejuvenation.ts';
import { effectiveSize, normalise, systematic } from './resampling.ts';
import { throwOrReturn } from './throw-on-error.ts';
import type { Trace } from './trace.ts';

export interface SMCOptions {
  /** How many executions go side by side. */
  particles: number;
  /** Kernel steps for each particle at each factor. */
  rejuvSteps: number;
  /** What moves particles after resampling: a kernel, by name or as `{name: options}`. */
  rejuvKernel: KernelChoice;
  /** What choices are drawn from: guides where given, the program's distributions, or automatic guides as well. */
  importance: 'default' | 'ignoreGuide' | 'autoGuide';
  /** Keeps the particle of the highest score only. */
  onlyMAP: boolean;
  /** Whether finished particles are rejuvenated too; each step of that is then a sample. */
  finalRejuv: boolean;
  /** Whether the result has the executions as `traces`. */
  saveTraces: boolean;
  /** False: an error is returned as the result instead of being thrown. */
  throwOnError: boolean;
  callbacks: readonly Callbacks[];
}

/**
 * Sequential Monte Carlo: particles are weighed at their n-th factors together, those that have ended among them, and
 * resampled (systematically) when few of them carry most of the weight.
 */
export const smc: Algorithm<SMCOptions> = {
  name: 'SMC',

  options: {
    particles: withDefault(count(1), 100),
    rejuvSteps: withDefault(count(0), 0),
    rejuvKernel: withDefault(kernelOption('SMC rejuvKernel'), standardKernel),
    importance: withDefault(oneOf('default', 'ignoreGuide', 'autoGuide'), 'default'),
    onlyMAP: withDefault(flag, false),
    finalRejuv: withDefault(flag, true),
    saveTraces: withDefault(flag, false),
    throwOnError: withDefault(flag, true),
    callbacks,
  },

  run<T>(model: Model<T>, options: SMCOptions): Posterior<T> {
    return throwOrReturn(options.throwOnError, () => filter(model, options));
  },
};

function filter<T>(model: Model<T>, options: SMCOptions): Posterior<T> {
  const { particles: size, rejuvSteps } = options;
  const entry = new Entry();
  const random = entry.streamOf(0);
  const continuation = new Continuation(entry, model, proposalOf(options.importance));
  const population = new Population(size, continuation, (i) => entry.streamOf(i + 1), rejuvSteps === 0);
  const rejuvenation = rejuvSteps === 0 ? null : new Rejuvenation(entry, model, options.rejuvKernel, rejuvSteps);
  const shares = new Float64Array(size).fill(1 / size);
  const progress = new IterationCount('SMC', undefined, Math.ceil(4096 / size));
  const { logWeights, particles } = population;
  const quality = new GuideQuality();
  let logZ = 0;
  let resamplings = 0;
  const resample = (logSum: number): void => {
    logZ += logSum - Math.log(size);
    if (continuation.usedGuide) quality.note(logWeights);
    population.replace(systematic(shares, size, random.begin()));
    resamplings++;
  };

  try {
    while (population.advance()) {
      const logSum = normalise(logWeights, shares);
      if (logSum === -Infinity) {
        const victim = particles.find((particle) => particle.factors === population.factors)!;
        continuation.fail(victim, nothingPossible(size, population.factors));
      }
      if (population.isWornOut(shares)) resample(logSum);
      if (rejuvenation !== null) {
        const steps = entry.streamOf(0).named(`rejuvenation ${population.factors}`);
        rejuvenate(population, rejuvenation, continuation.end, steps);
      }
      progress.step(() => `${population.factors} factors`);
    }
  } finally {
    progress.finish();
  }
  const spread = effectiveSize(shares);
  if (logWeights.some((weight) => weight !== logWeights[0])) resample(normalise(logWeights, shares));
  else {
    logZ += logWeights[0];
    if (continuation.usedGuide) quality.note(logWeights);
  }

  const kept = new KeptSamples<T>(options.callbacks, options.onlyMAP);
  if (rejuvenation !== null && options.finalRejuv) {
    const steps = entry.streamOf(0).named('final rejuvenation');
    const occurrence = steps.occurrence();
    for (let i = 0; i < size; i++) {
      particles[i] = rejuvenation.moveFinished(particles[i], steps.child(occurrence, i), (value, score) =>
        kept.add({ value, score }),
      );
    }
  } else {
    for (const { value, score } of particles) kept.add({ value: value as T, score });
  }
  kept.finish();
  let traces: Trace<T>[] | undefined;
  if (options.saveTraces) traces = particles.map((particle) => record(entry, model, particle));
  return new SampleBasedMarginal(kept.samples, {
    logZ,
    traces,
    diagnostics: {
      effectiveSampleSize: spread,
      resamplings,
      ...(continuation.usedGuide ? quality.diagnostics : {}),
    },
  });
}

/** Moves the particles that have not come to their end. */
function rejuvenate<T>(
  population: Population<T>,
  rejuvenation: Rejuvenation<T>,
  end: number,
  random: RandomStream,
): void {
  const { particles, factors } = population;
  const occurrence = random.occurrence();
  for (let i = 0; i < particles.length; i++) {
    if (particles[i].dead || particles[i].finished) continue;
    particles[i] = rejuvenation.move(particles[i], factors, end, random.child(occurrence, i));
  }
}

function proposalOf(importance: SMCOptions['importance']): Proposal | null {
  if (importance === 'ignoreGuide') return null;
  return importance === 'autoGuide' ? fromAnyGuide() : fromGuide;
}

function nothingPossible(size: number, factor: number): string {
  return (
    `SMC lost all of its ${size} particles at the ${ordinal(factor)} factor: here, the last of them met a factor of ` +
    '-Infinity or a condition that fails. Use more particles, soften the condition (observe a distribution around ' +
    'the value, or factor with a finite score), or give the choices before it a guide that knows the condition.'
  );
}

function ordinal(n: number): string {
  const tail = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${tail}`;
}
