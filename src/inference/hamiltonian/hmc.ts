import type { Chain } from '../chain.ts';
import type { ChainPlan, Kernel } from '../kernel.ts';
import { MetropolisHastings } from '../mh.ts';
import { Ground, type Space } from './ground.ts';
import type { HMCOptions } from './options.ts';

/** How far the step size of a trajectory may be from the one asked for. */
const JITTER = 0.2;

/**
 * Hamiltonian Monte Carlo: a trajectory of leapfrog steps over all continuous choices together, with unit masses, then
 * (unless told otherwise) a Metropolis–Hastings step for one of the discrete choices.
 */
export class HamiltonianMonteCarlo<T> implements Kernel<T> {
  private readonly ground: Ground<T>;
  private readonly discrete: MetropolisHastings<T> | null;

  constructor(
    private readonly chain: Chain<T>,
    private readonly options: HMCOptions,
    movesDiscrete: boolean,
  ) {
    this.ground = new Ground(chain);
    this.discrete = movesDiscrete ? new MetropolisHastings(chain, { permissive: false, discreteOnly: true }) : null;
  }

  begin({ burn, watched }: ChainPlan): number {
    if (!watched) this.ground.spareExecutions();
    return burn;
  }

  sample(): { value: T; score: number } | null {
    return this.ground.read();
  }

  step(): boolean {
    const space = this.ground.enter();
    this.chain.random.begin();
    const accepted = space === null || this.follow(space);
    const changed = this.discrete?.step() ?? true;
    return space === null ? changed : accepted;
  }

  private follow({ flow, phase, next }: Space): boolean {
    const { chain, options } = this;
    const { random } = chain;
    if (!Number.isFinite(phase.logDensity)) return false;
    next.copyFrom(phase);
    flow.refresh(next, () => random.gaussian());
    const before = flow.logJoint(next);
    // A trajectory as long as a period of the motion would come back to where it started, again and again.
    const stepSize = options.stepSize * (1 + JITTER * (2 * random.uniform() - 1));
    flow.leapfrog(next, stepSize, options.steps);
    return Math.log(random.uniform()) < flow.logJoint(next) - before && this.ground.move();
  }
}
