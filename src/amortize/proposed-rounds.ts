/**
 * Rounds of a loop that rejects, with choices that a network proposes. Such a loop gives x with density p(x) / p(A) under the prior, and q(x) / q(A)
 * under the guide, where A is what is accepted. So only the round that is accepted is weighed, and the weight has q(A) / p(A) in it. Of
 * that there is an unbiased estimate that does not depend on x, from a few loops more by the guide and by the prior (after
 * Naderiparizi et al., "Amortized rejection sampling in universal probabilistic programming", 2022). These come first, so that
 * the program goes on with the last round. Of executions side by side each counts its own rounds.
 */
import type { Address } from '../runtime/address.ts';
import { countRounds, type Rounds } from '../runtime/rejection.ts';
import type { Proposer } from './proposer.ts';
import type { Recorder } from './recorder.ts';

/** Loops that are made to find out how much is accepted, by the guide and by the prior. */
const MORE_LOOPS = 4;

/** The handler that weighs executions. */
export interface Weighing {
  readonly weighs: boolean;
  /** The executions that are going on. */
  slots(): ArrayLike<number>;
  /** Log-weights by execution, but for choices in loops: these are weighed when their loop ends. */
  weightAt(slot: number): number;
  setWeight(slot: number, logWeight: number): void;
  /** Adds to the log-weights of the executions that are going on. */
  weighEach(scores: Float64Array): void;
  /** Whether those executions leave a loop (1), as a condition of the program. */
  answer(leaves: Uint8Array): unknown;
  /** Gives how many loops there are around it. */
  loopBegins(): number;
  loopEnds(slot: number): void;
}

export class ProposedRounds implements Rounds {
  private readonly start: (slots: ArrayLike<number>) => void;
  private readonly taken: number;
  private readonly prior: Uint8Array;
  private readonly before: Float64Array;
  private readonly outside: Float64Array;
  /** Loops that each is still to make besides the last one: by the guide, then by the prior. */
  private readonly more: Uint8Array;
  private readonly guided: Int32Array;
  private readonly unguided: Int32Array;

  constructor(
    private readonly weighing: Weighing,
    private readonly proposer: Proposer,
    private readonly recorder: Recorder | null,
  ) {
    const slots = weighing.slots();
    const size = proposer.ratios.length;
    // In rounds that an outer loop makes from the prior, to find out how much it accepts, inner loops are made
    // from the prior, too.
    const isByPrior = weighing.loopBegins() > 0 && proposer.fromPrior[slots[0]] === 1;
    proposer.hasRejected = true;
    this.start = proposer.bookmark();
    this.taken = recorder?.choices.length ?? 0;
    this.prior = proposer.fromPrior.slice();
    this.before = proposer.ratios.slice();
    this.outside = new Float64Array(size);
    this.more = new Uint8Array(size).fill(weighing.weighs && !isByPrior ? 2 * MORE_LOOPS : 0);
    this.guided = new Int32Array(size);
    this.unguided = new Int32Array(size);
    for (let i = 0; i < slots.length; i++) {
      this.outside[slots[i]] = weighing.weightAt(slots[i]);
      if (!isByPrior) proposer.fromPrior[slots[i]] = 0;
    }
  }

  round(address: Address): Address {
    const { guided, unguided, more, recorder, weighing } = this;
    const slots = weighing.slots();
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i];
      const byPrior = more[slot] > 0 && more[slot] <= MORE_LOOPS;
      if (byPrior) unguided[slot]++;
      else guided[slot]++;
      countRounds(guided[slot] + unguided[slot]);
      weighing.setWeight(slot, this.outside[slot]);
    }
    this.start(slots);
    recorder?.withdraw(this.taken, slots);
    return address;
  }

  accepts(): unknown {
    const { proposer, more, weighing } = this;
    const slots = weighing.slots();
    const leaves = new Uint8Array(slots.length);
    const scores = new Float64Array(slots.length);
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i];
      if (more[slot] > 0) {
        more[slot]--;
        proposer.fromPrior[slot] = more[slot] > 0 && more[slot] <= MORE_LOOPS ? 1 : 0;
      } else {
        leaves[i] = 1;
        weighing.loopEnds(slot);
        scores[i] = this.end(slot);
      }
    }
    const answer = weighing.answer(leaves);
    if (weighing.weighs && leaves.includes(1)) weighing.weighEach(scores);
    return answer;
  }

  /** What an execution weighs for the loop that it leaves. */
  private end(slot: number): number {
    const { weighing, proposer } = this;
    proposer.fromPrior[slot] = this.prior[slot];
    const ratio = proposer.ratios[slot] - this.before[slot];
    proposer.ratios[slot] = this.before[slot];
    // The weights of inner loops and of choices with guides of their own are kept for this round.
    const inside = weighing.weightAt(slot) - this.outside[slot];
    weighing.setWeight(slot, this.outside[slot]);
    // A round from the prior has no weights.
    if (this.unguided[slot] === 0) return 0;
    // An unbiased estimate of q(A) from the number of rounds up to the last accepted one, minus one.
    const acceptance = MORE_LOOPS / (this.guided[slot] - 1);
    const waiting = this.unguided[slot] / MORE_LOOPS;
    return Math.log(acceptance) + Math.log(waiting) - ratio + inside;
  }
}
