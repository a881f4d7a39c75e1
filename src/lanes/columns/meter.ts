/**
 * Whether executions side by side pay. What they do is counted, never timed, so that a run goes the same way each time. An
 * operation costs something however few executions it is for, a value that is no number costs something for each of them,
 * and groups that have to start again cost what they did before. One by one, every execution would do its own operations. A
 * few executions are made first. If side by side would then cost more for the full number of executions than one by one, the
 * others are made one by one.
 */
import { processorTime } from '../../host/system.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { optimising } from '../../v8/optimising.ts';

/**
 * What is done, in nanoseconds of a usual processor. Only their proportions matter, and these roughly: they were fitted to the processor
 * time of the programs of `bench/styles/` in both ways, with as many executions as they have and ten times as many.
 */
const TOGETHER: Counts = {
  operations: 12_000,
  sides: 20_000,
  lanes: 1,
  choices: 25,
  values: 110,
  codes: 60,
  copies: 3500,
  draws: 500,
  tensors: 0,
};
/** Alone, in code that V8 has optimised. */
const ALONE: Counts = {
  operations: 0,
  sides: 0,
  lanes: 1,
  choices: 150,
  values: 40,
  codes: 0,
  copies: 0,
  draws: 250,
  tensors: 2000,
};
/** What V8 takes to optimise it: so much more for each choice, as long as they are not so many. */
const NEW_CHOICE = 1500;
const NEW_CHOICES = 15_000;
/** What may be spent before it has to pay: little beside what the shortest runs take. */
const ALLOWANCE = 3e6;
/** How often it is asked whether it pays: by operations. */
const EVERY = 16;
/** The same for whether it takes too long. */
const TIMED = 4;
/** How much is saved for what is spent, at least: what is counted is rough. */
const LEAST_GAIN = 1.2;
/** The same where it did pay for a part of the executions: only what is clearly a loss is given up then. */
const SURPRISE = 0.5;
/** A trial whose results are not used ends when so much is spent, and so many times as much would be saved. */
const ENOUGH = 1e6;
const CLEARLY = 3;
/** A trial may take such a share of the time that all would take alone, for each time that it is faster. */
const SHARE = 0.1;
/** So many executions, or more, begin with a part of them. */
const WORTH_TRYING = 1000;
const PART = 16;
const MOST_TRIED = 256;

/** How many of so many executions are made first. */
export const triedOf = (count: number): number =>
  count < WORTH_TRYING ? 0 : Math.min(MOST_TRIED, Math.ceil(count / PART));

const WHY = 'few of them at a time do the same, so that they are made sooner alone';

export const notWorthIt = (): OneByOne => new OneByOne('courses', WHY);

/** Ends a trial that has shown enough. */
class Shown extends OneByOne {}

/** What is counted. */
interface Counts {
  /** Operations, and sides of conditionals that are run for some, however many executions they are for. */
  operations: number;
  sides: number;
  /** Operations, choices and observations, one for each execution. */
  lanes: number;
  choices: number;
  /** Values that were taken or made for each execution, places in a table, and objects in which something differs. */
  values: number;
  codes: number;
  copies: number;
  /** Choices and scores by a family's own definition, for one execution after the other: about the same as alone. */
  draws: number;
  /** Operations on tensors, such as layers of networks, one for each execution. */
  tensors: number;
}

const NOTHING: Counts = {
  operations: 0,
  sides: 0,
  lanes: 0,
  choices: 0,
  values: 0,
  codes: 0,
  copies: 0,
  draws: 0,
  tensors: 0,
};

/** What is counted once, however many executions there are. */
const fixedOf = (counts: Counts): number => TOGETHER.operations * counts.operations + TOGETHER.sides * counts.sides;

/** What is counted for executions. */
const ofEach = (prices: Counts, counts: Counts): number =>
  prices.lanes * counts.lanes +
  prices.choices * counts.choices +
  prices.values * counts.values +
  prices.codes * counts.codes +
  prices.copies * counts.copies +
  prices.draws * counts.draws +
  prices.tensors * counts.tensors;

class Meter {
  private counts = { ...NOTHING };
  /** How often everything is done alone. */
  private often = 1;
  /** How many executions there are to be, for each of those that are made. */
  private times = 1;
  private isTried = false;
  /** Whether side by side is being tried, and can be given up. */
  private isTrying = false;
  /** Whether it is tried only to see whether it pays. */
  private isProbing = false;
  /** How long all would take alone, in milliseconds, and when the trial began. */
  private alone = Infinity;
  private mostOfIt = 1;
  private began = 0;
  /** The clock that may end a trial. Null: only what is counted decides, so that a run goes the same way each time. */
  clock: (() => number) | null = processorTime;
  /** Whether nothing is given up, whatever it costs: tests that hold side by side to one by one need both. */
  isPatient = false;

  /** Counts an operation for so many executions. */
  operation(lanes: number): void {
    const { counts } = this;
    counts.lanes += lanes;
    if (++counts.operations % EVERY === 0 && this.isTrying) this.look();
    if (this.alone !== Infinity && counts.operations % TIMED === 0) this.checkTime(this.alone);
  }

  /** The same for one on tensors, such as a layer of a network. */
  tensors(lanes: number): void {
    this.counts.tensors += lanes;
    this.operation(lanes);
  }

  /** Counts a choice, or an observation, for so many executions. */
  choice(lanes: number): void {
    this.counts.choices += lanes;
  }

  private look(): void {
    const { counts } = this;
    const spent = fixedOf(counts) + ofEach(TOGETHER, counts);
    if (this.isPatient || spent < ENOUGH) return;
    if (this.isProbing && this.gain >= CLEARLY) throw new Shown('courses', 'side by side clearly pays');
    if (spent >= ALLOWANCE && !this.pays) throw notWorthIt();
  }

  /** Ends a trial that takes too large a share of the time that all would take alone; more of it, if much is gained. */
  private checkTime(alone: number): void {
    const share = Math.min(this.mostOfIt, SHARE * this.gain);
    if (!this.isPatient && this.clock!() - this.began > share * alone) throw notWorthIt();
  }

  /** Whether what is done pays, if the executions are so many times as many. */
  private get pays(): boolean {
    return this.gain >= (this.isTried ? SURPRISE : LEAST_GAIN);
  }

  /** How many times as long the same would take alone. */
  private get gain(): number {
    const { counts, times, often } = this;
    const together = fixedOf(counts) + times * ofEach(TOGETHER, counts);
    const choices = often * times * counts.choices;
    const alone = often * times * ofEach(ALONE, counts) + NEW_CHOICE * Math.min(choices, NEW_CHOICES);
    return together === 0 ? Infinity : alone / together;
  }

  /** Which share of what was done does not depend on the number of executions. */
  get onceForAll(): number {
    const once = fixedOf(this.counts);
    return once === 0 ? 0 : once / (once + ofEach(TOGETHER, this.counts));
  }

  /** Does `work`, and gives how many executions its operations were for, on average. */
  lanesOfEach(work: () => void): number {
    const { operations, lanes } = this.counts;
    work();
    return (this.counts.lanes - lanes) / Math.max(1, this.counts.operations - operations);
  }

  /** Counts a side of a conditional that is run for some. */
  side(): void {
    this.counts.sides++;
  }

  /** Counts values that were taken or made for each execution. */
  values(count: number): void {
    this.counts.values += count;
  }

  /** Counts places in a table that were taken or made for each execution. */
  codes(count: number): void {
    this.counts.codes += count;
  }

  /** The same for objects in which something differs. */
  copies(count: number): void {
    this.counts.copies += count;
  }

  /** Counts choices or scores, one for each execution after the other. */
  each(count: number): void {
    this.counts.draws += count;
  }

  /** Runs `work`; where it cannot be ended, nothing of it was saved. */
  run<R>(work: () => R): R {
    const { counts } = this;
    this.counts = { ...counts };
    try {
      return work();
    } catch (thrown) {
      const { choices, lanes, tensors } = counts;
      Object.assign(this.counts, { choices, lanes, tensors });
      throw thrown;
    }
  }

  /** Counts `work` by itself, as another attempt; one execution alone would do everything so many times. */
  anew<R>(often: number, work: () => R): R {
    const { counts, often: before, times, isTried, isTrying, alone } = this;
    Object.assign(this, { counts: { ...NOTHING }, often, times: 1, isTried: false, isTrying: true, alone: Infinity });
    try {
      return work();
    } finally {
      Object.assign(this, { counts, often: before, times, isTried, isTrying, alone });
    }
  }

  /**
   * Runs `work` for a part of the executions; ends side by side where the others, so many times as many, would not pay, or where the trial takes
   * long beside the milliseconds that all would take alone, if these are given, with the share of them that it may take.
   */
  trial<R>(others: number, work: () => R, alone = Infinity, mostOfIt = 1): R {
    Object.assign(this, { times: others, alone, mostOfIt, began: this.clock?.() ?? 0 });
    const result = work();
    this.alone = Infinity;
    if (!this.pays && !this.isPatient) throw notWorthIt();
    this.goOn();
    return result;
  }

  /** The same for executions whose results are not used: it is over as soon as it is clear that the others pay. */
  probe(others: number, work: () => unknown): void {
    this.isProbing = true;
    try {
      this.trial(others, work);
    } catch (thrown) {
      if (!(thrown instanceof Shown)) throw thrown;
      this.goOn();
    } finally {
      this.isProbing = false;
    }
  }

  /** After a trial that showed that side by side pays. */
  private goOn(): void {
    Object.assign(this, { counts: { ...NOTHING }, times: 1, isTried: true });
    optimising.lasting();
  }
}

/** Of this thread. */
export const meter = new Meter();
