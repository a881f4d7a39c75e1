/**
 * Rounds of a loop that rejects, with choices that a network proposes. Such a loop gives x with density p(x) / p(A) under the prior, and q(x) / q(A)
 * under the guide, where A is what is accepted. So only the round that is accepted is weighed, and the weight has q(A) / p(A) in it. Of
 * that there is an unbiased estimate that does not depend on x, from a few loops more by the guide and by the prior (after
 * Naderiparizi et al., "Amortized rejection sampling in universal probabilistic programming", 2022). These come first, so that
 * the program goes on with the last round.
 */
import type { Address } from '../runtime/address.ts';
import { countRounds, type Rounds } from '../runtime/rejection.ts';
import type { Course } from './course.ts';
import type { Recorder } from './recorder.ts';

/** Loops that are made to find out how much is accepted, by the guide and by the prior. */
const MORE_LOOPS = 4;

/** The handler that weighs the execution. */
export interface Weighing {
  readonly weighs: boolean;
  logWeight: number;
  /** Loops that are being made, one inside the other: choices in them are weighed at their end. */
  loops: number;
  weigh(score: number): void;
}

export class ProposedRounds implements Rounds {
  private readonly start: () => void;
  private readonly taken: number;
  private readonly prior: number;
  private readonly before: number;
  private readonly outside: number;
  /** Loops that are still to be made besides the last one. */
  private byGuide: number;
  private byPrior: number;
  private rounds = { guide: 0, prior: 0 };

  constructor(
    private readonly weighing: Weighing,
    private readonly course: Course,
    private readonly recorder: Recorder | null,
  ) {
    course.hasRejected = true;
    this.start = course.bookmark();
    this.taken = recorder?.choices.length ?? 0;
    this.prior = course.fromPrior[0];
    this.before = course.ratios[0];
    this.outside = weighing.logWeight;
    this.byGuide = weighing.weighs ? MORE_LOOPS : 0;
    this.byPrior = this.byGuide;
    weighing.loops++;
    course.fromPrior[0] = 0;
  }

  round(address: Address): Address {
    const { rounds, recorder, weighing } = this;
    if (this.byGuide === 0 && this.byPrior > 0) rounds.prior++;
    else rounds.guide++;
    countRounds(rounds.guide + rounds.prior);
    this.start();
    if (recorder !== null) recorder.choices.length = this.taken;
    weighing.logWeight = this.outside;
    return address;
  }

  accepts(): boolean {
    const { course } = this;
    if (this.byGuide > 0) {
      if (--this.byGuide === 0) course.fromPrior[0] = 1;
      return false;
    }
    if (this.byPrior > 0) {
      if (--this.byPrior === 0) course.fromPrior[0] = 0;
      return false;
    }
    this.end();
    return true;
  }

  private end(): void {
    const { weighing, course, rounds } = this;
    weighing.loops--;
    course.fromPrior[0] = this.prior;
    const ratio = course.ratios[0] - this.before;
    course.ratios[0] = this.before;
    if (!weighing.weighs) return;
    // What loops inside and guides of choices' own have weighed in this round stays.
    const inside = weighing.logWeight - this.outside;
    weighing.logWeight = this.outside;
    // Of so many rounds up to the last accepted one, less one: unbiased for q(A).
    const acceptance = MORE_LOOPS / (rounds.guide - 1);
    const waiting = rounds.prior / MORE_LOOPS;
    weighing.weigh(Math.log(acceptance) + Math.log(waiting) - ratio + inside);
  }
}
