/** Makes the kernels that follow gradients available; loaded with what runs programs under gradients. */
import { gradientKernels } from '../kernel.ts';
import { convoyOf } from './convoy.ts';
import type { Follower } from './follower.ts';
import { HamiltonianMonteCarlo } from './hmc.ts';
import { NoUTurn } from './no-u-turn.ts';

gradientKernels.current = {
  HMC: (chain, options) => new HamiltonianMonteCarlo(chain, options, true),
  HMConly: (chain, options) => new HamiltonianMonteCarlo(chain, options, false),
  NUTS: (chain, options) => new NoUTurn(chain, options),
  together(kernels, start) {
    start();
    return convoyOf(kernels as unknown as readonly Follower[]);
  },
};
