import { SampleBasedMarginal } from '../distributions/marginal.ts';
import { Entry } from '../runtime/execution.ts';
import { machine } from '../runtime/machine.ts';
import type { Algorithm, Model } from './algorithm.ts';
import { type Callbacks, callbacks } from './callbacks.ts';
import { Chain } from './chain.ts';
import { KeptSamples } from './kept-samples.ts';
import { type KernelChoice, kernelOption, standardKernel, startKernel } from './kernel.ts';
import { count, flag, type OptionTable, withDefault } from './options.ts';
import { IterationCount } from './progress.ts';
import type { Trace } from './trace.ts';

/** What all methods that run a Markov chain can be told. */
export interface ChainOptions {
  /** Number of samples to keep. */
  samples: number;
  /** Extra steps between samples. */
  lag: number;
  /** Extra steps before the first sample. */
  burn: number;
  /** Whether progress is reported step by step, not only by long runs. */
  verbose: boolean;
  /** Whether only the most probable execution met is kept. */
  onlyMAP: boolean;
  callbacks: readonly Callbacks[];
  /** Forward executions tried to find one that is possible. */
  maxInitAttempts: number;
}

export const chainOptions: OptionTable<ChainOptions> = {
  samples: withDefault(count(1), 100),
  lag: withDefault(count(0), 0),
  burn: withDefault(count(0), 0),
  verbose: withDefault(flag, false),
  onlyMAP: withDefault(flag, false),
  callbacks,
  maxInitAttempts: withDefault(count(1), 100_000),
};

/** Reports of a verbose run. */
const REPORTS = 200;

/**
 * Runs a chain: `burn` steps, then `lag + 1` steps before each sample. With `recordStart` the execution that the
 * chain starts from is the first sample, unless there is a burn-in.
 */
export function runChain<T>(
  owner: string,
  model: Model<T>,
  options: ChainOptions,
  kernelChoice: KernelChoice,
  recordStart: boolean,
): SampleBasedMarginal<T> {
  const { samples, lag, burn, verbose, callbacks } = options;
  const entry = new Entry();
  const chain = new Chain(entry, model, entry.streamOf(0), (k) => entry.streamOf(k + 1));
  const kernel = startKernel(chain, kernelChoice);
  const startsWithSample = recordStart && burn === 0;
  const steps = burn + (lag + 1) * (startsWithSample ? samples - 1 : samples);
  const progress = new IterationCount(owner, steps, verbose ? Math.ceil((steps + 1) / REPORTS) : undefined);
  const kept = new KeptSamples<T>(callbacks, options.onlyMAP);
  let impossible = 0;
  const keep = ({ value, score }: Trace<T>): void => {
    if (score === -Infinity) impossible++;
    kept.add({ value: value as T, score });
  };
  let accepted = 0;
  const note = (): string => `acceptance ${(accepted / progress.done).toFixed(4)}`;

  for (const watcher of callbacks) watcher.setup?.(steps);
  chain.initialise(owner, options.maxInitAttempts);
  for (const watcher of callbacks) watcher.initialize?.();
  if (startsWithSample) keep(chain.current);

  for (let step = 1; step <= steps; step++) {
    if (kernel.step()) accepted++;
    progress.step(note);
    for (const watcher of callbacks) watcher.iteration?.(chain.current);
    if (step > burn && (step - burn) % (lag + 1) === 0) keep(chain.current);
  }
  progress.finish();
  for (const watcher of callbacks) watcher.finish?.(chain.current);
  if (impossible > 0) warnOfImpossible(owner, impossible);
  return new SampleBasedMarginal(kept.samples, { diagnostics: { acceptance: steps === 0 ? 1 : accepted / steps } });
}

function warnOfImpossible(owner: string, count: number): void {
  machine.run.warn(
    `${owner}: ${count} of the samples violate a condition, because the chain was allowed to start from an impossible ` +
      'execution (permissive) and had not found a possible one yet. Increase burn.',
  );
}

interface MCMCOptions extends ChainOptions {
  kernel: KernelChoice;
}

/** Markov chain Monte Carlo. */
export const mcmc: Algorithm<MCMCOptions> = {
  name: 'MCMC',
  options: { ...chainOptions, kernel: withDefault(kernelOption('MCMC kernel'), standardKernel) },
  run: (model, options) => runChain('MCMC', model, options, options.kernel, false),
};
