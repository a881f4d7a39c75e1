/**
 * When executions are worth being tried side by side, by the clock: both ways give the same results to the last bit, so that time may
 * decide. To begin side by side takes some milliseconds, in which code runs for the first time. So the first executions are made one by one,
 * which is work that counts, and show how long all the others would take. Side by side is tried where that is several times as long as a trial, and
 * goes on as long as it is faster. Where it is not known before that executions do much the same (`compiler/analyse/even.ts`), that is left until
 * V8 has optimised what they call, unless each is long: alone they may then go ten times as fast as before. What they share with executions side by side has to
 * be optimised again after a trial, so that it has to be worth more. Where all executions do the same, and are so many that they take long alone however
 * fast they go, they begin side by side at once.
 */
import { once } from '../../compiler/once.ts';
import type { Entry } from '../../runtime/execution.ts';
import { machine, type Run } from '../../runtime/machine.ts';
import { Reason } from '../../runtime/reasons.ts';
import { meter, notWorthIt, type Timed } from './meter.ts';

/** Executions one by one go as fast as the first ones for so many milliseconds, until V8 has optimised what they call. */
const SLOW = 25;
/** Long ones call much, each of it a few times, so that it takes V8 longer. */
const SLOW_IF_LONG = 100;
/** How many times as fast they go then. */
const SPEEDUP = 6;
/** After so many milliseconds they go as fast as they ever will: optimising itself takes as long as what it is for. */
const OPTIMISED = 50;
/**
 * They count as settled if the last ones took no less than the ones before, up to this share: compiling falls on a
 * few of them.
 */
const SETTLED = 1.3;
/** Only after so many executions they certainly do: what is called from far within them is optimised last. */
const MANY = 1500;
/** What a trial may take of the time that the others would take alone. */
const SMALL_SHARE = 0.12;
const LARGE_SHARE = 0.5;
/** How many times as long side by side must take to be given up: measured times are rough. */
const SURELY = 1.2;
/** How many times as long the others must take alone for a trial to be all that is looked at. */
const BY_FAR = 4;
/**
 * A trial is worth it where the others would take so many milliseconds alone: if executions do much the same, or each is long; and else, since V8 then
 * takes some fifty milliseconds to optimise again what both ways call.
 */
const WORTH_A_TRIAL = 24;
/** Long ones call much that side by side calls for the first time. */
const WORTH_A_TRIAL_IF_LONG = 100;
const WORTH_A_LATE_TRIAL = 450;
/** What is made alone for a comparison may take such a share of what the others would take side by side. A time is told by so many milliseconds. */
const COMPARED = 0.1;
const LEAST_TOLD = 0.5;
/** A choice takes so many milliseconds alone at least, in code that V8 has optimised. */
const LEAST_CHOICE = 1e-4;
/** So many parts in turn may take longer than alone: the first ones call code for the first time. */
const MOST_LOSSES = 2;
/** An execution is long that takes so many milliseconds: networks, large data. */
const LONG_EXECUTION = 0.6;
/** So many milliseconds, and executions, tell how fast they go; the very first ones call everything for the first time. */
const ENOUGH = 2;
const ENOUGH_IF_EVEN = 0.7;
const FEWEST = 8;
/** Of long ones, so many tell whether they do the same. */
const FEWEST_LONG = 2;
const MOST = 64;
const UNCOUNTED = 3;
/** After so many milliseconds, a second one is enough, if it is not short: the first may have waited for code to be compiled. */
const LONG = 12;

/** Executions that are tried side by side first: one in so many, and no more than this. */
const PART = 16;
const MOST_TRIED = 64;

export const partOf = (count: number): number => Math.min(MOST_TRIED, Math.ceil(count / PART));

export const SOON_DONE = new Reason('few', 'they take less time than it would take to begin side by side');

/** What is known of the inferences at one place of the program. */
class Place {
  /** Milliseconds that their executions took one by one. */
  alone = 0;
  /** How long one execution took alone, and side by side, when it was last made so. */
  eachAlone = Infinity;
  eachTogether = Infinity;
  /** How many inferences were made side by side. */
  together = 0;

  /** Whether the next one goes side by side from its start. What ran for the first time says little of how long it takes. */
  get isTogether(): boolean {
    return this.together > 0 && (this.together < 3 || this.eachTogether <= this.eachAlone);
  }
}

const placesIn = once((_run: Run) => new Map<Entry['address']['key'], Place>());

function placeOf({ address }: Pick<Entry, 'address'>): Place {
  const known = placesIn(machine.run);
  let place = known.get(address.key);
  if (place === undefined) {
    place = new Place();
    known.set(address.key, place);
  }
  return place;
}

/** How fast the executions of one inference go. */
export class Pace {
  private readonly place: Place;
  private readonly evenness = machine.program.evenness ?? 'uneven';
  /** Milliseconds of all that were made one by one. */
  private spent = 0;
  private executions = 0;
  /** Milliseconds of the last of them, and how many those are. */
  private recent = 0;
  private seen = 0;
  private isSettled = false;
  /** Milliseconds of the shortest of those that were looked at one by one: what V8 compiles meanwhile falls on others. */
  private shortest = Infinity;
  /** Choices of those that were looked at one by one: of all, and of the longest. */
  private looked = 0;
  private choices = 0;
  private longest = 0;
  /** The same of all that were made by `first`. */
  private most = 0;
  /** How long one took alone when it was last compared; and how many parts in turn have taken longer side by side. */
  private known = Infinity;
  private losses = 0;

  constructor(
    entry: Pick<Entry, 'address'>,
    private readonly now: () => number,
  ) {
    this.place = placeOf(entry);
  }

  /** Whether executions do much the same. Where functions call themselves, their choices tell. */
  private get isEven(): boolean {
    if (this.evenness !== 'recursive') return this.evenness === 'even';
    return this.looked >= this.fewest && this.choices > 0 && this.choices === this.longest * this.looked;
  }

  /** Whether each execution takes long. */
  private get areLong(): boolean {
    return Math.min(this.shortest, this.recent / this.seen) >= LONG_EXECUTION;
  }

  private get fewest(): number {
    return this.areLong ? FEWEST_LONG : FEWEST;
  }

  /** Whether all go side by side, since others did here before. */
  get isTogether(): boolean {
    return this.place.isTogether;
  }

  /** Whether enough have been made one by one to tell how fast they go. */
  get isKnown(): boolean {
    const least = this.evenness === 'recursive' ? this.fewest : 1;
    if (this.looked >= least && this.spent >= LONG && this.recent >= ENOUGH) return true;
    return this.looked >= MOST || (this.looked >= FEWEST && this.recent >= (this.isEven ? ENOUGH_IF_EVEN : ENOUGH));
  }

  /** Whether executions do the same, and so many others would take long alone however fast they go: nothing has to be tried. */
  isSure(others: number): boolean {
    return this.evenness === 'even' && this.leastEach * others >= WORTH_A_TRIAL;
  }

  /** What an execution takes alone at least, in milliseconds, as far as its choices are known. */
  private get leastEach(): number {
    return LEAST_CHOICE * this.most;
  }

  /** Makes one execution, which gives the number of its choices. */
  first(execute: () => number): void {
    const start = this.now();
    const choices = execute();
    const took = this.now() - start;
    this.most = Math.max(this.most, choices);
    this.spent += took;
    this.place.alone += took;
    if (++this.executions <= (this.spent >= LONG ? 1 : UNCOUNTED)) return;
    this.recent += took;
    this.shortest = Math.min(this.shortest, took);
    this.seen++;
    this.looked++;
    this.choices += choices;
    this.longest = Math.max(this.longest, choices);
    this.place.eachAlone = this.recent / this.seen;
  }

  /** Makes more of them one by one; `execute` gives how many it made. */
  more(execute: () => number): void {
    const start = this.now();
    const count = execute();
    const before = this.recent / this.seen;
    this.recent = this.now() - start;
    this.seen = count;
    this.isSettled = before <= (SETTLED * this.recent) / count;
    this.spent += this.recent;
    this.place.alone += this.recent;
    this.place.eachAlone = this.recent / count;
    this.executions += count;
  }

  /** Makes so many side by side. */
  together<R>(count: number, execute: () => R): R {
    const start = this.now();
    const result = execute();
    this.place.eachTogether = (this.now() - start) / count;
    this.place.together++;
    return result;
  }

  /**
   * Makes the first of them side by side, and gives whether so many others, of which so many go at once, will be made so by far sooner than alone; and no
   * later even if all that these took were for each of them.
   */
  trial(count: number, others: number, atOnce: number, execute: () => void): boolean {
    const start = this.now();
    execute();
    const took = this.now() - start;
    const alone = this.alone(others);
    return (
      BY_FAR * this.restAfter(took, meter.onceForAll, count, others, atOnce) <= alone && took * others <= count * alone
    );
  }

  /** How long others will take if so many took so long, of which such a share is the same for any number. */
  private restAfter(took: number, share: number, count: number, others: number, atOnce: number): number {
    const once = took * share;
    return once * Math.ceil(others / atOnce) + ((took - once) * others) / count;
  }

  /** Makes a part of them side by side; ends that where so many others, of which so many go at once, would be made sooner alone. */
  part<R>(count: number, others: number, atOnce: number, execute: () => R): R {
    const start = this.now();
    let result: R | undefined;
    const share = meter.timed(() => {
      result = execute();
    });
    const rest = this.restAfter(this.now() - start, share, count, others, atOnce);
    if (rest > SURELY * this.alone(others)) throw notWorthIt();
    return result as R;
  }

  /**
   * Makes many side by side, which shows how fast that goes once it runs; then some of the others alone, until they go faster, which ends side by side, or
   * have had the time to.
   */
  compare(count: number, others: number, execute: () => void, alone: (count: number) => number): void {
    const start = this.now();
    execute();
    const each = (this.now() - start) / count;
    if (this.areOptimised || each <= this.leastEach) return;
    const most = Math.min(COMPARED * each * others, SLOW_IF_LONG);
    let spent = 0;
    for (let size = FEWEST; spent < most && size < others / 4; size *= 2) {
      const before = this.now();
      const made = alone(size);
      const took = this.now() - before;
      spent += took;
      others -= made;
      if (took >= LEAST_TOLD) this.known = took / made;
      if (took >= LEAST_TOLD && took < each * made) throw notWorthIt();
    }
  }

  /** Makes so many more side by side; ends that after several such parts that took longer than alone. */
  goOn<R>(count: number, execute: () => R): R {
    const start = this.now();
    const result = execute();
    const alone = this.areOptimised ? this.recent / this.seen : this.known;
    this.losses = this.now() - start > alone * count ? this.losses + 1 : 0;
    if (this.losses > MOST_LOSSES) throw notWorthIt();
    return result;
  }

  /** How long so many others would take alone, and what a trial may take of that. */
  timing(others: number): Timed {
    const share = this.isEven ? LARGE_SHARE : SMALL_SHARE;
    return { alone: this.alone(others), share, isMeasured: this.areOptimised && this.executions >= MANY };
  }

  /** Whether V8 has optimised what the last ones called. */
  private get areOptimised(): boolean {
    return this.isSettled && this.place.alone - this.recent >= OPTIMISED;
  }

  /** How long so many more would take alone, in milliseconds. */
  alone(others: number): number {
    const all = (this.recent / this.seen) * others;
    if (this.areOptimised) return all;
    const slow = this.areLong ? SLOW_IF_LONG : SLOW;
    const slowly = Math.min(all, Math.max(0, slow - this.place.alone));
    return slowly + (all - slowly) / SPEEDUP;
  }

  /**
   * Whether so many others are worth a trial. Side by side they take as many steps as the longest of them, alone each as many as it has. Where
   * one inference is made after the other, those to come are expected to take as long as those that were.
   */
  isWorthATrial(others: number): boolean {
    const isEarly = this.isEven || this.areLong;
    if (!isEarly && !this.areOptimised) return false;
    const shared = this.longest === 0 ? 1 : this.choices / (this.longest * this.looked);
    const saved = (this.alone(others) + this.place.alone - this.spent) * shared;
    if (!isEarly) return saved >= WORTH_A_LATE_TRIAL;
    return saved >= (this.areLong ? WORTH_A_TRIAL_IF_LONG : WORTH_A_TRIAL);
  }
}
