import type { ChainSpace } from './chain-space.ts';
import type { Flow, Phase } from './density.ts';

/** Leapfrog steps to be taken. */
export class Leg {
  /** The point to be moved. */
  z!: Phase;
  flow!: Flow;
  /** Signed. */
  step = 0;

  constructor(
    /** How many, always. */
    readonly count: number,
  ) {}

  get inverseMass(): Float64Array {
    return this.flow.inverseMass;
  }
}

/**
 * A kernel that follows trajectories. Its step comes in parts, so that the leapfrog steps of several chains
 * can be taken at once.
 */
export interface Follower {
  readonly chainSpace: ChainSpace<unknown>;
  /** Operations of a density up to which the chain is quicker by itself. */
  readonly aloneUpTo: number;
  /** Starts a step of the chain. False if there is no trajectory to follow. */
  depart(): boolean;
  /** What is to be done before `arrive`. */
  readonly leg: Leg;
  /** Told when the leg is done. Whether there is another one. */
  arrive(): boolean;
  /** Ends the step; true if the chain accepted it. */
  settle(): boolean;
}

/** A step of a chain by itself. */
export function stepAlone(follower: Follower): boolean {
  if (follower.depart()) {
    const { leg } = follower;
    do leg.flow.leapfrog(leg.z, leg.step, leg.count);
    while (follower.arrive());
  }
  return follower.settle();
}
