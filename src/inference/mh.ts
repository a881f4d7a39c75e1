import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { withoutChoices } from '../runtime/refusal.ts';
import { sameValue } from '../runtime/values.ts';
import type { Chain } from './chain.ts';
import { flag, type OptionTable, withDefault } from './options.ts';
import type { Choice, Trace } from './trace.ts';

export interface MHOptions {
  /** Whether the chain may start from an impossible execution; it then moves freely until it finds a possible one. */
  permissive: boolean;
  /** Whether only discrete choices are proposed. */
  discreteOnly: boolean;
}

export const mhOptions: OptionTable<MHOptions> = {
  permissive: withDefault(flag, false),
  discreteOnly: withDefault(flag, false),
};

/**
 * Single-site Metropolis–Hastings: proposes another value at one choice, picked uniformly, from its own
 * distribution or from its drift kernel, and executes again with all other values taken over where they can be.
 */
export class MetropolisHastings<T> {
  readonly onlyProposes = true;

  constructor(
    private readonly chain: Chain<T>,
    private readonly options: MHOptions,
  ) {
    chain.reexecution.permissive = options.permissive;
  }

  /** One step; true if the proposal was accepted. */
  step(): boolean {
    const { chain } = this;
    const { current, random } = chain;
    random.begin();
    const sites = this.countSites(current);
    if (sites === 0) return true;
    const site = this.pickSite(current, random.integer(sites));
    const choice = current.choices[site];

    const proposal = proposalFrom(choice, choice.value);
    const value = proposal.draw(random);
    if (!choice.distribution.isContinuous && sameValue(value, choice.value)) return true;
    const threshold = Math.log(random.uniform());
    if (proposal !== choice.distribution && choice.distribution.score(value) === -Infinity) {
      warnOfImpossible(choice);
      return false;
    }
    const forward = proposal.score(value);
    if (!chain.propose(site, value)) return false;

    const { candidate } = chain;
    const proposed = candidate.choices[site];
    // Choices before the site were taken over, so the site is where it was, unless the program drew on its own.
    if (site >= candidate.length || proposed.address !== choice.address) return false;
    if (site < candidate.boundary) return false;
    const reverse = proposalFrom(proposed, value).score(choice.value);
    const { freshScore, staleScore } = chain.reexecution;
    const ratio =
      chain.target(candidate) -
      chain.target(current) +
      Math.log(sites / this.countSites(candidate)) +
      (reverse + staleScore) -
      (forward + freshScore);
    if (current.factorScore > -Infinity && !(threshold < ratio)) return false;
    chain.accept();
    return true;
  }

  private countSites(trace: Trace<T>): number {
    if (!this.options.discreteOnly) return trace.length - trace.boundary;
    let count = 0;
    for (let i = trace.boundary; i < trace.length; i++) if (!trace.choices[i].distribution.isContinuous) count++;
    return count;
  }

  /** The place of the k-th choice that may be proposed. */
  private pickSite(trace: Trace<T>, k: number): number {
    if (!this.options.discreteOnly) return trace.boundary + k;
    let place = trace.boundary;
    for (; ; place++) {
      if (trace.choices[place].distribution.isContinuous) continue;
      if (k-- === 0) return place;
    }
  }
}

/** What a new value of the choice is drawn from when it has the given value. */
function proposalFrom(choice: Choice, value: unknown): Distribution<unknown> {
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

function warnOfImpossible(choice: Choice): void {
  machine.run.warn(
    `A drift kernel proposed a value outside the support of ${choice.distribution.name}; such proposals are always ` +
      'rejected. If there are many of them, keep the proposal within the support (as uniformDrift does).',
  );
}
