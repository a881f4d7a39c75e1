import { SampleBasedMarginal } from '../../distributions/marginal.ts';
import { Entry } from '../../runtime/execution.ts';
import type { Distribution, Handler } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { logSumExp } from '../../tensor/special/exponentials.ts';
import type { Algorithm, Model, Posterior } from '../algorithm.ts';
import { type Callbacks, callbacks } from '../callbacks.ts';
import { importanceDiagnostics } from '../diagnostics/pareto.ts';
import { KeptSamples } from '../kept-samples.ts';
import type { SampledResult } from '../method-types.ts';
import { count, flag, withDefault } from '../options.ts';
import { Alone, type SingleHandler, sampleAll } from './all-samples.ts';
import { ColumnDrawing, ColumnGuided, warnOfFactor } from './column-forward.ts';
import type { ColumnWeighing, Sampled } from './column-sampling.ts';
import { sampleByRanks } from './divided-sampling.ts';
import { GuidedDraw } from './guided-draw.ts';

export interface ForwardOptions {
  /** How many values to draw. */
  samples: number;
  /** Whether choices are drawn from their guides. */
  guide: boolean;
  /** Keeps the sample of the highest score only. */
  onlyMAP: boolean;
  /** Kept for programs that give it; there is nothing to tell. */
  verbose: boolean;
  callbacks: readonly Callbacks[];
}

/** Draws from the program as it stands, or from its guides, whatever its factors say. */
export const forward: Algorithm<ForwardOptions, SampledResult> = {
  name: 'forward',
  texts: ['columns'],

  options: {
    samples: withDefault(count(1), 100),
    guide: withDefault(flag, false),
    onlyMAP: withDefault(flag, false),
    verbose: withDefault(flag, false),
    callbacks,
  },

  run<T>(model: Model<T>, options: ForwardOptions): Posterior<T> {
    return options.guide ? drawGuides(model, options) : drawProgram(model, options);
  },
};

function drawProgram<T>(model: Model<T>, options: ForwardOptions): Posterior<T> {
  const [kept, { factorScores }] = drawn(model, options, new Drawing(), (size) => new ColumnDrawing(size));
  // Without factors, the weights are all one.
  const logZ = factorScores === null ? 0 : logSumExp(factorScores) - Math.log(options.samples);
  return new SampleBasedMarginal(kept, { logZ });
}

function drawGuides<T>(model: Model<T>, options: ForwardOptions): Posterior<T> {
  const columns = (size: number): ColumnWeighing => new ColumnGuided(size, 'forward', false);
  const [kept, { factorScores }] = drawn(model, options, new GuidedDraw('forward'), columns);
  return guidedSamples(kept, factorScores, options);
}

/** The samples of all executions, and what they gave. */
function drawn<T>(
  model: Model<T>,
  options: ForwardOptions,
  handler: SingleHandler,
  columns: (size: number) => ColumnWeighing,
): [Samples<T>, Sampled<T>] {
  const kept = new KeptSamples<T>(options.callbacks, options.onlyMAP);
  const isWatched = options.callbacks.length > 0;
  const told = (value: T, score: number): void => kept.add({ value, score });
  const alone = new Alone(new Entry(), handler, model, isWatched ? told : null);
  const sampled = sampleByRanks(options.samples, isWatched, (share) => sampleAll('forward', alone, share, columns));
  if (!isWatched) kept.addAll(sampled.values, sampled.choiceScores);
  kept.finish();
  return [kept.all, sampled];
}

/** The result of executions that have been made. */
export function drawnFromGuides<T>(sampled: Sampled<T>, options: ForwardOptions): Posterior<T> {
  const kept = new KeptSamples<T>(options.callbacks, options.onlyMAP);
  kept.addAll(sampled.values, sampled.choiceScores);
  kept.finish();
  return guidedSamples(kept.all, sampled.factorScores, options);
}

type Samples<T> = KeptSamples<T>['all'];

/** Diagnostics tell how well importance sampling would do with what was drawn. */
function guidedSamples<T>(samples: Samples<T>, factors: Float64Array | null, options: ForwardOptions): Posterior<T> {
  const weights = factors ?? new Float64Array(options.samples);
  const usable = weights.every((weight) => weight < Infinity);
  return new SampleBasedMarginal(samples, usable ? { diagnostics: { ...importanceDiagnostics(weights) } } : {});
}

/** No execution is given up here, since factors are only counted. */
function drawOnce<T>(handler: Handler, model: Model<T>): T {
  const entry = new Entry();
  return entry.execute(handler, model, entry.streamOf(0)) as T;
}

/** Runs the model once, with choices drawn from the program as it stands; factors have no effect. */
export function drawForward<T>(model: Model<T>): T {
  return drawOnce(new Drawing(), model);
}

/** Runs the model once, with choices drawn from their guides; factors have no effect. */
export function drawGuide<T>(model: Model<T>): T {
  return drawOnce(new GuidedDraw('forwardGuide'), model);
}

class Drawing implements SingleHandler {
  readonly synthesises = true;
  readonly name = 'forward';
  readonly onlyDraws = true;
  choiceScore = 0;
  factorScore = 0;

  begin(): void {
    this.choiceScore = 0;
    this.factorScore = 0;
  }

  sample<V>(distribution: Distribution<V>): V {
    const value = distribution.draw(machine.stream.begin());
    this.drew(distribution.score(value));
    return value;
  }

  drew(score: number): void {
    this.choiceScore += score;
  }

  factor(score: number): void {
    this.factorScore += score;
    warnOfFactor();
  }
}
