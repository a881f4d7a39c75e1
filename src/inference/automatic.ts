/**
 * The method of `Infer` when none is given. It looks at what the program does and takes the first that suits:
 *
 * 1. enumerate, if all choices have finitely many values and the tree of executions is not too large;
 * 2. rejection, if the factors have a known bound and executions are accepted often enough;
 * 3. SMC, if the program makes choices between its factors;
 * 4. MCMC.
 *
 * All of this is decided by counting executions and never by the clock, as WebPPL does it, so that a seed gives the same
 * result on any machine. Inner inferences are not counted as long as a chain would make as many executions as enumeration
 * does, and so as many inner inferences. The result says what was chosen and why (`method`, `reason`).
 */
import { SampleBasedMarginal } from '../distributions/marginal.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { abandoned } from '../runtime/execution.ts';
import type { Distribution } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import type { RandomStream } from '../runtime/random.ts';
import type { Algorithm, Model, Posterior } from './algorithm.ts';
import { mcmc } from './chains/mcmc.ts';
import { depthFirst, visit } from './enumeration/enumerate.ts';
import { count, flag, readOptions, withDefault } from './options.ts';
import { smc } from './particles/smc.ts';
import { recalled } from './recall.ts';
import { Rejecting, RejectionSampler } from './sampling/rejection.ts';

export interface AutomaticOptions {
  /** Number of samples (or particles), if the method turns out to be one that draws samples. */
  samples: number;
  /** Whether to say which method was chosen, and why. */
  verbose: boolean;
}

/** What enumeration may take: partial executions as the first execution suggests, and choices in one execution. */
const TREE_SIZE = 200_000;
const DEPTH = 1000;
/**
 * Executions that enumeration really makes. Those of inner inferences count too, but only once it has made as many itself as
 * a chain would: a method that draws samples makes the inner inferences as often.
 */
const ENUMERATED = 1_000_000;

/** Rejection is given up if, after a trial (inner executions included), it takes more executions per sample than this. */
const TRIAL = 10_000;
const EXECUTIONS_PER_SAMPLE = 200;
/** Executions looked at before the factors are known to have no bound and the structure of the program is judged. */
const LOOKS = 10;

/** Steps of the chain per sample; fewer where executions make so many choices and factors that it would take long. */
const STEPS_PER_SAMPLE = 10;
const WORK = 5_000_000;

/**
 * Chooses a method by what the program does: enumeration if all executions can be visited, else rejection if its
 * conditions are met often enough, else SMC or MCMC. The result says which, and why (`method`, `reason`).
 */
export const automatic: Algorithm<AutomaticOptions> = {
  name: 'automatic',
  // It enumerates, rejects, or takes particles or a chain.
  texts: ['columns', 'recording'],

  options: { samples: withDefault(count(1), 1000), verbose: withDefault(flag, false) },

  run<T>(model: Model<T>, { samples, verbose }: AutomaticOptions): Posterior<T> {
    const enumerated = tryToEnumerate(model, samples * STEPS_PER_SAMPLE);
    if (typeof enumerated !== 'string')
      return chosen(enumerated, 'enumerate', 'all executions could be visited', verbose);
    const notEnumerated = `not enumerate, because ${enumerated}`;

    const survey = new Surveying();
    const rejected = tryToReject(model, survey, samples);
    if (typeof rejected !== 'string') return chosen(rejected, 'rejection', notEnumerated, verbose);
    const notExact = `${notEnumerated}; not rejection, because ${rejected}`;

    let notParticles = '';
    if (survey.choicesBetweenFactors) {
      try {
        const result = smc.run(model, readOptions('SMC', { particles: samples }, smc.options));
        return chosen(result, 'SMC', `${notExact}; there are choices between factors`, verbose, true);
      } catch (error) {
        if (!(error instanceof WaymarkError)) throw error;
        notParticles = `; not SMC: ${error.message.replace(/\.$/, '')}`;
      }
    }
    const result = mcmc.run(model, readOptions('MCMC', chainLength(samples, survey), mcmc.options));
    return chosen(result, 'MCMC', `${notExact}${notParticles}`, verbose, true);
  },
};

/** Notes what was chosen in the result. */
function chosen<T>(
  result: Posterior<T>,
  method: string,
  reason: string,
  verbose: boolean,
  approximate = false,
): Posterior<T> {
  // Rejection is as good as drawing from the posterior; that a chain or particles were used is said in a line.
  if (approximate || verbose) {
    machine.run.warn(`Infer chose method ${method} (${reason}). Give the option method to choose yourself.`);
  }
  return Object.assign(result, { method, reason });
}

/** The exact marginal, or why there is none. */
function tryToEnumerate<T>(model: Model<T>, affordable: number): Posterior<T> | string {
  const start = machine.executions;
  const isTooMuch = (own: number): boolean => own > affordable && machine.executions - start > ENUMERATED;
  return recalled(`automatic ${affordable}`, model, () =>
    visit(model, depthFirst({ depth: DEPTH, treeSize: TREE_SIZE, tentative: true }), Infinity, (own) =>
      isTooMuch(own) ? `there are more than ${ENUMERATED} executions` : undefined,
    ),
  );
}

/** Samples, or why there are none. */
function tryToReject<T>(model: Model<T>, survey: Surveying, size: number): Posterior<T> | string {
  const start = machine.executions;
  const sampler = new RejectionSampler(model, survey);
  const samples: { value: T }[] = [];
  const draw = (): string | undefined => {
    while (samples.length < size) {
      const value = sampler.next();
      if (survey.unbounded !== null) {
        if (survey.choicesBetweenFactors || sampler.attempts >= LOOKS) return survey.unbounded;
        continue;
      }
      if (value !== abandoned) samples.push({ value });
      const { attempts } = sampler;
      survey.inner = (machine.executions - start) / attempts;
      if (attempts < EXECUTIONS_PER_SAMPLE || attempts * survey.inner < TRIAL) continue;
      if (samples.length * EXECUTIONS_PER_SAMPLE < attempts) {
        return `only ${samples.length} of ${attempts} executions were accepted`;
      }
    }
    return undefined;
  };
  const reason = sampler.many(draw);
  if (reason !== undefined) return reason;
  const acceptance = samples.length / sampler.attempts;
  return new SampleBasedMarginal(samples, {
    logZ: Math.log(acceptance),
    diagnostics: { attempts: sampler.attempts, acceptance },
  });
}

function chainLength(samples: number, survey: Surveying): { samples: number; lag: number; burn: number } {
  const affordable = Math.floor(WORK / (samples * (survey.largest + survey.inner)));
  const steps = Math.max(1, Math.min(STEPS_PER_SAMPLE, affordable));
  return { samples, lag: steps - 1, burn: samples };
}

/** Rejection that takes notes for the methods tried after it, if it does not work out. */
class Surveying extends Rejecting {
  override readonly onlyDraws = false;
  /** Why there is no upper bound of the factors, once that is clear. */
  unbounded: string | null = null;
  /** Whether some choice was made after a factor and before another. */
  choicesBetweenFactors = false;
  /** Most choices and factors in one execution. */
  largest = 0;
  /** Executions per execution, those of inner inferences included, on average. */
  inner = 1;
  private effects = 0;
  private factors = 0;
  private choiceAfterFactor = false;

  constructor() {
    super(0, false);
  }

  override start(stream: RandomStream): void {
    this.effects = 0;
    this.factors = 0;
    this.choiceAfterFactor = false;
    super.start(stream);
  }

  override sample<V>(distribution: Distribution<V>): V {
    this.note();
    if (this.factors > 0) this.choiceAfterFactor = true;
    return super.sample(distribution);
  }

  override factor(score: number): void {
    this.note();
    this.factors++;
    if (this.choiceAfterFactor) this.choicesBetweenFactors = true;
    super.factor(score);
  }

  /** A density has no bound that holds for all executions, even if those seen so far keep below 1. */
  observe<V>(distribution: Distribution<V>, value: V): void {
    if (distribution.isContinuous) this.unbounded = `the density of a ${distribution.name} is observed`;
    this.factor(distribution.score(value));
  }

  protected override exceeded(score: number): void {
    this.unbounded = `the factors of an execution add up to ${score}, more than 0`;
  }

  private note(): void {
    if (++this.effects > this.largest) this.largest = this.effects;
  }
}
