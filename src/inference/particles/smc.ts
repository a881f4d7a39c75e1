import { SampleBasedMarginal } from '../../distributions/marginal.ts';
import { inKernelMemory } from '../../lanes/columns/kernel-memory.ts';
import { isNotWorthIt, meter, triedOf } from '../../lanes/columns/meter.ts';
import { attempt, obstacle } from '../../lanes/columns/run.ts';
import { explain } from '../../lanes/obstacles.ts';
import { largestOf } from '../../ranks/divided.ts';
import { costOfExecutions } from '../../runtime/costs.ts';
import { Entry } from '../../runtime/execution.ts';
import { during, machine } from '../../runtime/machine.ts';
import { Reason } from '../../runtime/reasons.ts';
import { adviseOnExecutions } from '../../runtime/remedies.ts';
import { Diverged } from '../../runtime/signals.ts';
import { currentTeam } from '../../runtime/team.ts';
import { optimising } from '../../v8/optimising.ts';
import type { Algorithm, Model, Posterior } from '../algorithm.ts';
import { type Callbacks, callbacks } from '../callbacks.ts';
import { type KernelChoice, kernelOption, standardKernel } from '../chains/kernel.ts';
import type { MHOptions } from '../chains/mh.ts';
import type { Trace } from '../chains/trace.ts';
import { type InferringGuide, inferringGuide, infersItself } from '../inferring-guide.ts';
import { KeptSamples } from '../kept-samples.ts';
import type { ParticleResult } from '../method-types.ts';
import { count, flag, oneOf, withDefault } from '../options.ts';
import { IterationCount } from '../progress.ts';
import { throwOrReturn } from '../throw-on-error.ts';
import { ColumnFilter } from './column-filter.ts';
import { ColumnParticles } from './column-particles.ts';
import { type Archipelago, agreeing, filterIslands, ranksFor } from './divided-filter.ts';
import { type Filtered, Filtering } from './filtering.ts';
import { IslandFilter } from './island-filter.ts';
import { Islands } from './islands.ts';
import { DrawsElsewhere, OutOfStep } from './other-ways.ts';
import type { Particle } from './particle.ts';
import { longAlone, whyNotTried } from './pilots.ts';
import { OnePopulation } from './populations.ts';
import { fromAnyGuide, fromGuide, type Proposal } from './proposals.ts';
import { Continuation, filter, type Particles, Population } from './reference.ts';
import { Rejuvenation, type Samples, traceOf } from './rejuvenation.ts';

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
  /** A network that proposes for all choices. */
  guide: InferringGuide | undefined;
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
    guide: withDefault(inferringGuide, undefined),
    callbacks,
  },

  run<T>(model: Model<T>, options: SMCOptions): Posterior<T> {
    if (options.guide !== undefined) return options.guide[infersItself]('SMC', model, { samples: options.particles });
    return throwOrReturn(options.throwOnError, () => infer(model, options));
  },
};

function infer<T>(model: Model<T>, options: SMCOptions): Posterior<T> {
  const entry = new Entry();
  const { reason, areOnlyFew } = agreed(whyApart(entry, options));
  if (reason !== null && areOnlyFew) {
    const alone = filterOneByOne(entry, model, options, MANY_FACTORS);
    if (alone !== undefined) {
      explain(entry, 'SMC', reason, how(options, reason, 1));
      return alone;
    }
  }
  const divided = { ranks: 1 };
  const together = patiently(
    entry,
    model,
    options,
    (areOnlyFew ? null : reason) ??
      (options.rejuvSteps > 0 || currentTeam() !== undefined ? null : whyNotTried(entry, model, options.particles)) ??
      attempt(entry, () => filterSome(entry, model, options, divided), false, TIMES_ALONE),
  );
  const isAlone = together instanceof Reason;
  const cost = isAlone ? costOfExecutions(together, options.particles, TIMES_ALONE) : undefined;
  explain(entry, 'SMC', isAlone ? together : 'columns', how(options, together, divided.ranks), { cost });
  if (isAlone) adviseOnExecutions(entry, 'SMC', together, options.particles, TIMES_ALONE);
  return isAlone ? filterOneByOne(entry, model, options, Infinity)! : together;
}

/** What came of particles side by side; if they were left because that does not pay, but meet very many factors, they are given longer. */
function patiently<T>(
  entry: Entry,
  model: Model<T>,
  options: SMCOptions,
  together: Posterior<T> | Reason,
): Posterior<T> | Reason {
  const { particles, rejuvSteps } = options;
  const isLeft = together instanceof Reason && isNotWorthIt(together) && rejuvSteps === 0;
  const alone = isLeft && currentTeam() === undefined ? longAlone(entry, model, particles) : undefined;
  if (alone === undefined) return together;
  const all = (): Posterior<T> =>
    filterTogether(entry, model, options, particles >= WORTH_STARTING_AGAIN, { ranks: 1 });
  return attempt(entry, () => meter.patiently(particles, alone, all), false, TIMES_ALONE);
}

/** Alone, most particles are executed again up to each factor, and some of them are copied. */
export const TIMES_ALONE = 3;

function how({ particles }: SMCOptions, together: unknown, ranks: number): string {
  if (together instanceof Reason) return `${particles} particles one by one, because ${together}`;
  return `${particles} particles side by side${ranks > 1 ? `, divided among ${ranks} ranks` : ''}`;
}

/** Where it is noted how many ranks the particles were divided among. */
interface Divided {
  ranks: number;
}

/** Why particles cannot go side by side, if so; and whether that is only because they are few. */
interface Apart {
  readonly reason: Reason | null;
  readonly areOnlyFew: boolean;
}

function whyApart(entry: Entry, options: SMCOptions): Apart {
  const reason = whyNotTogether(options) ?? obstacle(entry, options.particles);
  return { reason, areOnlyFew: reason !== null && (whyNotTogether(options) ?? obstacle(entry, Infinity)) === null };
}

/** Ranks go one way together, whatever each of them knows of the model from before. */
function agreed(own: Apart): Apart {
  const team = currentTeam();
  if (team === undefined) return own;
  const grade = own.reason === null ? 0 : own.areOnlyFew ? 1 : 2;
  if (largestOf('begin a particle filter', team, grade) === grade) return own;
  return { reason: new Reason('courses', 'another rank cannot go on side by side'), areOnlyFew: false };
}

/**
 * Few particles are as well executed one by one, unless they meet many factors: most programs have to be executed again up to each of
 * them, so that the work grows with the square of their number. Side by side all particles are executed once. Both ways
 * give the same, so that nothing is lost but the work up to here, which is one execution if that shows how many there are.
 */
const MANY_FACTORS = 40;

/** Particles as they go on from factor to factor. */
interface Engine<T> extends Particles {
  readonly particles: readonly Particle<T>[];
  /** Values and scores, in order. */
  readonly samples: Samples<T>;
  /** The same after each step of a last rejuvenation, particle by particle. */
  rejuvenatedSamples(): Samples<T>;
}

/** By executing the program for one particle after the other; nothing if there are more factors than so many. */
function filterOneByOne<T>(
  entry: Entry,
  model: Model<T>,
  options: SMCOptions,
  mostFactors: number,
): Posterior<T> | undefined {
  const { particles: size, rejuvSteps, rejuvKernel } = options;
  const continuation = new Continuation(entry, model, proposalOf(options.importance));
  const rejuvenation = rejuvSteps === 0 ? null : new Rejuvenation(entry, model, rejuvKernel, rejuvSteps);
  const population = new Population(size, continuation, (i) => entry.streamOf(i + 1), rejuvenation);
  // The first runs ahead, and may show how many there are.
  const isLong = (): boolean => Math.max(population.factors, population.particles[0].factors) > mostFactors;
  return filterByFactors(entry, model, options, population, isLong);
}

/** From factor to factor, at which particles may be rejuvenated. */
function filterByFactors<T>(
  entry: Entry,
  model: Model<T>,
  { particles: size, rejuvSteps, callbacks, onlyMAP, finalRejuv, saveTraces }: SMCOptions,
  engine: Engine<T>,
  isLong: () => boolean,
): Posterior<T> | undefined {
  const filtering = new Filtering(size, entry.streamOf(0));
  if (!filter(engine, filtering, progressOf(size), isLong)) return undefined;
  const { values, scores } = rejuvSteps > 0 && finalRejuv ? engine.rejuvenatedSamples() : engine.samples;
  const kept = new KeptSamples<T>(callbacks, onlyMAP);
  kept.addAll(values, scores);
  kept.finish();
  const traces = saveTraces ? engine.particles.map((particle) => traceOf(entry, model, particle)) : undefined;
  return posterior(kept, filtering, engine.guidedFrom < Infinity, traces);
}

export const progressOf = (size: number): IterationCount =>
  new IterationCount('SMC', undefined, Math.ceil(4096 / size));

export function posterior<T>(
  kept: KeptSamples<T>,
  filtering: Filtered,
  guided: boolean,
  traces?: Trace<T>[],
): Posterior<T> {
  return new SampleBasedMarginal(kept.all, {
    logZ: filtering.logZ,
    traces,
    diagnostics: {
      effectiveSampleSize: filtering.spread,
      resamplings: filtering.resamplings,
      ...(guided ? filtering.guideDiagnostics : {}),
    },
  });
}

const EXECUTIONS_KEPT = new Reason('few', 'their executions are kept');

/** Programs that have to be executed for one particle after the other. */
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

/**
 * The same with all particles side by side, if that pays for a few trial particles, which are not among the others. Where executions do the same, none are
 * tried.
 */
function filterSome<T>(entry: Entry, model: Model<T>, options: SMCOptions, divided: Divided): Posterior<T> {
  const { particles, rejuvSteps } = options;
  const ranks = ranksFor(particles)?.size ?? 1;
  const some = rejuvSteps > 0 ? 0 : Math.ceil(triedOf(particles) / ranks);
  const isEven = machine.program.evenness === 'even';
  if (isEven && some > 0) optimising.lasting();
  const tried = isEven ? 0 : some;
  const restarts = particles >= WORTH_STARTING_AGAIN;
  if (tried > 0) {
    const few = { ...options, particles: tried, callbacks: [], saveTraces: false };
    const trial = (): Posterior<T> => filterTogether(entry, model, few, restarts, { ranks: 1 });
    meter.probe(particles / ranks / tried - 1, () => during({ apart: true }, trial));
  }
  return filterTogether(entry, model, options, restarts, divided);
}

/** All of these side by side. */
function filterTogether<T>(
  entry: Entry,
  model: Model<T>,
  options: SMCOptions,
  restarts: boolean,
  divided: Divided,
): Posterior<T> {
  const { rejuvSteps, saveTraces } = options;
  if (rejuvSteps > 0 || saveTraces) return filterTogetherByFactors(entry, model, options, divided);
  for (let drawsElsewhere = false; ; drawsElsewhere = true) {
    try {
      return filterAtOnce(entry, model, options, drawsElsewhere, divided);
    } catch (thrown) {
      if (thrown instanceof DrawsElsewhere) continue;
      const parts = thrown instanceof Diverged || thrown instanceof OutOfStep;
      if (parts && restarts) return filterTogetherByFactors(entry, model, options, divided);
      throw thrown;
    }
  }
}

/** In one execution. */
function filterAtOnce<T>(
  entry: Entry,
  model: Model<T>,
  options: SMCOptions,
  drawsElsewhere: boolean,
  divided: Divided,
): Posterior<T> {
  const { particles: size, importance } = options;
  const team = ranksFor(size);
  const proposal = proposalOf(importance);
  const progress = progressOf(size);
  try {
    const all = team && filterIslands(entry, model, new Islands(team, size), proposal, progress, drawsElsewhere);
    if (all !== undefined) divided.ranks = team!.size;
    const { samples, filtered, isGuided } = all ?? filterAlone(entry, model, size, proposal, progress, drawsElsewhere);
    const kept = new KeptSamples<T>(options.callbacks, options.onlyMAP);
    kept.addAll(samples.values, samples.scores);
    kept.finish();
    return posterior(kept, filtered, isGuided);
  } finally {
    progress.finish();
  }
}

/** All particles on this rank. */
function filterAlone<T>(
  entry: Entry,
  model: Model<T>,
  size: number,
  proposal: Proposal | null,
  progress: IterationCount,
  drawsElsewhere: boolean,
): Archipelago<T> {
  const filtering = new Filtering(size, entry.streamOf(0));
  const particles = new ColumnParticles(size, new OnePopulation(filtering), proposal, progress, drawsElsewhere);
  const samples = inKernelMemory(() => particles.run(entry, model));
  return { samples, filtered: filtering, isGuided: particles.guidance.isUsed(0) };
}

/** In an execution for each factor. */
function filterTogetherByFactors<T>(
  entry: Entry,
  model: Model<T>,
  options: SMCOptions,
  divided: Divided,
): Posterior<T> {
  const { particles: size, rejuvSteps, rejuvKernel, importance } = options;
  const [proposal, kernel] = [proposalOf(importance), mhOptionsOf(rejuvKernel)];
  const run = (engine: Engine<T>): Posterior<T> => filterByFactors(entry, model, options, engine, () => false)!;
  const team = ranksFor(size);
  if (team === undefined) return run(new ColumnFilter(entry, model, size, proposal, rejuvSteps, kernel));
  divided.ranks = team.size;
  const islands = new Islands(team, size);
  return agreeing(islands, () => run(new IslandFilter(islands, entry, model, proposal, rejuvSteps, kernel)));
}

function proposalOf(importance: SMCOptions['importance']): Proposal | null {
  if (importance === 'ignoreGuide') return null;
  return importance === 'autoGuide' ? fromAnyGuide() : fromGuide;
}
