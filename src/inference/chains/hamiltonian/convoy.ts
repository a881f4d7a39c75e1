import { Reason } from '../../../runtime/reasons.ts';
import type { Convoy } from '../kernel.ts';
import type { Follower } from './follower.ts';
import type { PairedLeapfrog } from './paired-leapfrog.ts';

const DIFFERENT_CHOICES = new Reason('choices', 'they make different choices');

/** Chains that follow trajectories side by side, or why they cannot. */
export function convoyOf(followers: readonly Follower[]): Convoy | Reason {
  for (const { chainSpace } of followers) chainSpace.enter();
  const density = followers[0].chainSpace.only;
  if (density instanceof Reason) return density;
  for (const { chainSpace } of followers) {
    if (chainSpace.only instanceof Reason) return chainSpace.only;
    if (chainSpace.only !== density) return DIFFERENT_CHOICES;
  }
  const paired = density.paired(followers[0].aloneUpTo);
  return paired instanceof Reason ? paired : new Pairs(followers, paired);
}

/**
 * Chains two by two: the leapfrog steps of both are taken at once, in the lanes of one plan. They need not keep pace. While
 * one is in the middle of a trajectory the other may start its next, so that no lane is idle before the end.
 */
class Pairs implements Convoy {
  constructor(
    private readonly followers: readonly Follower[],
    private readonly paired: PairedLeapfrog,
  ) {}

  run(
    steps: number,
    next: () => number,
    moved: (chain: number, step: number, accepted: boolean) => void,
    ended: (chain: number) => void,
  ): void {
    const { followers, paired } = this;
    const made = followers.map(() => 0);
    const settle = (i: number): void => moved(i, ++made[i], followers[i].settle());
    /** Starts the next trajectory of a chain; false if all its steps are made. */
    const depart = (i: number): boolean => {
      for (; made[i] < steps; settle(i)) if (followers[i].depart()) return true;
      ended(i);
      return false;
    };
    const arrive = (i: number): boolean => {
      if (followers[i].arrive()) return true;
      settle(i);
      return depart(i);
    };
    /** The next chain that has a trajectory to follow; −1 if there is none left. */
    const another = (): number => {
      for (let i = next(); i >= 0; i = next()) if (depart(i)) return i;
      return -1;
    };
    let a = another();
    let b = another();
    while (a >= 0 && b >= 0) {
      const { leg } = followers[a];
      paired.run(leg, followers[b].leg, leg.count);
      if (!arrive(a)) a = another();
      if (!arrive(b)) b = another();
    }
    const last = Math.max(a, b);
    if (last < 0) return;
    const { leg } = followers[last];
    do leg.flow.leapfrog(leg.z, leg.step, leg.count);
    while (arrive(last));
  }
}
