import { SampleBasedMarginal } from '../../distributions/marginal.ts';
import { numbersOf } from '../../distributions/sample-columns.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { abandoned, Entry } from '../../runtime/execution.ts';
import type { Distribution, Handler } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { givenUp } from '../../runtime/signals.ts';
import type { Share } from '../../runtime/team.ts';
import { logSumExp } from '../../tensor/special/exponentials.ts';
import type { Algorithm, Model, Posterior } from '../algorithm.ts';
import { type Callbacks, callbacks } from '../callbacks.ts';
import { infiniteFactor } from '../chains/reexecution.ts';
import { type ImportanceDiagnostics, importanceDiagnostics } from '../diagnostics/pareto.ts';
import { guideOption, type InferringGuide, infersItself } from '../inferring-guide.ts';
import { KeptSamples } from '../kept-samples.ts';
import type { WeightedResult } from '../method-types.ts';
import { count, withDefault } from '../options.ts';
import { IterationCount } from '../progress.ts';
import { ColumnGuided, ColumnImportance } from './column-forward.ts';
import { type Sampled, sampleTogether } from './column-sampling.ts';
import { type Single, sampleByRanks } from './divided-sampling.ts';
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
    const entry = new Entry();
    const kept = new KeptSamples<T>(options.callbacks);
    const weights: number[] = [];
    const inColumns = (share: Share): Sampled<T> | null =>
      sampleTogether(entry, 'importance', model, share, (size) =>
        options.guide ? new ColumnGuided(size, 'importance', true) : new ColumnImportance(size),
      );
    const alone = (i: number): Single<T> => {
      const value = entry.execute(handler.begin(), model, entry.streamOf(i));
      const ended = value !== abandoned;
      return { value: ended ? value : undefined, ended, choiceScore: 0, factorScore: handler.logWeight };
    };
    const byRanks = options.callbacks.length > 0 ? null : sampleByRanks(options.samples, inColumns, alone);
    const together = byRanks ?? inColumns({ first: 0, count: options.samples });
    if (together !== null) return weighedSamples(together, options);
    const progress = new IterationCount('importance', options.samples);
    try {
      for (let i = 0; i < options.samples; i++) {
        const value = entry.execute(handler.begin(), model, entry.streamOf(i));
        progress.step();
        if (value === abandoned) continue;
        weights.push(handler.logWeight);
        kept.add({ value, score: handler.logWeight });
      }
    } finally {
      progress.finish();
    }
    return weighted(kept, weights, options);
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

class Weighing implements Handler {
  readonly name = 'importance';
  logWeight = 0;

  begin(): this {
    this.logWeight = 0;
    return this;
  }

  sample<V>(distribution: Distribution<V>): V {
    return distribution.draw(machine.stream.begin());
  }

  factor(score: number): void {
    if (score === -Infinity) throw givenUp();
    if (score === Infinity) throw infiniteFactor();
    this.logWeight += score;
  }
}
