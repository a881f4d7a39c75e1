/** Drift kernels: what Metropolis–Hastings proposes from, in place of a choice's own distribution. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import { withoutChoices } from '../../runtime/refusal.ts';
import type { Choice } from './trace.ts';

/** What a new value of the choice is drawn from when it has the given value. */
export function proposalFrom(choice: Choice, value: unknown): Distribution<unknown> {
  const driftKernel = choice.options?.driftKernel;
  if (driftKernel === undefined) return choice.distribution;
  const proposal = withoutChoices('A drift kernel', choice.address.at('drift'), driftKernel, value);
  if (!isDistribution(proposal)) {
    throw new WaymarkError(
      `A drift kernel must return the distribution to propose from, as in driftKernel: x => Gaussian({mu: x, sigma: 1}); ` +
        `got ${describe(proposal)}.`,
    );
  }
  return proposal;
}

/** Says once that a drift kernel leaves the support of a choice. */
export function warnOfImpossible(distribution: Distribution<unknown>): void {
  machine.run.warn(
    `A drift kernel proposed a value outside the support of ${distribution.name}; such proposals are always ` +
      'rejected. If there are many of them, keep the proposal within the support (as uniformDrift does).',
  );
}
