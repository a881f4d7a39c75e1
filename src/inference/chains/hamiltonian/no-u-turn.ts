import { Reason } from '../../../runtime/reasons.ts';
import type { Chain } from '../chain.ts';
import type { ChainPlan, Kernel, KernelWay, Leap, SampleColumn } from '../kernel.ts';
import { MetropolisHastings } from '../mh.ts';
import type { Trace } from '../trace.ts';
import { Schedule, StepSize, Variances } from './adaptation.ts';
import { ChainSpace, type Space } from './chain-space.ts';
import { type Follower, Leg, stepAlone } from './follower.ts';
import { findInitialStep } from './initial-step.ts';
import { type Chance, Nuts } from './nuts.ts';
import type { NUTSOptions } from './options.ts';
import { startingPoint } from './starting-point.ts';
import type { Trees } from './trees.ts';

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
  readonly chainSpace: ChainSpace<T>;
  readonly leg = new Leg(1);
  readonly aloneUpTo = 0;
  private readonly discrete: MetropolisHastings<T>;
  private readonly chance: Chance;
  private readonly tuned: Tuned[] = [];
  private following!: Tuned;
  /** Undefined before the first step. */
  private trees: Trees | null | undefined;
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
    this.chainSpace = new ChainSpace(chain);
    this.discrete = new MetropolisHastings(chain, { permissive: false, discreteOnly: true });
    this.chance = {
      uniform: () => chain.random.uniform(),
      gaussian: () => chain.random.gaussian(),
    };
  }

  /** Without a burn-in there would be nothing to tune by, so that half as many steps as follow are put before them. */
  begin({ burn, steps, watched }: ChainPlan): number {
    if (!watched) this.chainSpace.spareExecutions();
    if (!this.options.adapt) return burn;
    this.warmup = burn > 0 ? burn : Math.ceil(steps / 2);
    this.schedule = new Schedule(this.warmup);
    return this.warmup;
  }

  /** With discrete choices there are other densities to start in, and the most probable execution has to do. */
  startNear(executions: readonly Trace<T>[]): void {
    const { chainSpace, chain } = this;
    const space = chainSpace.enter();
    if (space === null || !chainSpace.isContinuous) return;
    const point = startingPoint(space.density, chainSpace.positionsOf(executions), chain.random.named('start'));
    if (point !== null) chainSpace.moveTo(point);
  }

  step(): boolean {
    const trees = this.findTrees();
    return trees === null ? stepAlone(this) : this.stepWith(trees);
  }

  /** Transitions in compiled code, if that is possible. */
  private findTrees(): Trees | null {
    if (this.trees === undefined) {
      this.chainSpace.enter();
      const { only } = this.chainSpace;
      this.trees = only instanceof Reason ? null : only.trees(this.options.maxDepth);
    }
    return this.trees;
  }

  private stepWith(trees: Trees): boolean {
    const space = this.startStep();
    if (space !== null && Number.isFinite(space.phase.logDensity)) {
      const { random } = this.chain;
      const { next, phase, flow } = space;
      const { key, stretch: epoch, position: choice, drawn } = random;
      next.copyFrom(phase);
      trees.run(next, flow.inverseMass, this.stepSize, 1, { key, epoch, choice, stride: 1 }, drawn);
      random.skipTo(trees.drawn(0));
      this.moved = trees.hasMoved(0) && this.chainSpace.move();
      this.learn(trees.acceptance(0), trees.steps(0), trees.isDivergent(0));
    }
    return this.settle();
  }

  /** Once everything is tuned, nothing is to be done between steps. */
  leap(most: number, first: number, every: number, samples: SampleColumn<T>): Leap | null {
    const trees = this.iteration === 0 || this.isWarmingUp ? null : this.findTrees();
    const { only } = this.chainSpace;
    if (trees === null || only instanceof Reason) return null;
    const { space } = this.following;
    const { random } = this.chain;
    const { next, phase, flow } = space;
    const { key, stretch: epoch, position } = random;
    const steps = Math.min(most, trees.most);
    // Steps for discrete choices, of which there are none, count as choices too.
    const stride = 1 + this.discreteSteps;
    next.copyFrom(phase);
    trees.run(next, flow.inverseMass, this.stepSize, steps, { key, epoch, choice: position + 1, stride }, 0);
    random.goTo(position + stride * steps);
    this.chainSpace.move();
    this.iteration += steps;
    let accepted = 0;
    for (let i = 0; i < steps; i++) {
      if (trees.hasMoved(i)) accepted++;
      if (trees.steps(i) > 0) this.learn(trees.acceptance(i), trees.steps(i), trees.isDivergent(i));
    }
    const count = first < steps ? Math.ceil((steps - first) / every) : 0;
    only.readEach(trees.numbers, trees.visit(first), every * trees.width, count, samples);
    return { steps, accepted };
  }

  /** The space of the step that starts, with what is tuned to it; null if there is no continuous choice. */
  private startStep(): Space | null {
    const { chain, chainSpace } = this;
    if (this.iteration === 0) this.discreteSteps = this.countDiscrete();
    const space = chainSpace.enter();
    chain.random.begin();
    this.moved = false;
    this.hasTrajectories = space !== null;
    if (space !== null) this.following = this.tunedFor(space);
    return space;
  }

  private get stepSize(): number {
    const { stepSize } = this.following;
    return this.isWarmingUp ? stepSize.current : stepSize.averaged;
  }

  depart(): boolean {
    const { leg } = this;
    const space = this.startStep();
    if (space === null || !Number.isFinite(space.phase.logDensity)) return false;
    const { phase, next, flow } = space;
    const { nuts } = this.following;
    next.copyFrom(phase);
    nuts.begin(next, this.stepSize);
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
    const { acceptance, steps, divergent } = nuts.end(space.next);
    this.moved = !samePlace(space.next.position, space.phase.position) && this.chainSpace.move();
    this.learn(acceptance, steps, divergent);
    return false;
  }

  settle(): boolean {
    this.iteration++;
    let changed = false;
    for (let i = 0; i < this.discreteSteps; i++) changed = this.discrete.step() || changed;
    return this.hasTrajectories ? this.moved : changed;
  }

  sample(): { value: T; score: number } | null {
    return this.chainSpace.read();
  }

  way(): KernelWay {
    return this.chainSpace.way(this.trees !== undefined && this.trees !== null);
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
  private learn(acceptance: number, steps: number, divergent: boolean): void {
    const { iteration, schedule } = this;
    const { stepSize, variances, space } = this.following;
    if (this.isWarmingUp) {
      stepSize.update(acceptance);
      if (schedule.gathers(iteration)) variances.add(space.phase.position);
      if (schedule.closes(iteration)) this.setMasses();
    } else {
      this.trajectories++;
      this.acceptanceSum += acceptance;
      this.leapfrogs += steps;
      if (divergent) this.divergences++;
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
