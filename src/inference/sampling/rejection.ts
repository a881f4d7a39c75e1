import { SampleBasedMarginal } from '../../distributions/marginal.ts';
import { obstacle } from '../../lanes/columns/run.ts';
import { explain, failureOf } from '../../lanes/obstacles.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { abandoned, Entry } from '../../runtime/execution.ts';
import type { Distribution, Handler } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { Reason } from '../../runtime/reasons.ts';
import { giveUp } from '../../runtime/returning.ts';
import { currentTeam, type Share } from '../../runtime/team.ts';
import type { Algorithm, Model, Posterior } from '../algorithm.ts';
import { type Callbacks, callbacks } from '../callbacks.ts';
import { KeptSamples } from '../kept-samples.ts';
import type { SampledResult } from '../method-types.ts';
import { count, flag, limit, number, withDefault } from '../options.ts';
import { IterationCount } from '../progress.ts';
import { throwOrReturn } from '../throw-on-error.ts';
import { type Accepted, acceptTogether, type Stretch, stretchTogether } from './column-rejection.ts';
import { acceptedByRanks } from './divided-rejection.ts';

export interface RejectionOptions {
  /** How many executions to accept. */
  samples: number;
  /** Upper bound of an execution's factors together. */
  maxScore: number;
  /** Whether an execution is rejected at the factor that decides its fate; every factor must then be ≤ 0. */
  incremental: boolean;
  /** Gives up if, after two seconds, fewer samples per second than this have been accepted. */
  minSampleRate: number;
  /** Executions that may be rejected one after the other before rejection gives up. */
  maxRejections: number;
  /** False: an error is returned as the result instead of being thrown. */
  throwOnError: boolean;
  callbacks: readonly Callbacks[];
}

/** How long to wait before the rate of samples is judged. */
const TRIAL_PERIOD_IN_MS = 2000;

/** Exact and independent samples: draws executions and keeps each with a probability in proportion to its weight. */
export const rejection: Algorithm<RejectionOptions, SampledResult> = {
  name: 'rejection',
  texts: ['columns'],

  options: {
    samples: withDefault(count(1), 100),
    maxScore: withDefault(number, 0),
    incremental: withDefault(flag, false),
    minSampleRate: withDefault(number, 0),
    maxRejections: withDefault(limit(1), 1_000_000),
    throwOnError: withDefault(flag, true),
    callbacks,
  },

  run<T>(model: Model<T>, options: RejectionOptions): Posterior<T> {
    return throwOrReturn(options.throwOnError, () => drawSamples(model, options));
  },
};

function drawSamples<T>(model: Model<T>, options: RejectionOptions): Posterior<T> {
  if (options.incremental && options.maxScore > 0) {
    machine.run.warn('rejection: with incremental, every factor is at most 0, so a maxScore above 0 only wastes work.');
  }
  const executions = new RejectionSampler(model, new Rejecting(options.maxScore, options.incremental));
  const kept = new KeptSamples<T>(options.callbacks);
  const many: Accepted<T> = options.minSampleRate > 0 ? NOTHING : acceptMany(executions, model, options);
  if (many.values.length === options.samples) {
    kept.addAll(many.values, null);
    return posterior(kept, many.attempts, options.maxScore);
  }
  drawOthers(executions, kept, options, many);
  return posterior(kept, executions.attempts, options.maxScore);
}

/** Of no executions. */
const NOTHING: Accepted<never> = { values: [], attempts: 0, rejections: 0 };

/** Draws one by one what is missing. */
function drawOthers<T>(
  executions: RejectionSampler<T>,
  kept: KeptSamples<T>,
  options: RejectionOptions,
  before: Accepted<T>,
): void {
  const progress = new IterationCount('rejection');
  const { samples } = kept;
  const start = options.minSampleRate > 0 ? Date.now() : 0;
  const note = (): string => `${samples.length} of ${options.samples} samples`;
  let { rejections } = before;
  const next = (): T => {
    for (; rejections < options.maxRejections; rejections++) {
      progress.step(note);
      if (options.minSampleRate > 0) checkRate(samples.length, Date.now() - start, options.minSampleRate);
      const value = executions.next();
      if (value === abandoned) continue;
      rejections = 0;
      return value;
    }
    throw tooManyRejections(options.maxRejections);
  };
  executions.attempts = before.attempts;
  for (let i = 0; i < before.values.length; i++) samples.push({ value: before.values[i] });
  try {
    if (options.callbacks.length === 0) {
      executions.many(() => {
        while (samples.length < options.samples) samples.push({ value: next() });
      });
    } else {
      while (samples.length < options.samples) kept.add({ value: executions.many(next) });
    }
  } finally {
    progress.finish();
  }
}

const INCREMENTAL = new Reason('method', 'each is rejected as soon as its fate is decided');

/** By all ranks, or side by side, as far as that can be done. */
function acceptMany<T>(executions: RejectionSampler<T>, model: Model<T>, options: RejectionOptions): Accepted<T> {
  const { entry } = executions;
  const { incremental, samples, callbacks } = options;
  const team = currentTeam();
  if (team === undefined) {
    if (incremental) return NOTHING;
    // Callbacks are told of each as soon as it is made, if it is made alone.
    const isWatched = callbacks.length > 0;
    const accepted = acceptTogether(isWatched ? null : executions, entry, model, options);
    return isWatched && accepted.values.length < samples ? NOTHING : accepted;
  }
  const together = (share: Share): Stretch<T> | null => stretchTogether(entry, model, share, options);
  const reason = incremental ? INCREMENTAL : obstacle(entry, samples);
  if (reason !== null) explain(entry, 'rejection', reason, `one by one, because ${reason}`);
  const attempting = { alone: (number: number) => executions.at(number), together: reason === null ? together : null };
  const found = acceptedByRanks(team, attempting, options, tooManyRejections);
  if (reason !== null || failureOf(entry) !== undefined) return found;
  explain(entry, 'rejection', 'columns', `${found.attempts} executions side by side, divided among ${team.size} ranks`);
  return found;
}

function posterior<T>(kept: KeptSamples<T>, attempts: number, maxScore: number): Posterior<T> {
  kept.finish();
  const acceptance = kept.all.length / attempts;
  return new SampleBasedMarginal(kept.all, {
    logZ: maxScore + Math.log(acceptance),
    diagnostics: { attempts, acceptance },
  });
}

function checkRate(samples: number, milliseconds: number, minSampleRate: number): void {
  if (milliseconds < TRIAL_PERIOD_IN_MS || samples / (milliseconds / 1000) >= minSampleRate) return;
  throw new WaymarkError(
    `rejection accepted ${samples} executions in ${milliseconds} ms, fewer than minSampleRate (${minSampleRate} per second). ` +
      'Lower minSampleRate, or use MCMC or SMC.',
  );
}

function tooManyRejections(rejections: number): WaymarkError {
  return new WaymarkError(
    `rejection: ${rejections} executions in a row were rejected. The conditions hold too rarely, or maxScore is far ` +
      'above the scores that occur. Use MCMC or SMC, soften the conditions, or, if you can wait, raise maxRejections.',
  );
}

/** Executes a model again and again, each time with its own stream. */
export class RejectionSampler<T> {
  attempts = 0;
  readonly entry = new Entry();
  private readonly stream = this.entry.streamOf(0);

  constructor(
    private readonly model: Model<T>,
    private readonly handler: Rejecting,
  ) {}

  /** Runs `work`, which calls `next`. Nothing of the program must run in between. */
  many<R>(work: () => R): R {
    return this.entry.many(this.handler, work);
  }

  get choices(): number {
    return this.stream.position;
  }

  /** The value of the execution with this number, or `abandoned` if it is rejected. */
  at(number: number): T | typeof abandoned {
    this.attempts = number;
    return this.many(() => this.next());
  }

  /** The value of the next execution, or `abandoned` if it was rejected. Within `many`. */
  next(): T | typeof abandoned {
    const { handler } = this;
    const stream = this.stream.restart(this.attempts++);
    handler.start(stream);
    const value = this.entry.again(handler, this.model, stream);
    return value !== abandoned && handler.accepts() ? value : abandoned;
  }
}

/** Draws choices, and gives up an execution as soon as it is sure to be rejected. */
export class Rejecting implements Handler {
  readonly name = 'rejection';
  readonly returns = true;
  readonly onlyDraws: boolean = true;
  private score = 0;
  private stream: RandomStream | null = null;
  /** Executions that do not score more than this are rejected; NaN until it is asked for. */
  private limit = Number.NaN;

  constructor(
    protected readonly maxScore: number,
    private readonly incremental: boolean,
  ) {}

  start(stream: RandomStream): void {
    this.score = 0;
    this.limit = Number.NaN;
    // The first choice of the stream is whether to accept, whenever that is decided, so that the same executions are
    // accepted whether rejection is incremental or not.
    this.stream = stream.begin();
  }

  private get threshold(): number {
    if (Number.isNaN(this.limit)) this.limit = this.maxScore + Math.log(this.stream!.again().begin().uniform());
    return this.limit;
  }

  sample<V>(distribution: Distribution<V>): V {
    return distribution.draw(machine.stream.begin());
  }

  factor(score: number): void {
    this.score += score;
    if (!this.incremental) {
      if (score === -Infinity) giveUp();
      return;
    }
    if (score > 0) {
      throw new WaymarkError(
        `rejection with incremental needs every factor to be at most 0, got ${score}. Use it without incremental, and ` +
          'give an upper bound of all factors together as maxScore.',
      );
    }
    if (this.score <= this.threshold) giveUp();
  }

  /** Whether an execution that has run to its end is kept. */
  accepts(): boolean {
    if (this.score > this.maxScore) this.exceeded(this.score);
    // The threshold is always below.
    return this.score >= this.maxScore || this.score > this.threshold;
  }

  protected exceeded(score: number): void {
    throw new WaymarkError(
      `rejection: the factors of an execution add up to ${score}, more than maxScore (${this.maxScore}). ` +
        'Give an upper bound of all factors together as maxScore, or use MCMC or SMC.',
    );
  }
}
