import type { Distribution } from '../../runtime/handler.ts';
import { sameValue } from '../../runtime/values.ts';
import { flag, type OptionTable, withDefault } from '../options.ts';
import type { Chain } from './chain.ts';
import { proposalFrom, warnOfImpossible } from './drift.ts';
import type { ChainPlan, Leap, SampleColumn } from './kernel.ts';
import { RecordedSteps } from './recorded-steps.ts';
import type { Trace } from './trace.ts';

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
  private readonly recorded: RecordedSteps<T>;

  constructor(
    private readonly chain: Chain<T>,
    private readonly options: MHOptions,
  ) {
    chain.reexecution.permissive = options.permissive;
    this.recorded = new RecordedSteps(chain);
  }

  begin(plan: ChainPlan): number {
    const { permissive, discreteOnly } = this.options;
    if (!plan.watched && !permissive && !discreteOnly) this.recorded.plan(plan.burn + plan.steps);
    return plan.burn;
  }

  sample(): { value: T; score: number } | null {
    return this.recorded.sample();
  }

  /** Steps as long as they can be made from a recording. */
  leap(most: number, first: number, every: number, samples: SampleColumn<T>): Leap | null {
    const { recorded, chain } = this;
    let steps = 0;
    let accepted = 0;
    let next = first;
    while (steps < most && recorded.ready()) {
      const walked = recorded.walk(most - steps, next - steps, every, samples);
      if (walked !== null) {
        steps += walked.steps;
        accepted += walked.accepted;
        if (next < steps) next += every * Math.ceil((steps - next) / every);
        continue;
      }
      if (this.recordedStep()) accepted++;
      if (steps++ !== next) continue;
      next += every;
      const { value, score } = recorded.sample() ?? chain.current;
      samples.add(value as T, score);
    }
    return steps === 0 ? null : { steps, accepted };
  }

  /** One step; true if the proposal was accepted. */
  step(): boolean {
    return this.recorded.ready() ? this.recordedStep() : this.executedStep();
  }

  private recordedStep(): boolean {
    const { recorded, chain } = this;
    const outcome = recorded.step();
    if (typeof outcome === 'boolean') return outcome;
    const { site, value, threshold } = outcome;
    const choice = chain.current.choices[site];
    return recorded.after(this.decide(site, proposalFrom(choice, choice.value), value, threshold));
  }

  private executedStep(): boolean {
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
    const accepted = this.decide(site, proposal, value, threshold);
    this.recorded.watch();
    return accepted;
  }

  /** Executes with a value that was drawn for a choice, and decides by the logarithm of a uniform number. */
  private decide(site: number, proposal: Distribution<unknown>, value: unknown, threshold: number): boolean {
    const { chain } = this;
    const { current } = chain;
    const choice = current.choices[site];
    if (proposal !== choice.distribution && choice.distribution.score(value) === -Infinity) {
      warnOfImpossible(choice.distribution);
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
      Math.log(this.countSites(current) / this.countSites(candidate)) +
      (reverse + staleScore) -
      (forward + freshScore);
    if (current.factorScore > -Infinity && !(threshold < ratio)) return false;
    chain.accept();
    this.recorded.moved();
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
