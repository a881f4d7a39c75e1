import type { Sample } from '../distributions/marginal.ts';
import type { Callbacks } from './callbacks.ts';

/** The samples an inference will return: all of them, or, with the option `onlyMAP`, the best so far. */
export class KeptSamples<T> {
  readonly samples: Sample<T>[] = [];

  constructor(
    private readonly callbacks: readonly Callbacks[],
    private readonly onlyBest = false,
  ) {}

  add(sample: Sample<T>): void {
    const { samples } = this;
    if (!this.onlyBest || samples.length === 0) samples.push(sample);
    else if (sample.score! > samples[0].score!) samples[0] = sample;
    if (this.callbacks.length > 0) for (const watcher of this.callbacks) watcher.sample?.(sample);
  }

  /** Adds one after the other; scores in the same order. */
  addAll(values: ArrayLike<T>, scores: ArrayLike<number>): void {
    const { samples } = this;
    if (this.callbacks.length > 0 || this.onlyBest) {
      for (let i = 0; i < values.length; i++) this.add({ value: values[i], score: scores[i] });
    } else if (values instanceof Float64Array) addNumbers(values, scores, samples as Sample<unknown>[]);
    else for (let i = 0; i < values.length; i++) samples.push({ value: values[i], score: scores[i] });
  }

  /** Tells those who watch that there will be no more. */
  finish(): void {
    for (const watcher of this.callbacks) watcher.finish?.();
  }
}

/** Apart, because V8 makes better code for what it only ever sees with numbers. */
function addNumbers(values: Float64Array, scores: ArrayLike<number>, samples: Sample<unknown>[]): void {
  for (let i = 0; i < values.length; i++) samples.push({ value: values[i], score: scores[i] });
}
