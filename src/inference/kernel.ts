/** The Markov kernels that MCMC and rejuvenation can use: a row each. */
import type { Chain } from './chain.ts';
import { MetropolisHastings, type MHOptions, mhOptions } from './mh.ts';
import { type Option, type OptionTable, variant } from './options.ts';

/** Moves a chain. */
export interface Kernel {
  /** One step; true if the chain accepted it. */
  step(): boolean;
}

/** How a kernel is declared. */
export interface KernelKind<O extends object> {
  readonly options: OptionTable<O>;
  start<T>(chain: Chain<T>, options: O): Kernel;
}

const MH: KernelKind<MHOptions> = {
  options: mhOptions,
  start: (chain, options) => new MetropolisHastings(chain, options),
};

/** By the name that `kernel` and `rejuvKernel` take. */
const kinds = { MH };

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

export function startKernel<T>(chain: Chain<T>, choice: KernelChoice): Kernel {
  return kindOf(choice).start(chain, choice.options);
}
