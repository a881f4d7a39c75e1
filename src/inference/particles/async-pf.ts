import { SampleBasedMarginal } from '../../distributions/marginal.ts';
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { Entry } from '../../runtime/execution.ts';
import type { Algorithm, Model, Posterior, ResultType } from '../algorithm.ts';
import { type Callbacks, callbacks } from '../callbacks.ts';
import { count, type Option, withDefault } from '../options.ts';
import { Cascade } from './cascade.ts';

export interface AsyncPFOptions {
  /** Number of particles started. */
  particles: number;
  /** With this many branches waiting to be executed, no new particle is started; `particles` if left out. */
  bufferSize: number | undefined;
  callbacks: readonly Callbacks[];
}

/** A result that can be improved. */
export interface AnytimePosterior<T> extends Posterior<T> {
  /** The result with more particles. */
  continue(particles: number): AnytimePosterior<T>;
}

export interface AnytimeResult extends ResultType {
  readonly type: AnytimePosterior<this['value']>;
}

/** The asynchronous anytime particle filter. Its samples are weighted. */
export const asyncPF: Algorithm<AsyncPFOptions, AnytimeResult> = {
  name: 'asyncPF',

  options: {
    particles: withDefault(count(1), 100),
    bufferSize: withDefault(count(1) as Option<number | undefined>, undefined),
    callbacks,
  },

  run<T>(model: Model<T>, { particles, bufferSize, callbacks }: AsyncPFOptions): AnytimePosterior<T> {
    const entry = new Entry();
    const cascade = new Cascade(entry, model, bufferSize ?? particles, entry.streamOf(0));
    const proceed = (more: number): AnytimePosterior<T> => {
      cascade.launch(more, (sample) => {
        for (const watcher of callbacks) watcher.sample?.(sample);
      });
      for (const watcher of callbacks) watcher.finish?.();
      const details = { weights: cascade.weights.slice(), logZ: cascade.logZ };
      const result = new SampleBasedMarginal(cascade.samples.slice(), details);
      return Object.assign(result, { continue: (n: number) => proceed(checked(n)) });
    };
    return proceed(particles);
  },
};

function checked(particles: number): number {
  const { expected, read } = count(1);
  if (read(particles) !== undefined) return particles;
  throw new WaymarkError(`continue: the number of further particles must be ${expected}, got ${describe(particles)}.`);
}
