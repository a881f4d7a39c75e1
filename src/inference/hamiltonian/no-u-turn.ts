import type { Chain } from '../chain.ts';
import type { ChainPlan, Kernel } from '../kernel.ts';
import { MetropolisHastings } from '../mh.ts';
import type { Trace } from '../trace.ts';
import { Schedule, StepSize, Variances } from './adaptation.ts';
import { type Follower, Leg, stepAlone } from './follower.ts';
import { Ground, type Space } from './ground.ts';
import { findInitialStep } from './initial-step.ts';
import { type Chance, Nuts, type Transition } from './nuts.ts';
import type { NUTSOptions } from './options.ts';
import { startingPoint } from './starting-point.ts';

/** Steps for discrete choices between two trajectories, at most: a trajectory costs about as much. */
const MOST_DISCRETE_STEPS = 20;

/** What is tuned to one space of continuous choices. */
interface Tuned {
  readonly space: Space;
  readonly nuts: Nuts;
  readonly stepSize: StepSize;
  readonly variances: Variances;
}

/**
 * The No-U-Turn sampler over all continuous choices together. During the burn-in it tunes its step size to the target
 * acceptance and its masses to the variances met. Discrete choices have Metropolis–Hastings steps in between.
 */
export class NoUTurn<T> implements Kernel<T>, Follower {
  /** A draw from a wide prior may be where a trajectory cannot find its way out; one of several hardly is. */
  readonly starts = 10;
  readonly ground: Ground<T>;
  readonly leg = new Leg(1);
  readonly aloneUpTo = 0;
  private readonly discrete: MetropolisHastings<T>;
  private readonly chance: Chance;
  private readonly tuned: Tuned[] = [];
  private following!: Tuned;
  /** Whether there is anything to follow a trajectory over, and whether the last one led elsewhere. */
  private hasTrajectories = false;
  private moved = false;
  private schedule = new Schedule(0);
  private warmup = 0;
  private iteration = 0;
  /** Fixed at the start: a number that depends on the state would bias the chain. */
  private discreteSteps = 0;
  private trajectories = 0;
  private acceptanceSum = 0;
  private divergences = 0;
  private leapfrogs = 0;

  constructor(
    private readonly chain: Chain<T>,
    private readonly options: NUTSOptions,
  ) {
    this.ground = new Ground(chain);
    this.discrete = new MetropolisHastings(chain, { permissive: false, discreteOnly: true });
    this.chance = {
      uniform: () => chain.random.uniform(),
      gaussian: () => chain.random.gaussian(),
    };
  }

  /** Without a burn-in there would be nothing to tune by, so that half as many steps as follow are put before them. */
  begin({ burn, steps, watched }: ChainPlan): number {
    if (!watched) this.ground.spareExecutions();
    if (!this.options.adapt) return burn;
    this.warmup = burn > 0 ? burn : Math.ceil(steps / 2);
    this.schedule = new Schedule(this.warmup);
    return this.warmup;
  }

  /** With discrete choices there are other densities to start in, and the most probable execution has to do. */
  startNear(executions: readonly Trace<T>[]): void {
    const { ground, chain } = this;
    const space = ground.enter();
    if (space === null || !ground.isContinuous) return;
    const point = startingPoint(space.density, ground.positionsOf(executions), chain.random.named('start'));
    if (point !== null) ground.moveTo(point);
  }

  step(): boolean {
    return stepAlone(this);
  }

  depart(): boolean {
    const { chain, ground, leg } = this;
    if (this.iteration === 0) this.discreteSteps = this.countDiscrete();
    const space = ground.enter();
    chain.random.begin();
    this.moved = false;
    this.hasTrajectories = space !== null;
    if (space === null) return false;
    const tuned = this.tunedFor(space);
    const { phase, next, flow } = space;
    if (!Number.isFinite(phase.logDensity)) return false;
    const { nuts, stepSize } = tuned;
    next.copyFrom(phase);
    nuts.begin(next, this.isWarmingUp ? stepSize.current : stepSize.averaged);
    this.following = tuned;
    leg.z = nuts.z;
    leg.flow = flow;
    leg.step = nuts.step;
    return true;
  }

  arrive(): boolean {
    const { nuts, space } = this.following;
    if (nuts.arrive()) {
      this.leg.step = nuts.step;
      return true;
    }
    const result = nuts.end(space.next);
    this.moved = !samePlace(space.next.position, space.phase.position) && this.ground.move();
    this.learn(result);
    return false;
  }

  settle(): boolean {
    this.iteration++;
    let changed = false;
    for (let i = 0; i < this.discreteSteps; i++) changed = this.discrete.step() || changed;
    return this.hasTrajectories ? this.moved : changed;
  }

  sample(): { value: T; score: number } | null {
    return this.ground.read();
  }

  diagnostics(): Record<string, number> {
    const { trajectories, divergences } = this;
    if (trajectories === 0) return {};
    const stepSize = this.tuned[this.tuned.length - 1].stepSize.averaged;
    return {
      acceptance: this.acceptanceSum / trajectories,
      divergences,
      stepSize,
      leapfrogSteps: this.leapfrogs / trajectories,
    };
  }

  private get isWarmingUp(): boolean {
    return this.iteration < this.warmup;
  }

  /** Tunes by a trajectory of the burn-in, and counts any other. */
  private learn(result: Transition): void {
    const { iteration, schedule } = this;
    const { stepSize, variances, space } = this.following;
    if (this.isWarmingUp) {
      stepSize.update(result.acceptance);
      if (schedule.gathers(iteration)) variances.add(space.phase.position);
      if (schedule.closes(iteration)) this.setMasses();
    } else {
      this.trajectories++;
      this.acceptanceSum += result.acceptance;
      this.leapfrogs += result.steps;
      if (result.divergent) this.divergences++;
    }
  }

  private setMasses(): void {
    for (const { space, variances, stepSize } of this.tuned) {
      if (variances.empty) continue;
      variances.writeTo(space.flow.inverseMass);
      variances.restart();
      stepSize.restart(findInitialStep(space.flow, space.phase, this.chance, stepSize.current));
    }
  }

  private tunedFor(space: Space): Tuned {
    let tuned = this.tuned.find((known) => known.space === space);
    if (tuned === undefined) {
      const { stepSize: given, targetAcceptance, maxDepth } = this.options;
      const initial = given ?? findInitialStep(space.flow, space.phase, this.chance, 1);
      tuned = {
        space,
        nuts: new Nuts(space.flow, this.chance, maxDepth),
        stepSize: new StepSize(initial, targetAcceptance),
        variances: new Variances(space.layout.dimension),
      };
      this.tuned.push(tuned);
    }
    return tuned;
  }

  private countDiscrete(): number {
    const { current } = this.chain;
    let count = 0;
    for (let i = current.boundary; i < current.length; i++) if (!current.choices[i].distribution.isContinuous) count++;
    return Math.max(1, Math.min(MOST_DISCRETE_STEPS, count));
  }
}

function samePlace(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
