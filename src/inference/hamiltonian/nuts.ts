/**
 * One transition of the No-U-Turn sampler: Hoffman & Gelman (2014) with the multinomial weighting and the
 * generalised U-turn criterion of Betancourt ("A conceptual introduction to Hamiltonian Monte Carlo", 2017,
 * appendix A), and the two extra checks across subtrees that keep periodic trajectories from slipping through.
 */
import { type Flow, Phase } from './density.ts';

/** An energy error beyond this means that the integrator left the level set: a divergence. */
const DIVERGENCE = 1000;

export interface Transition {
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

/** Buffers for one chain; `transition` may be called any number of times. */
export class Nuts {
  private readonly z: Phase;
  private readonly forward: Phase;
  private readonly backward: Phase;
  private readonly chosen: Phase;
  private readonly sum: Float64Array;
  private readonly scratch: Float64Array;
  private readonly pool: Stretch[] = [];
  private pooled = 0;
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
  }

  /** Moves `current` (position, gradient and density valid) to the next state of the chain. */
  transition(current: Phase, stepSize: number): Transition {
    const { flow, z, forward, backward, chosen, sum } = this;
    const n = sum.length;
    z.copyFrom(current);
    flow.refresh(z, () => this.chance.gaussian());
    this.initialJoint = flow.logJoint(z);
    forward.copyFrom(z);
    backward.copyFrom(z);
    chosen.copyFrom(z);
    const whole = this.take();
    whole.logWeight = 0;
    whole.rho.set(z.momentum);
    // In `whole`, first is the backward end and last the forward end, whichever way it grew.
    this.markEnds(whole, z);
    this.acceptanceSum = 0;
    this.steps = 0;
    this.divergent = false;

    let depth = 0;
    for (; depth < this.maxDepth; depth++) {
      const direction = this.chance.uniform() < 0.5 ? -1 : 1;
      z.copyFrom(direction === 1 ? forward : backward);
      const grown = this.take();
      const valid = this.build(depth, direction * stepSize, grown);
      (direction === 1 ? forward : backward).copyFrom(z);
      if (!valid) break;
      // Biased progressive sampling: the new half is preferred when it is the heavier one.
      if (Math.log(this.chance.uniform()) < grown.logWeight - whole.logWeight) chosen.copyFrom(grown.proposal);
      const going = this.joinWhole(whole, grown, direction, n);
      this.give(grown);
      if (!going) {
        depth++;
        break;
      }
    }
    this.pooled = 0;
    current.copyFrom(chosen);
    return {
      acceptance: this.steps === 0 ? 0 : this.acceptanceSum / this.steps,
      divergent: this.divergent,
      depth,
      steps: this.steps,
    };
  }

  /** Joins a new stretch to the whole trajectory; false once it turns back on itself. */
  private joinWhole(whole: Stretch, grown: Stretch, direction: number, n: number): boolean {
    const { sum, scratch } = this;
    whole.logWeight = logAddExp(whole.logWeight, grown.logWeight);
    for (let i = 0; i < n; i++) sum[i] = whole.rho[i] + grown.rho[i];
    // Seen in the direction of growth: old stretch, then new one.
    const oldStart = direction === 1 ? whole.firstVelocity : whole.lastVelocity;
    const oldEndMomentum = direction === 1 ? whole.lastMomentum : whole.firstMomentum;
    const oldEndVelocity = direction === 1 ? whole.lastVelocity : whole.firstVelocity;
    let going = apart(oldStart, grown.lastVelocity, sum);
    for (let i = 0; i < n; i++) scratch[i] = whole.rho[i] + grown.firstMomentum[i];
    going = going && apart(oldStart, grown.firstVelocity, scratch);
    for (let i = 0; i < n; i++) scratch[i] = oldEndMomentum[i] + grown.rho[i];
    going = going && apart(oldEndVelocity, grown.lastVelocity, scratch);
    whole.rho.set(sum);
    const [endMomentum, endVelocity] =
      direction === 1 ? [whole.lastMomentum, whole.lastVelocity] : [whole.firstMomentum, whole.firstVelocity];
    endMomentum.set(grown.lastMomentum);
    endVelocity.set(grown.lastVelocity);
    return going;
  }

  /** Builds 2^depth steps from `z` on, leaving `z` at the end; false if they diverge or turn back. */
  private build(depth: number, step: number, out: Stretch): boolean {
    if (depth === 0) return this.leaf(step, out);
    const n = out.rho.length;
    const first = this.take();
    if (!this.build(depth - 1, step, first)) {
      this.give(first);
      return false;
    }
    const second = this.take();
    if (!this.build(depth - 1, step, second)) {
      this.give(second);
      this.give(first);
      return false;
    }
    out.logWeight = logAddExp(first.logWeight, second.logWeight);
    const useSecond = Math.log(this.chance.uniform()) < second.logWeight - out.logWeight;
    out.proposal.copyFrom(useSecond ? second.proposal : first.proposal);
    for (let i = 0; i < n; i++) out.rho[i] = first.rho[i] + second.rho[i];
    out.firstMomentum.set(first.firstMomentum);
    out.firstVelocity.set(first.firstVelocity);
    out.lastMomentum.set(second.lastMomentum);
    out.lastVelocity.set(second.lastVelocity);
    let going = apart(first.firstVelocity, second.lastVelocity, out.rho);
    const { scratch } = this;
    for (let i = 0; i < n; i++) scratch[i] = first.rho[i] + second.firstMomentum[i];
    going = going && apart(first.firstVelocity, second.firstVelocity, scratch);
    for (let i = 0; i < n; i++) scratch[i] = first.lastMomentum[i] + second.rho[i];
    going = going && apart(first.lastVelocity, second.lastVelocity, scratch);
    this.give(second);
    this.give(first);
    return going;
  }

  private leaf(step: number, out: Stretch): boolean {
    const { flow, z } = this;
    flow.leapfrog(z, step);
    this.steps++;
    const joint = flow.logJoint(z) - this.initialJoint;
    this.acceptanceSum += joint > 0 ? 1 : Math.exp(joint);
    if (joint < -DIVERGENCE) {
      this.divergent = true;
      return false;
    }
    out.logWeight = joint;
    out.proposal.copyFrom(z);
    out.rho.set(z.momentum);
    this.markEnds(out, z);
    return true;
  }

  private markEnds(stretch: Stretch, z: Phase): void {
    const { inverseMass } = this.flow;
    for (let i = 0; i < inverseMass.length; i++) {
      stretch.firstMomentum[i] = stretch.lastMomentum[i] = z.momentum[i];
      stretch.firstVelocity[i] = stretch.lastVelocity[i] = z.momentum[i] * inverseMass[i];
    }
  }

  private take(): Stretch {
    if (this.pooled === this.pool.length) this.pool.push(new Stretch(this.sum.length));
    return this.pool[this.pooled++];
  }

  /** Stretches are given back in the reverse order of taking. */
  private give(_stretch: Stretch): void {
    this.pooled--;
  }
}
