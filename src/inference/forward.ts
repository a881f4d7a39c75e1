import { SampleBasedMarginal } from '../distributions/marginal.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { type abandoned, Entry } from '../runtime/execution.ts';
import type { Distribution, Handler } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { logSumExp } from '../tensor/special/exponentials.ts';
import type { Algorithm, Model, Posterior } from './algorithm.ts';
import { type Callbacks, callbacks } from './callbacks.ts';
import { KeptSamples } from './kept-samples.ts';
import { count, flag, withDefault } from './options.ts';
import { IterationCount } from './progress.ts';

export interface ForwardOptions {
  samples: number;
  /** Whether choices are drawn from their guides. */
  guide: boolean;
  /** Keeps the sample of the highest score only. */
  onlyMAP: boolean;
  /** Kept for programs that give it; there is nothing to tell. */
  verbose: boolean;
  callbacks: readonly Callbacks[];
}

/** Draws from the program as it stands, whatever its factors say. */
export const forward: Algorithm<ForwardOptions> = {
  name: 'forward',

  options: {
    samples: withDefault(count(1), 100),
    guide: withDefault(flag, false),
    onlyMAP: withDefault(flag, false),
    verbose: withDefault(flag, false),
    callbacks,
  },

  run<T>(model: Model<T>, options: ForwardOptions): Posterior<T> {
    if (options.guide) throw new WaymarkError('forward with guide: true is not available in this build.');
    const handler = new Drawing();
    const entry = new Entry();
    const progress = new IterationCount('forward', options.samples);
    const kept = new KeptSamples<T>(options.callbacks, options.onlyMAP);
    const weights: number[] = [];
    try {
      for (let i = 0; i < options.samples; i++) {
        const value = handler.draw(entry, model, i);
        kept.add({ value, score: handler.choiceScore });
        weights.push(handler.factorScore);
        progress.step();
      }
    } finally {
      progress.finish();
    }
    kept.finish();
    return new SampleBasedMarginal(kept.samples, { logZ: logSumExp(weights) - Math.log(options.samples) });
  },
};

/** Runs the model once, with choices drawn from the program as it stands; factors have no effect. */
export function drawForward<T>(model: Model<T>): T {
  return new Drawing().draw(new Entry(), model, 0);
}

class Drawing implements Handler {
  readonly name = 'forward';
  choiceScore = 0;
  factorScore = 0;

  draw<T>(entry: Entry, model: Model<T>, i: number): T {
    this.choiceScore = 0;
    this.factorScore = 0;
    // No execution is given up here, since factors are only counted.
    return entry.execute(this, model, entry.streamOf(i)) as Exclude<T, typeof abandoned>;
  }

  sample<V>(distribution: Distribution<V>): V {
    const value = distribution.draw(machine.stream.begin());
    this.choiceScore += distribution.score(value);
    return value;
  }

  factor(score: number): void {
    this.factorScore += score;
    machine.run.warn(
      'Forward sampling has met a factor (or condition, or observe) and goes on as if it were not there. ' +
        'Choose another method to take it into account.',
    );
  }
}
