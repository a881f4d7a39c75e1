/** The Markov kernels that MCMC and rejuvenation can use: a row each. */
import { HOW_TO_COMPILE } from '../../runtime/compilation.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { Later } from '../../runtime/late-module.ts';
import { Reason, type Way } from '../../runtime/reasons.ts';
import { type Option, type OptionTable, variant } from '../options.ts';
import type { Chain } from './chain.ts';
import { type HMCOptions, hmcOptions, type NUTSOptions, nutsOptions } from './hamiltonian/options.ts';
import { MetropolisHastings, type MHOptions, mhOptions } from './mh.ts';
import type { Trace } from './trace.ts';

/** What a kernel is told of the steps to come. */
export interface ChainPlan {
  readonly burn: number;
  /** After the burn-in. */
  readonly steps: number;
  /** Whether callbacks look at the chain's trace between samples. */
  readonly watched: boolean;
}

/** Moves a chain over executions of a model that returns a `T`. */
export interface Kernel<T> {
  /** One step; true if the chain accepted it. */
  step(): boolean;
  /**
   * Makes up to so many steps, where the chain is not read in between. Adds what `sample` would give after the first of them
   * to sample from (0 for the next one), and after every so many more. Null if the next step is to be made alone.
   */
  leap?(most: number, first: number, every: number, samples: SampleColumn<T>): Leap | null;
  /** True if all executions it makes are the chain's proposals. */
  readonly onlyProposes?: boolean;
  /** The executions of which the most probable is taken to start from; 1 if it does not say. */
  readonly starts?: number;
  /** Told those executions; may move the chain to a better start. */
  startNear?(executions: readonly Trace<T>[]): void;
  /** Told before the first step, where a chain has a plan. Returns the burn-in to make. */
  begin?(plan: ChainPlan): number;
  /** The value and score of the execution that the chain is at; null, or left out, if they are in the chain's trace. */
  sample?(): { value: T; score: number } | null;
  /** How its steps were made, after the last of them; left out where the kernel reports that itself. */
  way?(): KernelWay;
  /** Diagnostics, after the last step. */
  diagnostics?(): Record<string, number>;
}

/** How the steps of a kernel were made. */
export interface KernelWay {
  readonly how: Way | Reason;
  /** Why something is executed besides, if it is. */
  readonly but?: Reason;
  /** The same for a person. */
  readonly text: string;
}

/** The outcome of steps made in one call. */
export interface Leap {
  readonly steps: number;
  readonly accepted: number;
}

/** Where samples go. */
export interface SampleColumn<T> {
  add(value: T, score: number): void;
  /** The same for numbers in a table: so many rows, each a score and then the value, that are some way apart. */
  addNumbers(table: Float64Array, from: number, stride: number, count: number): void;
}

/** Chains that move side by side. */
export interface Convoy {
  /**
   * Makes so many steps of each chain that `next` gives, which is asked whenever there is room for another, and gives −1 if there is none; `moved` is told of
   * each step, which are counted from 1, and `ended` of each chain that has made all of them.
   */
  run(
    steps: number,
    next: () => number,
    moved: (chain: number, step: number, accepted: boolean) => void,
    ended: (chain: number) => void,
  ): void;
}

/** How a kernel is declared. */
interface KernelKind<O extends object> {
  readonly options: OptionTable<O>;
  start<T>(chain: Chain<T>, options: O): Kernel<T>;
  /** A way to move chains side by side, given their kernels and how to start them all, or why there is none. */
  together(kernels: readonly Kernel<unknown>[], start: () => void): Convoy | Reason;
}

const OWN_CHOICES = new Reason('method', 'each proposes a choice of its own');

const MH: KernelKind<MHOptions> = {
  options: mhOptions,
  start: (chain, options) => new MetropolisHastings(chain, options),
  // Measured: up to some 200 executions at a time, columns take longer than one execution after the other.
  together: () => OWN_CHOICES,
};

type Start<O extends object> = <T>(chain: Chain<T>, options: O) => Kernel<T>;

/** The kernels that follow gradients, which `hamiltonian/kernels.ts` puts here when it is loaded. */
export const gradientKernels: Later<{
  HMC: Start<HMCOptions>;
  HMConly: Start<HMCOptions>;
  NUTS: Start<NUTSOptions>;
  together: KernelKind<object>['together'];
}> = new Later();

function followingGradients<O extends object>(
  name: 'HMC' | 'HMConly' | 'NUTS',
  options: OptionTable<O>,
): KernelKind<O> {
  return {
    options,
    start(chain, given) {
      const kernels = gradientKernels.current;
      if (kernels !== null) return kernels[name](chain, given as never);
      throw new WaymarkError(
        `The kernel ${name} follows gradients, and this program was compiled without them, because none of the words ` +
          `for it is in its text. Write the name of the kernel where it is used, as in kernel: '${name}'. ${HOW_TO_COMPILE}`,
      );
    },
    together(kernels, start) {
      return (gradientKernels.current as NonNullable<typeof gradientKernels.current>).together(kernels, start);
    },
  };
}

const gradientKinds = {
  HMC: followingGradients('HMC', hmcOptions),
  HMConly: followingGradients('HMConly', hmcOptions),
  NUTS: followingGradients('NUTS', nutsOptions),
};

/** By the name that `kernel` and `rejuvKernel` take. */
const kinds = { MH, ...gradientKinds };

export const kernelNames: readonly string[] = Object.keys(kinds);

export const gradientKernelNames: ReadonlySet<string> = new Set(Object.keys(gradientKinds));

/** The options of methods that name a kernel. */
export const KERNEL_OPTIONS: readonly string[] = ['kernel', 'rejuvKernel'];

/** A kernel as programs name it: its name, or `{name: options}`. */
export type KernelGiven =
  | keyof typeof kinds
  | { [Name in keyof typeof kinds]: { [K in Name]: Partial<OptionsOf<(typeof kinds)[Name]>> } }[keyof typeof kinds];

type OptionsOf<Kind> = Kind extends KernelKind<infer O> ? O : never;

/** A kernel as options name it, with its own options. */
export interface KernelChoice {
  name: keyof typeof kinds;
  options: object;
}

/** The option `kernel: 'MH'`, or `kernel: {MH: {…}}`. */
export function kernelOption(owner: string): Option<KernelChoice> {
  const tables = Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, kind.options]));
  return variant(owner, tables as { [K in keyof typeof kinds]: OptionTable<object> });
}

/** The kernel with its default options. */
export const standardKernel: KernelChoice = { name: 'MH', options: { permissive: false, discreteOnly: false } };

function kindOf({ name }: KernelChoice): KernelKind<object> {
  return kinds[name] as KernelKind<object>;
}

export function startKernel<T>(chain: Chain<T>, choice: KernelChoice): Kernel<T> {
  return kindOf(choice).start(chain, choice.options);
}

/** A way to move chains side by side, given their kernels and how to start them all, or why there is none. */
export function convoyFor(
  choice: KernelChoice,
  kernels: readonly Kernel<unknown>[],
  start: () => void,
): Convoy | Reason {
  return kindOf(choice).together(kernels, start);
}
