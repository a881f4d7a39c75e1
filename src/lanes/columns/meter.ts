/**
 * Whether executions side by side pay. What they do is counted, never timed, so that a run goes the same way each time. An
 * operation costs something however few executions it is for, a value that is no number costs something for each of them,
 * and groups that have to start again cost what they did before. One by one, every execution would do its own operations. A
 * few executions are made first. If side by side would then cost more for the full number of executions than one by one, the
 * others are made one by one.
 */
import { OneByOne } from '../../runtime/signals.ts';
import { optimising } from '../../v8/optimising.ts';

/**
 * What is done, in nanoseconds of a usual processor, in code that has not run for long. Only their proportions matter, and these roughly: they
 * were fitted to the processor time of the programs of `bench/styles/` in both ways.
 */
const OPERATION = 12_000;
const SIDE = 40_000;
const VALUE = 200;
const COPY = 8000;
const CODE = 10;
/** A choice drawn, or a score computed, by a family's own definition for one execution after the other: about the same as alone. */
const ONE = 1000;
/** Alone: an operation, a value that is taken or made, and a choice or an observation, with all that is done around it. */
const ALONE = 15;
const VALUE_ALONE = 80;
const CHOICE_ALONE = 600;
/** The same of an operation on tensors, which makes a tensor each time. */
const TENSOR = 2000;
/** What may be spent before it has to pay: little beside what the shortest runs take. */
const ALLOWANCE = 6e6;
/** The largest ratio of what is spent to what is saved: counts are rough, so only a clear loss is given up. */
const LEAST_GAIN = 1;
/** The same once it has paid for some of the executions. */
const SURPRISE = 3;
/** So many executions, or more, begin with a part of them. */
const WORTH_TRYING = 1000;
const PART = 16;

/** How many of so many executions are made first. */
export const triedOf = (count: number): number => (count < WORTH_TRYING ? 0 : Math.ceil(count / PART));

const WHY = 'few of them at a time do the same, so that they are made sooner alone';

const notWorthIt = (): OneByOne => new OneByOne('courses', WHY);

class Meter {
  /** Spent for operations, however many executions they are for, and for executions. */
  private fixed = 0;
  private spent = 0;
  private saved = 0;
  /** How often everything is done alone. */
  private often = 1;
  /** How many executions there are to be, for each of those that are made. */
  private times = 1;
  private isTried = false;
  /** Whether side by side is being tried, and can be given up. */
  private isTrying = false;
  /** Whether nothing is given up, whatever it costs: tests that hold side by side to one by one need both. */
  isPatient = false;

  /** Counts an operation for so many executions. */
  operation(lanes: number): void {
    this.saved += this.often * ALONE * lanes;
    this.begun();
  }

  /** The same for one on tensors, such as a layer of a network. */
  tensors(lanes: number): void {
    this.saved += this.often * TENSOR * lanes;
    this.begun();
  }

  /** Counts a choice, or an observation, for so many executions. */
  choice(lanes: number): void {
    this.saved += this.often * CHOICE_ALONE * lanes;
  }

  private begun(): void {
    this.fixed += OPERATION;
    if (this.isTrying && this.fixed + this.spent > ALLOWANCE && !this.pays && !this.isPatient) throw notWorthIt();
  }

  /** Whether what is done pays, if the executions are so many times as many. */
  private get pays(): boolean {
    const { fixed, spent, saved, times, isTried } = this;
    return fixed + times * spent <= (isTried ? SURPRISE : LEAST_GAIN) * times * saved;
  }

  /** Counts a side of a conditional that is run for some. */
  side(): void {
    this.fixed += SIDE;
  }

  /** Counts values that were taken or made for each execution. */
  values(count: number): void {
    this.spent += VALUE * count;
    this.saved += this.often * VALUE_ALONE * count;
  }

  /** Counts places in a table that were taken or made for each execution. */
  codes(count: number): void {
    this.spent += CODE * count;
  }

  /** The same for objects in which something differs. */
  copies(count: number): void {
    this.spent += COPY * count;
  }

  /** Counts choices or scores, one for each execution after the other. */
  each(count: number): void {
    this.spent += ONE * count;
    this.saved += this.often * ONE * count;
  }

  /** Runs `work`; where it cannot be ended, nothing of it was saved. */
  run<R>(work: () => R): R {
    const { saved } = this;
    try {
      return work();
    } catch (thrown) {
      this.saved = saved;
      throw thrown;
    }
  }

  /** Counts `work` by itself, as another attempt; one execution alone would do everything so many times. */
  anew<R>(often: number, work: () => R): R {
    const { fixed, spent, saved, often: before, times, isTried, isTrying } = this;
    Object.assign(this, {
      fixed: 0,
      spent: 0,
      saved: 0,
      often,
      times: 1,
      isTried: false,
      isTrying: true,
    });
    try {
      return work();
    } finally {
      Object.assign(this, { fixed, spent, saved, often: before, times, isTried, isTrying });
    }
  }

  /** Runs `work` for a part of the executions; ends side by side where the others, so many times as many, would not pay. */
  trial<R>(others: number, work: () => R): R {
    this.times = others;
    const result = work();
    if (!this.pays && !this.isPatient) throw notWorthIt();
    Object.assign(this, { fixed: 0, spent: 0, saved: 0, times: 1, isTried: true });
    optimising.lasting();
    return result;
  }
}

/** Of this thread. */
export const meter = new Meter();
