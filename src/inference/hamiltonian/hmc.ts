import type { Chain } from '../chain.ts';
import type { ChainPlan, Kernel } from '../kernel.ts';
import { MetropolisHastings } from '../mh.ts';
import { type Follower, Leg, stepAlone } from './follower.ts';
import { Ground, type Space } from './ground.ts';
import type { HMCOptions } from './options.ts';

/** How far the step size of a trajectory may be from the one asked for. */
const JITTER = 0.2;

/**
 * Hamiltonian Monte Carlo: a trajectory of leapfrog steps over all continuous choices together, with unit masses, then
 * (unless told otherwise) a Metropolis–Hastings step for one of the discrete choices.
 */
export class HamiltonianMonteCarlo<T> implements Kernel<T>, Follower {
  readonly ground: Ground<T>;
  readonly leg: Leg;
  private readonly discrete: MetropolisHastings<T> | null;
  private space: Space | null = null;
  /** Negative energy at the start of the trajectory. */
  private before = 0;
  private accepted = false;

  constructor(
    private readonly chain: Chain<T>,
    private readonly options: HMCOptions,
    movesDiscrete: boolean,
  ) {
    this.ground = new Ground(chain);
    this.leg = new Leg(options.steps);
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
    return stepAlone(this);
  }

  depart(): boolean {
    const { chain, options, leg } = this;
    const { random } = chain;
    const space = this.ground.enter();
    this.space = space;
    this.accepted = false;
    random.begin();
    if (space === null || !Number.isFinite(space.phase.logDensity)) return false;
    const { flow, phase, next } = space;
    next.copyFrom(phase);
    flow.refresh(next, () => random.gaussian());
    this.before = flow.logJoint(next);
    leg.z = next;
    leg.flow = flow;
    // A trajectory as long as a period of the motion would come back to where it started, again and again.
    leg.step = options.stepSize * (1 + JITTER * (2 * random.uniform() - 1));
    return true;
  }

  arrive(): boolean {
    const { flow, z } = this.leg;
    this.accepted = Math.log(this.chain.random.uniform()) < flow.logJoint(z) - this.before && this.ground.move();
    return false;
  }

  settle(): boolean {
    const changed = this.discrete?.step() ?? true;
    return this.space === null ? changed : this.accepted;
  }
}
