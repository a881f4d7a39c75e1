/**
 * Whether executions side by side pay. Operations are counted, never timed, so that a run goes the same way each
 * time. An operation has a fixed cost, however few executions it is for; a value other than a number has a cost for
 * each of them; and groups that have to start again cost what they did before. One by one, every execution would do
 * its own operations. A few executions are made first. If side by side would then cost more for the full number of
 * executions than one by one, the others are made one by one.
 */
import { processorTime } from '../../host/system.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { optimising } from '../../v8/optimising.ts';

/**
 * Costs in nanoseconds of a usual processor. Only their proportions matter, and these roughly: they were fitted to
 * the processor time of the programs of `bench/styles/` in both ways, with as many executions as they have and ten
 * times as many. (Measure with the built command: tests run slower code one by one.)
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
  loops: 40,
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
  loops: 100,
  tensors: 2000,
};
/** The cost of V8's optimising: so much for each choice, up to a number of choices. */
const NEW_CHOICE = 1500;
const NEW_CHOICES = 15_000;
/** A trial that costs less than this is never given up: it is little beside what the shortest runs take. */
const ALLOWANCE = 3e6;
/** After how many operations it is checked whether they pay. */
const EVERY = 16;
/** The same for the time that a trial takes. */
const TIMED = 4;
/** The least gain: costs are rough. */
const LEAST_GAIN = 1.2;
/** The least gain where a part of the executions did pay: only a clear loss is given up then. */
const SURPRISE = 0.5;
/** A trial whose results are not used ends when it has cost this much and the gain is clear. */
const ENOUGH = 1e6;
/** Where only what was measured speaks for side by side, a trial may take this share: the larger part that comes next takes up to eight times as long. */
const SHORT_SHARE = 0.02;
/** Of a millisecond. */
const NANOSECONDS = 1e6;
const CLEARLY = 3;
/** A trial may take such a share of the time that all would take alone, for each time that it is faster. */
const SHARE = 0.1;
/** The share where what is counted does not tell how long they take alone. */
const PATIENCE = 0.5;
/** And such a share at least: what is counted may be wrong by as much. */
const LEAST_SHARE = 0.05;
/** So many executions, or more, begin with a part of them. */
const WORTH_TRYING = 1000;
const PART = 16;
const MOST_TRIED = 256;

/** How many of so many executions are made first. */
export const triedOf = (count: number): number =>
  count < WORTH_TRYING ? 0 : Math.min(MOST_TRIED, Math.ceil(count / PART));

const WHY = 'few of them at a time do the same, so that they are made sooner alone';

export const notWorthIt = (): OneByOne => new OneByOne('courses', WHY);

/** Whether side by side was left because it would not pay. */
export const isNotWorthIt = ({ text }: { readonly text: string }): boolean => text === WHY;

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
  /** Draws, their parts, and scores by loops of a family's own. */
  loops: number;
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
  loops: 0,
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
  prices.loops * counts.loops +
  prices.tensors * counts.tensors;

/**
 * How long executions would take alone, in milliseconds; which share of that a trial may take; and whether that was measured, or is a guess at what V8
 * will make of them.
 */
export interface Timed {
  readonly alone: number;
  readonly share: number;
  readonly isMeasured: boolean;
}

const UNTIMED: Timed = { alone: Infinity, share: 1, isMeasured: false };

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
  /** Whether that was measured, and is no guess. */
  private isMeasured = false;
  /**
   * How many times as long a trial showed that it takes alone as was counted: what a program does besides choices takes a nanosecond for each operation, or
   * twenty where it makes lists.
   */
  private dearer = 1;
  private mostOfIt = 1;
  /** How many executions must do the same, on average, where that decides and not what is counted; 0 if it does not. */
  private leastLanes = 0;
  private began = 0;
  /** The clock that may end a trial. Null: only what is counted decides, so that a run goes the same way each time. */
  clock: (() => number) | null = processorTime;
  /** How many times as long what had been done would take alone, where side by side ended; null if too little had been done to tell. */
  reached: number | null = null;
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
    if (this.leastLanes > 0) {
      if (counts.lanes < this.leastLanes * counts.operations) throw notWorthIt();
      return;
    }
    if (this.isProbing && this.gain >= CLEARLY) throw new Shown('courses', 'side by side clearly pays');
    if (spent >= ALLOWANCE && !this.pays) throw notWorthIt();
  }

  /** Ends a trial that takes too large a share of the time that all would take alone; more of it, if much is gained. */
  private checkTime(alone: number): void {
    const ofGain = this.leastLanes > 0 ? 1 : Math.max(LEAST_SHARE, SHARE * this.gain);
    const share = Math.min(this.mostOfIt, ofGain);
    if (!this.isPatient && this.clock!() - this.began > share * alone) throw notWorthIt();
  }

  /** Whether what is done pays, if the executions are so many times as many. What was measured says more than what is counted. */
  private get pays(): boolean {
    if (this.isMeasured) return this.together <= NANOSECONDS * this.alone;
    return this.gain >= (this.isTried ? SURPRISE : LEAST_GAIN);
  }

  /** What is done costs so much, if the executions are so many times as many. */
  private get together(): number {
    return fixedOf(this.counts) + this.times * ofEach(TOGETHER, this.counts);
  }

  /** The same alone, where that was not measured. */
  private get apart(): number {
    const { counts, times, often } = this;
    const choices = often * times * counts.choices;
    return often * times * ofEach(ALONE, counts) + NEW_CHOICE * Math.min(choices, NEW_CHOICES);
  }

  /** How many times as long the same would take alone. */
  private get gain(): number {
    const { together } = this;
    return together === 0 ? Infinity : (this.dearer * this.apart) / together;
  }

  /** The share of the cost that does not depend on the number of executions. */
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

  /** The same by a loop of the family's own. */
  looped(count: number): void {
    this.counts.loops += count;
  }

  /** Runs `work`; where it cannot be ended, nothing of it was saved. */
  run<R>(work: () => R): R {
    const { counts } = this;
    this.counts = { ...counts };
    try {
      return work();
    } catch (thrown) {
      if (this.counts.choices > 0) this.reached = this.gain;
      const { choices, lanes, tensors } = counts;
      Object.assign(this.counts, { choices, lanes, tensors });
      throw thrown;
    }
  }

  /**
   * Runs `work` for so many executions, which alone would take so many milliseconds however little of that is counted. It ends only
   * where they take different courses, or take too large a share of this time.
   */
  patiently<R>(executions: number, alone: number, work: () => R): R {
    Object.assign(this, { alone, mostOfIt: PATIENCE, began: this.clock?.() ?? 0 });
    this.leastLanes = executions / 2;
    try {
      return work();
    } finally {
      this.leastLanes = 0;
    }
  }

  /** Counts `work` by itself, as another attempt; one execution alone would do everything so many times. */
  anew<R>(often: number, work: () => R): R {
    const { counts, often: before, times, isTried, isTrying, alone, isMeasured, dearer } = this;
    this.reached = null;
    const afresh = { times: 1, isTried: false, isTrying: true, alone: Infinity, isMeasured: false, dearer: 1 };
    Object.assign(this, { counts: { ...NOTHING }, often, ...afresh });
    try {
      return work();
    } finally {
      Object.assign(this, { counts, often: before, times, isTried, isTrying, alone, isMeasured, dearer });
    }
  }

  /**
   * Runs `work` for a part of the executions; ends side by side where the others, so many times as many, would not pay, or where the trial takes
   * long beside the time that all would take alone, if that is given.
   */
  trial<R>(others: number, work: () => R, { alone, share, isMeasured } = UNTIMED): R {
    Object.assign(this, { times: others, alone, mostOfIt: share, isMeasured, began: this.clock?.() ?? 0 });
    const result = work();
    const isLong = isMeasured && this.clock!() - this.began > SHORT_SHARE * alone;
    if ((isLong || !this.pays) && !this.isPatient) throw notWorthIt();
    if (isMeasured) this.dearer = Math.max(1, (NANOSECONDS * alone) / this.apart);
    Object.assign(this, { alone: Infinity, isMeasured: false });
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

  /**
   * Runs `work`, of which the caller measures how long it takes: what is counted does not end it. Gives the share of its cost that is the same for any
   * number of executions.
   */
  timed(work: () => void): number {
    this.isTrying = false;
    try {
      work();
      return this.onceForAll;
    } finally {
      Object.assign(this, { counts: { ...NOTHING }, isTrying: true });
    }
  }

  /** After a trial that showed that side by side pays. */
  private goOn(): void {
    Object.assign(this, { counts: { ...NOTHING }, times: 1, isTried: true });
    optimising.lasting();
  }
}

/** The meter of this thread. */
export const meter = new Meter();
