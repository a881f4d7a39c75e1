import { SampleBasedMarginal } from '../../distributions/marginal.ts';
import { numbersOf } from '../../distributions/sample-columns.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { Entry } from '../../runtime/execution.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { givenUp } from '../../runtime/signals.ts';
import { logSumExp } from '../../tensor/special/exponentials.ts';
import type { Algorithm, Model, Posterior } from '../algorithm.ts';
import { type Callbacks, callbacks } from '../callbacks.ts';
import { infiniteFactor } from '../chains/reexecution.ts';
import { type ImportanceDiagnostics, importanceDiagnostics } from '../diagnostics/pareto.ts';
import { guideOption, type InferringGuide, infersItself } from '../inferring-guide.ts';
import { KeptSamples } from '../kept-samples.ts';
import type { WeightedResult } from '../method-types.ts';
import { count, withDefault } from '../options.ts';
import { Alone, type SingleHandler, sampleAll } from './all-samples.ts';
import { ColumnGuided, ColumnImportance } from './column-forward.ts';
import type { ColumnWeighing, Sampled } from './column-sampling.ts';
import { sampleByRanks } from './divided-sampling.ts';
import { GuidedWeighing } from './guided-draw.ts';

export interface ImportanceOptions {
  /** Executions; those that turn out impossible are among them, but not among the samples of the result. */
  samples: number;
  /** Whether choices are drawn from their guides, which the weights then take into account; or a network that proposes for all. */
  guide: boolean | InferringGuide;
  callbacks: readonly Callbacks[];
}

/**
 * Importance sampling. Draws executions from the program, each weighted by its factors (likelihood weighting); or from
 * its guides, which is a test of them too.
 */
export const importance: Algorithm<ImportanceOptions, WeightedResult> = {
  name: 'importance',
  texts: ['columns'],

  options: { samples: withDefault(count(1), 100), guide: withDefault(guideOption, false), callbacks },

  run<T>(model: Model<T>, options: ImportanceOptions): Posterior<T> {
    if (typeof options.guide === 'object') return options.guide[infersItself]('importance', model, options);
    const handler = options.guide ? new GuidedWeighing('importance') : new Weighing();
    const columns = (size: number): ColumnWeighing =>
      options.guide ? new ColumnGuided(size, 'importance', true) : new ColumnImportance(size);
    const kept = new KeptSamples<T>(options.callbacks);
    const isWatched = options.callbacks.length > 0;
    const told = (value: T, _: number, score: number): void => kept.add({ value, score });
    const alone = new Alone(new Entry(), handler, model, isWatched ? told : null);
    const all = sampleByRanks(options.samples, isWatched, (share) => sampleAll('importance', alone, share, columns));
    const { values, scores } = possible(all);
    if (!isWatched) kept.addAll(values, scores);
    return weighted(kept, scores, options);
  },
};

/** The result of executions that have been made. */
export function weighedSamples<T>(sampled: Sampled<T>, options: ImportanceOptions): Posterior<T> {
  const { values, scores } = possible(sampled);
  const kept = new KeptSamples<T>(options.callbacks);
  kept.addAll(values, scores);
  return weighted(kept, scores, options);
}

/** Values and scores of the executions that came to their end. */
function possible<T>({ values, ended, factorScores }: Sampled<T>): { values: ArrayLike<T>; scores: number[] } {
  const scores = factorScores === null ? new Array<number>(values.length).fill(0) : numbersOf(factorScores);
  if (!ended.includes(0)) return { values, scores };
  const isThere = (_: unknown, i: number): boolean => ended[i] === 1;
  return { values: Array.from(values).filter(isThere), scores: scores.filter(isThere) };
}

function weighted<T>(kept: KeptSamples<T>, weights: readonly number[], options: ImportanceOptions): Posterior<T> {
  if (weights.length === 0) throw nothingPossible(options.samples);
  kept.finish();
  const total = logSumExp(weights);
  return new SampleBasedMarginal(kept.all, {
    weights,
    logZ: total - Math.log(options.samples),
    diagnostics: {
      effectiveSampleSize: Math.exp(2 * total - logSumExp(weights.map((weight) => 2 * weight))),
      ...(options.guide ? guideDiagnostics(weights, options.samples) : {}),
    },
  });
}

/** Executions that turned out impossible have weight zero. */
function guideDiagnostics(weights: readonly number[], executions: number): ImportanceDiagnostics {
  const impossible = new Array<number>(executions - weights.length).fill(-Infinity);
  return importanceDiagnostics([...weights, ...impossible]);
}

function nothingPossible(executions: number): WaymarkError {
  return new WaymarkError(
    `importance: none of ${executions} executions is possible (factors of −Infinity, conditions that do not hold). ` +
      'Raise samples, soften the conditions, or use MCMC or SMC.',
  );
}

class Weighing implements SingleHandler {
  readonly name = 'importance';
  readonly onlyDraws = true;
  readonly choiceScore = 0;
  factorScore = 0;

  begin(): void {
    this.factorScore = 0;
  }

  sample<V>(distribution: Distribution<V>): V {
    return distribution.draw(machine.stream.begin());
  }

  factor(score: number): void {
    if (score === -Infinity) throw givenUp();
    if (score === Infinity) throw infiniteFactor();
    this.factorScore += score;
  }
}
