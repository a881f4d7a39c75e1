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
    for (const watcher of this.callbacks) watcher.sample?.(sample);
  }

  /** Tells those who watch that there will be no more. */
  finish(): void {
    for (const watcher of this.callbacks) watcher.finish?.();
  }
}
