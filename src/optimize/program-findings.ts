/**
 * What the steps of an optimisation have found out about the program, for the steps after them: how it is run, and which
 * values of choices are tried.
 */
import type { Rerun } from '../lanes/rerun.ts';
import type { Address } from '../runtime/address.ts';
import { Reason } from '../runtime/reasons.ts';
import { COURSES_DIFFER, Disagreements } from './disagreements.ts';
import type { BatchingReport } from './explain-batching.ts';
import type { Strand } from './record.ts';
import { Variations } from './variations.ts';

/** After this many recordings that could not be run again, the program is run in every step. */
export const MOST_ATTEMPTS = 2;
/** By then it is known whether sides of conditionals can be recorded. */
const SETTLED = 8;

/** What the number of recordings that failed is called in a checkpoint. */
const ATTEMPTS = 'recordings';
/** The same for whether indices are looked at before items are gathered. */
const CAREFUL = 'careful indices';

export class ProgramFindings {
  /** Data passes that do not work side by side, and why. */
  readonly oneByOne = new Map<Address, Reason>();
  /** Constructs such as `map` that are better off as loops, and why. */
  readonly loops = new Map<Address, Reason>();
  /** Constructs such as `map` whose results the program reads. */
  readonly resultsRead = new Set<Address>();
  readonly disagreements: Disagreements;
  readonly variations = new Variations();
  /** Whether indices are looked at before items are gathered, since one was found outside its list. */
  careful = false;

  constructor(
    base: Address,
    /** Recordings that could not be run again so far; after a few there are no more attempts. */
    public attempts: number,
  ) {
    this.disagreements = new Disagreements(base);
  }

  /** Whether data of a pass are looked at one by one. */
  isOneByOne(pass: Address): boolean {
    if (this.disagreements.isAlone(pass)) this.oneByOne.set(pass, COURSES_DIFFER);
    return this.oneByOne.has(pass);
  }

  /** How many variants of an execution there were when it was found out how data run. */
  private variants: number | undefined;

  /** How often executions have begun. */
  begun = 0;

  /** Executions begin. Within the lanes of values that are tried, data may run otherwise than outside. */
  begin(): void {
    this.begun++;
    const { count } = this.variations.at(null);
    if (this.variants !== undefined && this.variants !== count) {
      this.oneByOne.clear();
      this.disagreements.forgetAll();
    }
    this.variants = count;
  }

  /** Why samples are executed one by one after they were not, and that came to this; null if they need not be. */
  apartAfter(outcome: readonly Strand[] | Reason | undefined, samples: number, entry: Address): Reason | null {
    const { count } = this.variations.at(null);
    if (outcome instanceof Reason) {
      // What was found out about all executions says nothing of values that are tried in one of them.
      if (count > 1) this.disagreements.forget(entry);
      return outcome;
    }
    // Groups run one after the other, so that many of them are no better than that.
    const parted = (outcome?.length ?? 0) > Math.max(1, (samples * count) / 2);
    return parted && !this.disagreements.parted(entry) ? COURSES_DIFFER : null;
  }

  /** Data of a pass are tried side by side as if for the first time. */
  tryAgain(pass: Address): void {
    this.oneByOne.delete(pass);
    this.disagreements.forget(pass);
  }

  /**
   * The program was run in a step. Where steps are not going to be compiled, data that part into many groups are better off one by
   * one; `isHopeless`: steps cannot be recorded for all ways that lanes take.
   */
  executed(step: number, isHopeless: boolean, { isMostlyExecuted }: BatchingReport): void {
    const { attempts, disagreements } = this;
    const isRun = attempts === MOST_ATTEMPTS && (isHopeless || !disagreements.branching);
    if (step >= SETTLED && (isRun || isMostlyExecuted)) disagreements.giveUp();
  }

  /** A step is going to be compiled: whether data are looked at one by one from now on, so that another one is. */
  standsAlone(rerun: Rerun, stepsToCome: number): boolean {
    return this.disagreements.standsAlone(rerun, stepsToCome);
  }

  /** As numbers by name, for a checkpoint. */
  *save(): Iterable<[string, number]> {
    yield [ATTEMPTS, this.attempts];
    yield [CAREFUL, this.careful ? 1 : 0];
    yield* this.disagreements.save();
    yield* this.variations.save();
  }

  /** Takes what belongs here out of the numbers of a checkpoint. */
  restore(numbers: Map<string, number>): void {
    this.attempts = numbers.get(ATTEMPTS) ?? this.attempts;
    this.careful = numbers.get(CAREFUL) === 1;
    for (const name of [ATTEMPTS, CAREFUL]) numbers.delete(name);
    this.disagreements.restore(numbers);
    this.variations.restore(numbers);
  }
}
