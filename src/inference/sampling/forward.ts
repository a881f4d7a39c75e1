import { type Sample, SampleBasedMarginal } from '../../distributions/marginal.ts';
import { Entry } from '../../runtime/execution.ts';
import type { Distribution, Handler } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import type { Share } from '../../runtime/team.ts';
import { logSumExp } from '../../tensor/special/exponentials.ts';
import type { Algorithm, Model, Posterior } from '../algorithm.ts';
import { type Callbacks, callbacks } from '../callbacks.ts';
import { importanceDiagnostics } from '../diagnostics/pareto.ts';
import { KeptSamples } from '../kept-samples.ts';
import type { SampledResult } from '../method-types.ts';
import { count, flag, withDefault } from '../options.ts';
import { IterationCount } from '../progress.ts';
import { ColumnDrawing, ColumnGuided, warnOfFactor } from './column-forward.ts';
import { type Sampled, sampleTogether } from './column-sampling.ts';
import { type Single, sampleByRanks } from './divided-sampling.ts';
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
  const handler = new Drawing();
  const weights: number[] = [];
  const entry = new Entry();
  const inColumns = (share: Share): Sampled<T> | null =>
    sampleTogether(entry, 'forward', model, share, (size) => new ColumnDrawing(size));
  const alone = (i: number): Single<T> => {
    const value = entry.execute(handler, model, entry.streamOf(i)) as T;
    return { value, ended: true, ...handler.scores() };
  };
  const together = sampled(options, inColumns, alone);
  if (together !== null) {
    // Without factors, the weights are all one.
    const { factorScores } = together;
    const logZ = factorScores === null ? 0 : logSumExp(factorScores) - Math.log(options.samples);
    return new SampleBasedMarginal(keptOf(together, options), { logZ });
  }
  const samples = drawSamples(entry, handler, model, options, () => {
    const { choiceScore, factorScore } = handler.scores();
    weights.push(factorScore);
    return choiceScore;
  });
  return new SampleBasedMarginal(samples, { logZ: logSumExp(weights) - Math.log(options.samples) });
}

/** Diagnostics tell how well importance sampling would do with what was drawn. */
function drawGuides<T>(model: Model<T>, options: ForwardOptions): Posterior<T> {
  const handler = new GuidedDraw('forward');
  const weights: number[] = [];
  const entry = new Entry();
  const inColumns = (share: Share): Sampled<T> | null =>
    sampleTogether(entry, 'forward', model, share, (size) => new ColumnGuided(size, 'forward', false));
  const alone = (i: number): Single<T> => {
    const value = entry.execute(handler.begin(), model, entry.streamOf(i)) as T;
    return { value, ended: true, choiceScore: handler.drawScore, factorScore: handler.logWeight };
  };
  const together = sampled(options, inColumns, alone);
  if (together !== null) return drawnFromGuides(together, options);
  const samples = drawSamples(entry, handler, model, options, () => {
    weights.push(handler.logWeight);
    const score = handler.drawScore;
    handler.begin();
    return score;
  });
  return guidedSamples(samples, weights);
}

/** The result of executions that have been made. */
export function drawnFromGuides<T>(sampled: Sampled<T>, options: ForwardOptions): Posterior<T> {
  return guidedSamples(keptOf(sampled, options), sampled.factorScores ?? new Float64Array(options.samples));
}

/** All samples at once, by ranks or side by side; null if it has to be one after the other. */
function sampled<T>(
  { samples, callbacks }: ForwardOptions,
  inColumns: (share: Share) => Sampled<T> | null,
  alone: (i: number) => Single<T>,
): Sampled<T> | null {
  const byRanks = callbacks.length > 0 ? null : sampleByRanks(samples, inColumns, alone);
  return byRanks ?? inColumns({ first: 0, count: samples });
}

type Samples<T> = KeptSamples<T>['all'];

function guidedSamples<T>(samples: Samples<T>, weights: ArrayLike<number>): Posterior<T> {
  const usable = Array.prototype.every.call(weights, (weight: number) => weight < Infinity);
  return new SampleBasedMarginal(samples, usable ? { diagnostics: { ...importanceDiagnostics(weights) } } : {});
}

function keptOf<T>({ values, choiceScores }: Sampled<T>, { callbacks, onlyMAP }: ForwardOptions): Samples<T> {
  const kept = new KeptSamples<T>(callbacks, onlyMAP);
  kept.addAll(values, choiceScores);
  kept.finish();
  return kept.all;
}

/** `scoreOf` gives the score of the execution just made, and gets the handler ready for the next. */
function drawSamples<T>(
  entry: Entry,
  handler: Handler,
  model: Model<T>,
  { samples, callbacks, onlyMAP }: ForwardOptions,
  scoreOf: () => number,
): readonly Sample<T>[] {
  const progress = new IterationCount('forward', samples);
  const kept = new KeptSamples<T>(callbacks, onlyMAP);
  const stream = entry.streamOf(0);
  const next = (): T => entry.again(handler, model, stream) as T;
  try {
    if (callbacks.length === 0) {
      entry.many(handler, () => {
        for (let i = 0; i < samples; i++) {
          stream.restart(i);
          kept.add({ value: next(), score: scoreOf() });
          progress.step();
        }
      });
    } else {
      for (let i = 0; i < samples; i++) {
        stream.restart(i);
        kept.add({ value: entry.many(handler, next), score: scoreOf() });
        progress.step();
      }
    }
  } finally {
    progress.finish();
  }
  kept.finish();
  return kept.samples;
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

class Drawing implements Handler {
  readonly synthesises = true;
  readonly name = 'forward';
  private choiceScore = 0;
  private factorScore = 0;

  /** The scores of the execution just made; those of the next one start at 0. */
  scores(): { choiceScore: number; factorScore: number } {
    const { choiceScore, factorScore } = this;
    this.choiceScore = 0;
    this.factorScore = 0;
    return { choiceScore, factorScore };
  }

  sample<V>(distribution: Distribution<V>): V {
    const value = distribution.draw(machine.stream.begin());
    this.choiceScore += distribution.score(value);
    return value;
  }

  factor(score: number): void {
    this.factorScore += score;
    warnOfFactor();
  }
}
