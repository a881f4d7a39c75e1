import { SampleBasedMarginal } from '../../distributions/marginal.ts';
import { sharedOut } from '../../ranks/divided.ts';
import { Entry } from '../../runtime/execution.ts';
import { helpFor } from '../../runtime/helpers.ts';
import { machine, runsDirectly } from '../../runtime/machine.ts';
import { placeOf } from '../../runtime/places.ts';
import { currentTeam, type Share } from '../../runtime/team.ts';
import type { Algorithm, Model } from '../algorithm.ts';
import { type Callbacks, callbacks } from '../callbacks.ts';
import { type InferringGuide, inferringGuide, infersItself } from '../inferring-guide.ts';
import type { ChainResult } from '../method-types.ts';
import { count, flag, type OptionTable, withDefault } from '../options.ts';
import { diagnosticsOf } from './chain-diagnostics.ts';
import { ChainRuns, type RanChain } from './chain-runs.ts';
import { ChainSamples } from './chain-samples.ts';
import { type KernelChoice, kernelOption, standardKernel } from './kernel.ts';
import { watchingCores } from './spare-cores.ts';

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
  /** Number of independent chains; each gives `samples` samples. */
  chains: number;
}

export const chainOptions: OptionTable<ChainOptions> = {
  samples: withDefault(count(1), 100),
  lag: withDefault(count(0), 0),
  burn: withDefault(count(0), 0),
  verbose: withDefault(flag, false),
  onlyMAP: withDefault(flag, false),
  callbacks,
  maxInitAttempts: withDefault(count(1), 100_000),
  chains: withDefault(count(1), 1),
};

/**
 * Runs chains: `burn` steps each, then `lag + 1` steps before each sample. With `recordStart` the execution that a
 * chain starts from is its first sample, unless there is a burn-in.
 */
export function runChains<T>(
  owner: string,
  model: Model<T>,
  options: ChainOptions,
  kernelChoice: KernelChoice,
  recordStart: boolean,
): SampleBasedMarginal<T> {
  const entry = new Entry();
  const chains = (share: Share): ChainRuns<T> =>
    new ChainRuns(entry, owner, model, options, kernelChoice, recordStart, share);
  const parts = ranChains(entry, owner, options, chains);
  const kept = parts.map((part) => ChainSamples.from(part.kept, options.onlyMAP));
  const [accepted, total] = [sumOf(parts, 'accepted'), sumOf(parts, 'steps')];
  const impossible = kept.reduce((sum, own) => sum + own.impossible, 0);
  if (impossible > 0) warnOfImpossible(owner, impossible);
  if (runsDirectly()) warnOfRest(owner, accepted, total);
  const all = ChainSamples.all(kept);
  const told = parts.map((part) => part.told);
  return new SampleBasedMarginal(all, { diagnostics: diagnosticsOf(told, total === 0 ? 1 : accepted / total, all) });
}

const sumOf = (parts: readonly RanChain<unknown>[], field: 'accepted' | 'steps'): number =>
  parts.reduce((sum, part) => sum + part[field], 0);

/** Runs all chains: here, with the help of other threads, or divided among ranks. */
function ranChains<T>(
  entry: Entry,
  owner: string,
  { chains: count, callbacks }: ChainOptions,
  chains: (share: Share) => ChainRuns<T>,
): RanChain<T>[] {
  const all = { first: 0, count };
  if (callbacks.length > 0 || count === 1) return chains(all).runAll();
  const helped = currentTeam() === undefined ? helpFor(count) : undefined;
  if (helped !== undefined) {
    const found = helped.results(chains(all));
    if (helped.elsewhere > 0 && machine.run.engine?.explainBatching) {
      machine.run.warn(
        `${owner} at ${placeOf(entry.address) ?? entry.address}: ${helped.elsewhere} of ${count} chains ran in other threads.`,
      );
    }
    return found;
  }
  return watchingCores(entry, owner, count, () =>
    sharedOut(
      'run chains',
      count,
      (share) => (share.count === 0 ? [] : chains(share).runAll()),
      (parts) => parts.flat(),
    ),
  );
}

/** Fewer proposals are too few to tell; so few accepted ones, or a smaller share, are hardly any. */
const MANY_STEPS = 1000;
const FEW_MOVES = 15;
const HARDLY_ANY = 0.001;

/** A chain that hardly moves looks like any other result: it is to be told. */
function warnOfRest(owner: string, accepted: number, steps: number): void {
  if (steps < MANY_STEPS || accepted >= Math.max(FEW_MOVES, HARDLY_ANY * steps)) return;
  const some = accepted === 0 ? 'none' : `only ${accepted.toLocaleString('en')}`;
  machine.run.warn(
    `${owner}: of ${steps.toLocaleString('en')} proposals ${some} ${accepted === 1 ? 'was' : 'were'} accepted, so that the ` +
      'samples are little more than where the chain started, and not the posterior. Use a drift kernel with small steps ' +
      "for continuous choices (as gaussianDrift does), kernel 'NUTS', or a model whose observations are less precise.",
  );
}

function warnOfImpossible(owner: string, count: number): void {
  machine.run.warn(
    `${owner}: ${count} of the samples violate a condition, because the chain was allowed to start from an impossible ` +
      'execution (permissive) and had not found a possible one yet. Increase burn.',
  );
}

export interface MCMCOptions extends ChainOptions {
  /** What a step of the chain does: a kernel, by name or as `{name: options}`. */
  kernel: KernelChoice;
  /** A network that proposes whole executions, by turns with changes of single choices, instead of a kernel. */
  guide: InferringGuide | undefined;
}

/** Markov chain Monte Carlo. */
export const mcmc: Algorithm<MCMCOptions, ChainResult> = {
  name: 'MCMC',
  texts: ['recording'],
  options: {
    ...chainOptions,
    kernel: withDefault(kernelOption('MCMC kernel'), standardKernel),
    guide: withDefault(inferringGuide, undefined),
  },
  run: (model, options) =>
    options.guide?.[infersItself]('MCMC', model, options) ?? runChains('MCMC', model, options, options.kernel, false),
};
