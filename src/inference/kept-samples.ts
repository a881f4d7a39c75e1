import type { Sample } from '../distributions/marginal.ts';
import { SampleColumns } from '../distributions/sample-columns.ts';
import type { Callbacks } from './callbacks.ts';

/** The samples an inference will return: all of them, or, with the option `onlyMAP`, the best so far. */
export class KeptSamples<T> {
  readonly samples: Sample<T>[] = [];
  private columns: SampleColumns<T> | null = null;

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

  /** Adds one after the other; scores, if they are known, in the same order. */
  addAll(values: ArrayLike<T>, scores: ArrayLike<number> | null): void {
    if (this.callbacks.length === 0 && !this.onlyBest && this.samples.length === 0) {
      this.columns = new SampleColumns(values, scores);
      return;
    }
    for (let i = 0; i < values.length; i++) {
      this.add(scores === null ? { value: values[i] } : { value: values[i], score: scores[i] });
    }
  }

  /** Whatever was added, as a distribution takes it. */
  get all(): readonly Sample<T>[] | SampleColumns<T> {
    return this.columns ?? this.samples;
  }

  /** Tells callbacks that there will be no more samples. */
  finish(): void {
    for (const watcher of this.callbacks) watcher.finish?.();
  }
}
