import type { Algorithm } from '../algorithm.ts';
import type { Callbacks } from '../callbacks.ts';
import type { ChainResult } from '../method-types.ts';
import { count, flag, number, withDefault } from '../options.ts';
import { standardKernel } from './kernel.ts';
import { type ChainOptions, chainOptions, runChains } from './mcmc.ts';

/**
 * Options under which WebPPL tuned the cache of its incremental re-execution. Executing the whole program again is
 * quicker here than keeping such a cache, so they are checked and have no effect.
 */
export interface IncrementalMHOptions extends ChainOptions {
  /** Without effect. */
  verboseLag: number;
  /** Without effect. */
  dontAdapt: boolean;
  /** Without effect. */
  doFullRerun: boolean;
  /** Without effect. */
  cacheMinHitRate: number;
  /** Without effect. */
  cacheFuseLength: number;
  /** Without effect. */
  cacheIterFuseLength: number;
  /** Without effect. */
  debuglevel: number;
}

/** Metropolis–Hastings, recorded from its first execution on. */
export const incrementalMH: Algorithm<IncrementalMHOptions, ChainResult> = {
  name: 'incrementalMH',
  options: {
    ...chainOptions,
    verboseLag: withDefault(count(1), 1),
    dontAdapt: withDefault(flag, false),
    doFullRerun: withDefault(flag, false),
    cacheMinHitRate: withDefault(number, 1e-8),
    cacheFuseLength: withDefault(count(0), 50),
    cacheIterFuseLength: withDefault(count(0), 10),
    debuglevel: withDefault(count(0), 0),
  },
  run: (model, options) =>
    runChains(
      'incrementalMH',
      model,
      { ...options, callbacks: options.callbacks.map(samplesOnly) },
      standardKernel,
      true,
    ),
};

/** As in WebPPL, what watches this chain hears of samples and of the end. */
const samplesOnly = (watcher: Callbacks): Callbacks => ({
  sample: (sample) => watcher.sample?.(sample),
  finish: (trace) => watcher.finish?.(trace),
});
