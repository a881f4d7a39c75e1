import { Reason } from '../../../runtime/reasons.ts';
import type { Chain } from '../chain.ts';
import type { ChainPlan, Kernel, KernelWay, Leap, SampleColumn } from '../kernel.ts';
import { MetropolisHastings } from '../mh.ts';
import { ChainSpace, type Space } from './chain-space.ts';
import { type Follower, Leg, stepAlone } from './follower.ts';
import type { HMCOptions } from './options.ts';
import { StepsAhead } from './steps-ahead.ts';

/** How far the step size of a trajectory may be from the one asked for. */
const JITTER = 0.2;

/**
 * Hamiltonian Monte Carlo: a trajectory of leapfrog steps over all continuous choices together, with unit masses, then
 * (unless told otherwise) a Metropolis–Hastings step for one of the discrete choices.
 */
export class HamiltonianMonteCarlo<T> implements Kernel<T>, Follower {
  readonly chainSpace: ChainSpace<T>;
  readonly leg: Leg;
  /** Measured: before that, many steps in one call save more than two chains in the lanes of one plan. */
  readonly aloneUpTo = 3000;
  private readonly discrete: MetropolisHastings<T> | null;
  /** Steps to come, if they are known. */
  private planned = 0;
  /** Undefined before the first step. */
  private ahead: StepsAhead<T> | null | undefined;
  private space: Space | null = null;
  /** Negative energy at the start of the trajectory. */
  private before = 0;
  private accepted = false;

  constructor(
    private readonly chain: Chain<T>,
    private readonly options: HMCOptions,
    movesDiscrete: boolean,
  ) {
    this.chainSpace = new ChainSpace(chain);
    this.leg = new Leg(options.steps);
    this.discrete = movesDiscrete ? new MetropolisHastings(chain, { permissive: false, discreteOnly: true }) : null;
  }

  begin({ burn, steps, watched }: ChainPlan): number {
    if (!watched) {
      this.chainSpace.spareExecutions();
      this.planned = burn + steps;
    }
    return burn;
  }

  sample(): { value: T; score: number } | null {
    return this.ahead?.sample() ?? this.chainSpace.read();
  }

  leap(most: number, first: number, every: number, samples: SampleColumn<T>): Leap | null {
    if (this.ahead === undefined) this.ahead = this.goAhead();
    return this.ahead?.leap(most, first, every, samples) ?? null;
  }

  way(): KernelWay {
    return this.chainSpace.way(this.ahead !== undefined && this.ahead !== null);
  }

  step(): boolean {
    if (this.ahead === undefined) this.ahead = this.goAhead();
    return this.ahead === null ? stepAlone(this) : this.ahead.step();
  }

  /** Steps made in advance, as far as the chain is not read in between and no branch is met; null if there are none. */
  private goAhead(): StepsAhead<T> | null {
    if (this.planned === 0) return null;
    const space = this.chainSpace.enter();
    const { only } = this.chainSpace;
    if (space === null || only instanceof Reason) return null;
    const transitions = only.transitions({ ...this.options, jitter: JITTER });
    if (transitions === null) return null;
    // The step for discrete choices, of which there are none, counts as a choice too.
    const stride = this.discrete === null ? 1 : 2;
    return new StepsAhead(only, transitions, space, this.chain.random, stride, this.planned);
  }

  depart(): boolean {
    const { chain, options, leg } = this;
    const { random } = chain;
    const space = this.chainSpace.enter();
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
    this.accepted = Math.log(this.chain.random.uniform()) < flow.logJoint(z) - this.before && this.chainSpace.move();
    return false;
  }

  settle(): boolean {
    const changed = this.discrete?.step() ?? true;
    return this.space === null ? changed : this.accepted;
  }
}
