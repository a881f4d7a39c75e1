import { SampleBasedMarginal } from '../../distributions/marginal.ts';
import { ASKED, explain } from '../../lanes/obstacles.ts';
import { sharedOut } from '../../ranks/divided.ts';
import { Entry } from '../../runtime/execution.ts';
import { machine, runsDirectly } from '../../runtime/machine.ts';
import { Reason } from '../../runtime/reasons.ts';
import type { Share } from '../../runtime/team.ts';
import type { Algorithm, Model } from '../algorithm.ts';
import { type Callbacks, callbacks } from '../callbacks.ts';
import { type InferringGuide, inferringGuide, infersItself } from '../inferring-guide.ts';
import type { ChainResult } from '../method-types.ts';
import { count, flag, type OptionTable, withDefault } from '../options.ts';
import { IterationCount } from '../progress.ts';
import { Chain } from './chain.ts';
import { diagnosticsOf } from './chain-diagnostics.ts';
import { ChainSamples, type KeptChain } from './chain-samples.ts';
import {
  type Convoy,
  convoyFor,
  type Kernel,
  type KernelChoice,
  kernelOption,
  standardKernel,
  startKernel,
} from './kernel.ts';
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

/** Reports of a verbose run. */
const REPORTS = 200;

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
  const run = (share: Share): Ran<T> => runShare(entry, owner, model, options, kernelChoice, recordStart, share);
  const { chains: count, callbacks } = options;
  const parts =
    callbacks.length > 0 || count === 1
      ? [run({ first: 0, count })]
      : watchingCores(entry, owner, count, () =>
          sharedOut(
            'run chains',
            count,
            (share) => (share.count === 0 ? [] : [run(share)]),
            (all) => all.flat(),
          ),
        );
  const kept = parts.flatMap((part) => part.kept.map((own) => ChainSamples.from(own, options.onlyMAP)));
  const [accepted, total] = [sumOf(parts, 'accepted'), sumOf(parts, 'total')];
  const impossible = kept.reduce((sum, own) => sum + own.impossible, 0);
  if (impossible > 0) warnOfImpossible(owner, impossible);
  if (runsDirectly()) warnOfRest(owner, accepted, total);
  const all = ChainSamples.all(kept);
  const told = parts.flatMap((part) => part.told);
  return new SampleBasedMarginal(all, { diagnostics: diagnosticsOf(told, total === 0 ? 1 : accepted / total, all) });
}

/** The results of some of the chains. */
interface Ran<T> {
  readonly kept: readonly KeptChain<T>[];
  /** The diagnostics of each one's kernel. */
  readonly told: readonly Record<string, number>[];
  readonly accepted: number;
  /** Steps of all of them. */
  readonly total: number;
}

const sumOf = (parts: readonly Ran<unknown>[], field: 'accepted' | 'total'): number =>
  parts.reduce((sum, part) => sum + part[field], 0);

/** How many steps come before the next one that is kept; a negative number of steps is what is left of the burn-in. */
const untilSample = (past: number, lag: number): number => lag - (past < 0 ? past : past % (lag + 1));

/** Runs some of the chains. */
function runShare<T>(
  entry: Entry,
  owner: string,
  model: Model<T>,
  options: ChainOptions,
  kernelChoice: KernelChoice,
  recordStart: boolean,
  { first, count }: Share,
): Ran<T> {
  const { samples, lag, verbose, callbacks } = options;
  const chains = Array.from({ length: count }, (_, i) => newChain(entry, model, first + i));
  // Kernels that follow gradients execute in ways of their own.
  for (const { reexecution } of chains) reexecution.keepsInferences = kernelChoice.name === 'MH';
  const kernels = chains.map((chain) => startKernel(chain, kernelChoice));
  const later = (lag + 1) * samples;
  const plan = { burn: options.burn, steps: later, watched: callbacks.length > 0 };
  const [burn] = kernels.map((kernel) => kernel.begin?.(plan) ?? options.burn);
  const startsWithSample = recordStart && burn === 0;
  const steps = burn + later - (startsWithSample ? lag + 1 : 0);
  const total = steps * count;
  const progress = new IterationCount(owner, total, verbose ? Math.ceil((total + 1) / REPORTS) : undefined);
  const kept = chains.map(() => new ChainSamples<T>(samples, callbacks, options.onlyMAP));
  const keep = (i: number): void => {
    const { value, score } = kernels[i].sample?.() ?? chains[i].current;
    kept[i].add(value as T, score);
  };
  let started = 0;
  /** Finds where chains up to the i-th start, as far as that is not known yet. */
  const start = (i: number): void => {
    for (; started <= i; started++) {
      const kernel = kernels[started];
      const executions = chains[started].initialise(owner, options.maxInitAttempts, kernel.starts);
      kernel.startNear?.(executions);
      for (const watcher of callbacks) watcher.initialize?.();
      if (startsWithSample) keep(started);
    }
  };
  let accepted = 0;
  const note = (): string => `acceptance ${(accepted / progress.done).toFixed(4)}`;
  /** Told of each step of each chain, counted from 1. */
  const moved = (i: number, step: number, accepts: boolean): void => {
    if (accepts) accepted++;
    progress.step(note);
    if (callbacks.length > 0) for (const watcher of callbacks) watcher.iteration?.(chains[i].current);
    if (step > burn && (step - burn) % (lag + 1) === 0) keep(i);
  };
  /** Makes steps at once, after so many others; gives their number. */
  const leap = (i: number, before: number): number => {
    const most = Math.min(steps - before, progress.untilLook);
    const made = kernels[i].leap?.(most, untilSample(before - burn, lag), lag + 1, kept[i]) ?? null;
    if (made === null) return 0;
    accepted += made.accepted;
    progress.steps(made.steps, note);
    return made.steps;
  };

  for (const watcher of callbacks) watcher.setup?.(total);
  const convoy = count === 1 ? null : sideBySide(entry, owner, options, kernelChoice, kernels, () => start(count - 1));
  if (convoy !== null) convoy.run(steps, moved);
  else {
    for (const [i, kernel] of kernels.entries()) {
      start(i);
      const run = (): void => {
        for (let made = 0; made < steps; ) {
          const leapt = callbacks.length > 0 ? 0 : leap(i, made);
          if (leapt === 0) moved(i, ++made, kernel.step());
          else made += leapt;
        }
      };
      if (kernel.onlyProposes && callbacks.length === 0) chains[i].many(run);
      else run();
    }
  }
  progress.finish();
  const way = convoy === null ? kernels[0].way?.() : undefined;
  if (way !== undefined) explain(entry, `${owner} with ${kernelChoice.name}`, way.how, way.text, way);
  for (const watcher of callbacks) watcher.finish?.(chains[count - 1].current);
  const told = kernels.map((kernel) => kernel.diagnostics?.() ?? {});
  return { kept: kept.map((own) => own.contents), told, accepted, total };
}

const WATCHED = new Reason('watched', 'callbacks watch them');

/** A way to move the chains side by side, which gives what one after the other would give; null if there is none. */
function sideBySide(
  entry: Entry,
  owner: string,
  { callbacks, chains }: ChainOptions,
  choice: KernelChoice,
  kernels: readonly Kernel<unknown>[],
  start: () => void,
): Convoy | null {
  const asked = machine.run.engine?.sequential ? ASKED : callbacks.length > 0 ? WATCHED : null;
  const convoy = asked ?? convoyFor(choice, kernels, start);
  if (convoy instanceof Reason) {
    explain(entry, owner, convoy, `${chains} chains one after the other, because ${convoy}`);
    return null;
  }
  explain(entry, owner, 'pairs', `${chains} chains side by side`);
  return convoy;
}

/** Chains draw from streams of their own; the first one does so whether or not there are others. */
function newChain<T>(entry: Entry, model: Model<T>, i: number): Chain<T> {
  if (i === 0) {
    const origin = entry.streamOf(1);
    return new Chain(entry, model, entry.streamOf(0), (k) => origin.restart(k + 1));
  }
  const random = entry.streamOf(0).named(`chain ${i}`);
  const origin = random.named('executions').child(1, 0);
  return new Chain(entry, model, random, (k) => origin.restart(k));
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
