import { SampleBasedMarginal } from '../../distributions/marginal.ts';
import { inKernelMemory } from '../../lanes/columns/kernel-memory.ts';
import { attempt, obstacle } from '../../lanes/columns/run.ts';
import { explain } from '../../lanes/obstacles.ts';
import { Entry } from '../../runtime/execution.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { Reason } from '../../runtime/reasons.ts';
import { Diverged } from '../../runtime/signals.ts';
import type { Algorithm, Model, Posterior } from '../algorithm.ts';
import { type Callbacks, callbacks } from '../callbacks.ts';
import { type KernelChoice, kernelOption, standardKernel } from '../chains/kernel.ts';
import type { MHOptions } from '../chains/mh.ts';
import type { Trace } from '../chains/trace.ts';
import { KeptSamples } from '../kept-samples.ts';
import type { ParticleResult } from '../method-types.ts';
import { count, flag, oneOf, withDefault } from '../options.ts';
import { IterationCount } from '../progress.ts';
import { throwOrReturn } from '../throw-on-error.ts';
import { ColumnFilter } from './column-filter.ts';
import { ColumnParticles } from './column-particles.ts';
import { Continuation, fromAnyGuide, fromGuide, type Proposal } from './continuation.ts';
import { Filtering } from './filtering.ts';
import { DrawsElsewhere, OutOfStep } from './other-ways.ts';
import { Population } from './population.ts';
import { record } from './recording.ts';
import { Rejuvenation } from './rejuvenation.ts';

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
export const smc: Algorithm<SMCOptions, ParticleResult> = {
  name: 'SMC',
  texts: ['columns'],

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
  const entry = new Entry();
  const reason = whyNotTogether(options) ?? obstacle(entry, options.particles);
  const areOnlyFew = reason !== null && (whyNotTogether(options) ?? obstacle(entry, Infinity)) === null;
  if (areOnlyFew) {
    const alone = filterOneByOne(entry, model, options, MANY_FACTORS);
    if (alone !== undefined) {
      explain(entry, 'SMC', reason, how(options, reason));
      return alone;
    }
  }
  const together = (areOnlyFew ? null : reason) ?? attempt(entry, () => filterTogether(entry, model, options));
  explain(entry, 'SMC', together instanceof Reason ? together : 'columns', how(options, together));
  return together instanceof Reason ? filterOneByOne(entry, model, options, Infinity)! : together;
}

const how = ({ particles }: SMCOptions, together: unknown): string =>
  `${particles} particles ${together instanceof Reason ? `one by one, because ${together}` : 'side by side'}`;

/**
 * Few particles are as well executed one by one, unless they meet many factors: most programs have to be executed again up to each of
 * them, so that the work grows with the square of their number. Side by side all particles are executed once. Both ways
 * give the same, so that nothing is lost but the work up to here, which is one execution if that shows how many there are.
 */
const MANY_FACTORS = 40;

/** Nothing if there are more factors than so many. */
function filterOneByOne<T>(
  entry: Entry,
  model: Model<T>,
  options: SMCOptions,
  mostFactors: number,
): Posterior<T> | undefined {
  const { particles: size, rejuvSteps } = options;
  const continuation = new Continuation(entry, model, proposalOf(options.importance));
  const population = new Population(size, continuation, (i) => entry.streamOf(i + 1), rejuvSteps === 0);
  const rejuvenation = rejuvSteps === 0 ? null : new Rejuvenation(entry, model, options.rejuvKernel, rejuvSteps);
  const filtering = new Filtering(size, entry.streamOf(0));
  const progress = new IterationCount('SMC', undefined, Math.ceil(4096 / size));
  const { logWeights, particles } = population;

  try {
    while (population.advance(progress.within)) {
      if (Math.max(population.factors, particles[0].factors) > mostFactors) return undefined;
      const logSum = filtering.weigh(logWeights);
      if (logSum === -Infinity) {
        const victim = particles.find((particle) => particle.factors === population.factors)!;
        continuation.fail(victim, nothingPossible(size, population.factors));
      }
      if (filtering.isDue(population.hasEnded)) {
        population.replace(filtering.resample(logWeights, logSum, continuation.guidedFrom < population.factors).array);
      }
      if (rejuvenation !== null) {
        const steps = entry.streamOf(0).named(`rejuvenation ${population.factors}`);
        rejuvenate(population, rejuvenation, continuation.end, steps);
      }
      progress.step(() => `${population.factors} factors`);
    }
  } finally {
    progress.finish();
  }
  const spread = filtering.effectiveSize;
  const guided = continuation.guidedFrom < Infinity;
  const children = filtering.finish(logWeights, guided);
  if (children !== null) population.replace(children.array);

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
  return posterior(kept, filtering, spread, guided, traces);
}

function posterior<T>(
  kept: KeptSamples<T>,
  filtering: Filtering,
  spread: number,
  guided: boolean,
  traces?: Trace<T>[],
): Posterior<T> {
  return new SampleBasedMarginal(kept.all, {
    logZ: filtering.logZ,
    traces,
    diagnostics: {
      effectiveSampleSize: spread,
      resamplings: filtering.resamplings,
      ...(guided ? filtering.guideDiagnostics : {}),
    },
  });
}

const EXECUTIONS_KEPT = new Reason('few', 'their executions are kept');

/** What has to be executed for one particle after the other. */
function whyNotTogether({ particles, rejuvSteps, rejuvKernel, saveTraces }: SMCOptions): Reason | null {
  if (rejuvSteps > 0 && (rejuvKernel.name !== 'MH' || mhOptionsOf(rejuvKernel).permissive)) {
    const how = rejuvKernel.name === 'MH' ? ' with the option permissive' : '';
    return new Reason('method', `each is rejuvenated by ${rejuvKernel.name}${how}`);
  }
  return saveTraces && rejuvSteps === 0 && particles < WORTH_STARTING_AGAIN ? EXECUTIONS_KEPT : null;
}

const mhOptionsOf = ({ options }: KernelChoice): MHOptions => options as MHOptions;

/** Fewer particles are sooner executed one by one than started again, all of them, at each factor. */
const WORTH_STARTING_AGAIN = 1000;

/** The same with all particles side by side. */
function filterTogether<T>(entry: Entry, model: Model<T>, options: SMCOptions): Posterior<T> {
  const { particles, rejuvSteps, saveTraces } = options;
  if (rejuvSteps > 0 || saveTraces) return filterByFactors(entry, model, options);
  for (let drawsElsewhere = false; ; drawsElsewhere = true) {
    try {
      return filterAtOnce(entry, model, options, drawsElsewhere);
    } catch (thrown) {
      if (thrown instanceof DrawsElsewhere) continue;
      const parts = thrown instanceof Diverged || thrown instanceof OutOfStep;
      if (parts && particles >= WORTH_STARTING_AGAIN) return filterByFactors(entry, model, options);
      throw thrown;
    }
  }
}

/** In one execution. */
function filterAtOnce<T>(entry: Entry, model: Model<T>, options: SMCOptions, drawsElsewhere: boolean): Posterior<T> {
  const { particles: size, importance } = options;
  const filtering = new Filtering(size, entry.streamOf(0));
  const progress = new IterationCount('SMC', undefined, Math.ceil(4096 / size));
  const particles = new ColumnParticles(size, filtering, proposalOf(importance), progress, drawsElsewhere);
  let ends: { values: ArrayLike<T>; scores: Float64Array };
  try {
    ends = inKernelMemory(() => particles.run(entry, model));
  } finally {
    progress.finish();
  }
  const kept = new KeptSamples<T>(options.callbacks, options.onlyMAP);
  kept.addAll(ends.values, ends.scores);
  kept.finish();
  return posterior(kept, filtering, particles.spread, particles.guidedFrom < Infinity);
}

/** In an execution for each factor, at which particles may be rejuvenated. */
function filterByFactors<T>(
  entry: Entry,
  model: Model<T>,
  { particles: size, rejuvSteps, rejuvKernel, importance, callbacks, onlyMAP, finalRejuv, saveTraces }: SMCOptions,
): Posterior<T> {
  const filtering = new Filtering(size, entry.streamOf(0));
  const progress = new IterationCount('SMC', undefined, Math.ceil(4096 / size));
  const filter = new ColumnFilter(
    entry,
    model,
    size,
    filtering,
    proposalOf(importance),
    rejuvSteps,
    mhOptionsOf(rejuvKernel),
  );
  try {
    filter.run(progress);
  } finally {
    progress.finish();
  }
  const { values, scores } = rejuvSteps > 0 && finalRejuv ? filter.rejuvenatedSamples() : filter.samples;
  const kept = new KeptSamples<T>(callbacks, onlyMAP);
  kept.addAll(values, scores);
  kept.finish();
  const traces = saveTraces ? filter.particles.map((particle) => record(entry, model, particle)) : undefined;
  return posterior(kept, filtering, filter.spread, filter.guidedFrom < Infinity, traces);
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
