/**
 * One transition of the No-U-Turn sampler: Hoffman & Gelman (2014) with the multinomial weighting and the
 * generalised U-turn criterion of Betancourt ("A conceptual introduction to Hamiltonian Monte Carlo", 2017,
 * appendix A), and the two extra checks across subtrees that keep periodic trajectories from slipping through.
 */
import { type Flow, Phase } from './density.ts';

/** An energy error beyond this means that the integrator left the level set: a divergence. */
const DIVERGENCE = 1000;

interface Transition {
  /** Mean acceptance probability over the trajectory, the signal for step size adaptation. */
  acceptance: number;
  divergent: boolean;
  /** Doublings made. */
  depth: number;
  /** Leapfrog steps taken. */
  steps: number;
}

export interface Chance {
  uniform(): number;
  gaussian(): number;
}

/** A stretch of the trajectory: its weight, the point chosen from it, and what the U-turn criterion needs. */
class Stretch {
  logWeight = -Infinity;
  readonly proposal: Phase;
  /** Sum of momenta along the stretch. */
  readonly rho: Float64Array;
  /** Momentum and velocity (momentum over mass) at the two ends, in order of building. */
  readonly firstMomentum: Float64Array;
  readonly firstVelocity: Float64Array;
  readonly lastMomentum: Float64Array;
  readonly lastVelocity: Float64Array;

  constructor(dimension: number) {
    this.proposal = new Phase(dimension);
    this.rho = new Float64Array(dimension);
    this.firstMomentum = new Float64Array(dimension);
    this.firstVelocity = new Float64Array(dimension);
    this.lastMomentum = new Float64Array(dimension);
    this.lastVelocity = new Float64Array(dimension);
  }
}

function logAddExp(a: number, b: number): number {
  if (a === -Infinity) return b;
  if (b === -Infinity) return a;
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b));
}

/** The trajectory still moves apart: both end velocities point along the summed momentum. */
function apart(startVelocity: Float64Array, endVelocity: Float64Array, rho: Float64Array): boolean {
  let start = 0;
  let end = 0;
  for (let i = 0; i < rho.length; i++) {
    start += startVelocity[i] * rho[i];
    end += endVelocity[i] * rho[i];
  }
  return start > 0 && end > 0;
}

/**
 * Builds the trajectories of one chain, a leapfrog step at a time, so that several chains can take a step
 * each at once: `begin`, then `arrive` after each step of `step` that `z` was moved by, for as long as it says so.
 */
export class Nuts {
  /** The end that grows. */
  readonly z: Phase;
  /** The size of the next leapfrog step, negative if the trajectory grows backward. */
  step = 0;
  private readonly forward: Phase;
  private readonly backward: Phase;
  private readonly chosen: Phase;
  private readonly sum: Float64Array;
  private readonly scratch: Float64Array;
  /** In it, first is the backward end and last the forward end, whichever way it grew. */
  private readonly whole: Stretch;
  /** Parts of the stretch that is being added, each half as long as the one before or shorter. */
  private readonly parts: Stretch[] = [];
  private pending = 0;
  /** Leapfrog steps of the stretch that is being added. */
  private leaves = 0;
  private stepSize = 0;
  private depth = 0;
  private initialJoint = 0;
  private acceptanceSum = 0;
  private steps = 0;
  private divergent = false;

  constructor(
    private readonly flow: Flow,
    private readonly chance: Chance,
    private readonly maxDepth = 10,
  ) {
    const n = flow.density.dimension;
    this.z = new Phase(n);
    this.forward = new Phase(n);
    this.backward = new Phase(n);
    this.chosen = new Phase(n);
    this.sum = new Float64Array(n);
    this.scratch = new Float64Array(n);
    this.whole = new Stretch(n);
  }

  /** Moves `current` (position, gradient and density valid) to the next state of the chain. */
  transition(current: Phase, stepSize: number): Transition {
    this.begin(current, stepSize);
    do this.flow.leapfrog(this.z, this.step);
    while (this.arrive());
    return this.end(current);
  }

  /** Starts a trajectory from `current`. */
  begin(current: Phase, stepSize: number): void {
    const { flow, z, whole } = this;
    z.copyFrom(current);
    flow.refresh(z, () => this.chance.gaussian());
    this.initialJoint = flow.logJoint(z);
    this.forward.copyFrom(z);
    this.backward.copyFrom(z);
    this.chosen.copyFrom(z);
    whole.logWeight = 0;
    whole.rho.set(z.momentum);
    this.markEnds(whole, z);
    this.stepSize = stepSize;
    this.acceptanceSum = 0;
    this.steps = 0;
    this.divergent = false;
    this.depth = 0;
    this.extend();
  }

  /** Chooses the end at which the trajectory is to be doubled. */
  private extend(): void {
    const direction = this.chance.uniform() < 0.5 ? -1 : 1;
    this.z.copyFrom(direction === 1 ? this.forward : this.backward);
    this.step = direction * this.stepSize;
    this.leaves = 0;
    this.pending = 0;
  }

  /** Adds the point that `z` was moved to. Whether another step is to be taken. */
  arrive(): boolean {
    if (!this.leaf()) return false;
    const { parts } = this;
    // A binary counter: two parts of equal length become one, and so on.
    for (let rest = ++this.leaves; (rest & 1) === 0; rest >>= 1) {
      this.pending--;
      if (!this.join(parts[this.pending - 1], parts[this.pending])) return false;
    }
    if (this.leaves < 2 ** this.depth) return true;
    const [grown] = parts;
    const direction = this.step > 0 ? 1 : -1;
    (direction === 1 ? this.forward : this.backward).copyFrom(this.z);
    // Biased progressive sampling: the new half is preferred when it is the heavier one.
    if (Math.log(this.chance.uniform()) < grown.logWeight - this.whole.logWeight) this.chosen.copyFrom(grown.proposal);
    this.depth++;
    if (!this.joinWhole(grown, direction) || this.depth === this.maxDepth) return false;
    this.extend();
    return true;
  }

  /** Moves `current` to the state chosen from the trajectory. */
  end(current: Phase): Transition {
    current.copyFrom(this.chosen);
    const { acceptanceSum, steps, divergent, depth } = this;
    return { acceptance: steps === 0 ? 0 : acceptanceSum / steps, divergent, depth, steps };
  }

  /** Joins a new stretch to the whole trajectory; false once it turns back on itself. */
  private joinWhole(grown: Stretch, direction: number): boolean {
    const { sum, whole } = this;
    whole.logWeight = logAddExp(whole.logWeight, grown.logWeight);
    // Seen in the direction of growth: old stretch, then new one.
    const [start, momentum, velocity] =
      direction === 1
        ? [whole.firstVelocity, whole.lastMomentum, whole.lastVelocity]
        : [whole.lastVelocity, whole.firstMomentum, whole.firstVelocity];
    const going = this.goesOn(whole.rho, start, momentum, velocity, grown);
    whole.rho.set(sum);
    momentum.set(grown.lastMomentum);
    velocity.set(grown.lastVelocity);
    return going;
  }

  /** Joins a part to the one before it; false if together they turn back. */
  private join(first: Stretch, second: Stretch): boolean {
    const logWeight = logAddExp(first.logWeight, second.logWeight);
    first.logWeight = logWeight;
    if (Math.log(this.chance.uniform()) < second.logWeight - logWeight) first.proposal.copyFrom(second.proposal);
    const going = this.goesOn(first.rho, first.firstVelocity, first.lastMomentum, first.lastVelocity, second);
    first.rho.set(this.sum);
    first.lastMomentum.set(second.lastMomentum);
    first.lastVelocity.set(second.lastVelocity);
    return going;
  }

  /**
   * Whether a stretch and the one after it still move apart: as a whole, and across the border between them. Leaves their
   * summed momenta in `sum`.
   */
  private goesOn(
    rho: Float64Array,
    startVelocity: Float64Array,
    endMomentum: Float64Array,
    endVelocity: Float64Array,
    next: Stretch,
  ): boolean {
    const { sum, scratch } = this;
    const n = sum.length;
    for (let i = 0; i < n; i++) sum[i] = rho[i] + next.rho[i];
    if (!apart(startVelocity, next.lastVelocity, sum)) return false;
    for (let i = 0; i < n; i++) scratch[i] = rho[i] + next.firstMomentum[i];
    if (!apart(startVelocity, next.firstVelocity, scratch)) return false;
    for (let i = 0; i < n; i++) scratch[i] = endMomentum[i] + next.rho[i];
    return apart(endVelocity, next.lastVelocity, scratch);
  }

  /** A part of one step; false if it diverged. */
  private leaf(): boolean {
    const { flow, z, parts } = this;
    this.steps++;
    const joint = flow.logJoint(z) - this.initialJoint;
    this.acceptanceSum += joint > 0 ? 1 : Math.exp(joint);
    if (joint < -DIVERGENCE) {
      this.divergent = true;
      return false;
    }
    if (this.pending === parts.length) parts.push(new Stretch(this.sum.length));
    const part = parts[this.pending++];
    part.logWeight = joint;
    part.proposal.copyFrom(z);
    part.rho.set(z.momentum);
    this.markEnds(part, z);
    return true;
  }

  private markEnds(stretch: Stretch, z: Phase): void {
    const { inverseMass } = this.flow;
    for (let i = 0; i < inverseMass.length; i++) {
      stretch.firstMomentum[i] = stretch.lastMomentum[i] = z.momentum[i];
      stretch.firstVelocity[i] = stretch.lastVelocity[i] = z.momentum[i] * inverseMass[i];
    }
  }
}
