/**
 * Steps of a Metropolis–Hastings chain without executing the program. Its density near the current execution is recorded
 * once (`src/lanes/density/`); then a step computes numbers, as long as the program would go the same way. Where it might
 * go another, fail, or draw anew, it is executed. Decisions, and what samples hold, are to the last bit what executions
 * would have given.
 */

import { meter } from '../../lanes/columns/meter.ts';
import type { RecordedDensity } from '../../lanes/density/density.ts';
import { recorders } from '../../lanes/density/recorders.ts';
import { IMPOSSIBLE, UNKNOWN } from '../../lanes/density/results.ts';
import { HEADER, PROPOSAL } from '../../lanes/density/steps-code.ts';
import { MOST_STEPS, type Walk } from '../../lanes/density/tape-recording.ts';
import { explain, fail, OTHER_WAYS, RARELY, recordingObstacle, straysOften, tell } from '../../lanes/obstacles.ts';
import { UNRECORDED } from '../../runtime/costs.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { Reason } from '../../runtime/reasons.ts';
import type { Chain } from './chain.ts';
import { proposalFrom, warnOfImpossible } from './drift.ts';
import type { Leap, SampleColumn } from './kernel.ts';
import { RecordedCourses } from './recorded-courses.ts';
import { RecordingPace } from './recording-pace.ts';

/** A value drawn for a choice, and the logarithm of a uniform number that decides about it. */
interface Proposal {
  readonly site: number;
  readonly value: unknown;
  readonly threshold: number;
}

/** How a drift kernel came from the old value to the new one. */
interface Drift {
  readonly proposal: Distribution<unknown>;
  readonly value: unknown;
  readonly old: unknown;
}

/** Steps that are drawn for at once, at first and at least: what is drawn after one that needs an execution may have to be drawn again. */
const FIRST_STEPS = 16;
const LEAST_STEPS = 2;
/** Fewer steps are made sooner by executing. */
const WORTH_IT = 500;
/** Executions that are watched before a recording is made: it would not last where they often make other choices. */
const WATCHED = 8;
/** After executions that did, so many times as many are watched. */
const LONGER = 4;
/** Where a recording of a course is found less often than once in so many times, none is sought. */
const SELDOM = 6;

const FEW_STEPS = new Reason('few', 'there are few');
const MORE_THAN_CHOICES = new Reason('choices', 'executions depend on more than their choices');

/** Whether there is nothing more to the chain's state than its choices. */
const isUsable = <T>({ current, factorScale }: Chain<T>): boolean =>
  current.settled && current.finished && current.length > 0 && factorScale === 1;

export class RecordedSteps<T> {
  private density: RecordedDensity<T> | null = null;
  private readonly courses = new RecordedCourses<T>();
  /** Whether recordings are to be made. */
  private records = false;
  private readonly recordings = new RecordingPace(meter.clock);
  /** How often a recording was sought for a course, and found; and whether one was sought for the current one. */
  private searches = 0;
  private found = 0;
  private isSearched = false;
  /** Steps made with a recording, those that needed an execution included, and how many these were. */
  private steps = 0;
  private executed = 0;
  /** Proposals that were executed because there was no recording. */
  private without = 0;
  /** So many of them are watched before the next recording; of those watched, so many made other choices. */
  private watched = WATCHED;
  private unwatched = WATCHED;
  private strays = 0;
  private toldOfStrays = false;
  /** Whether the chain's trace is what the density's state is. */
  private inStep = true;
  /** The distributions of choices, where they are always the same. */
  private priors: Distribution<unknown>[] | null = null;
  /** Steps of the next walk. */
  private pace = FIRST_STEPS;
  /** For which steps of the stream, of which recording, proposals are drawn: from the first to before the last. */
  private drawn: { readonly density: RecordedDensity<T>; readonly from: number; readonly to: number } | null = null;
  /** Whether the last walk ended where nothing is known of the next step. */
  private strayed = false;
  /** The value of a sample in this state. */
  private held: { value: T; score: number } | null = null;

  constructor(private readonly chain: Chain<T>) {}

  /** How many steps will be made, without a reader of the trace in between. */
  plan(steps: number): void {
    const { entry } = this.chain;
    if (steps < WORTH_IT) {
      tell(entry, 'MCMC', FEW_STEPS, `each step executes the model, because ${FEW_STEPS}.`);
      return;
    }
    const obstacle = recordingObstacle(entry);
    if (obstacle === null) this.records = true;
    else this.tellExecutes(obstacle);
  }

  private tellExecutes(reason: Reason): void {
    explain(this.chain.entry, 'MCMC', reason, `each step executes the model, because ${reason}.`, { cost: UNRECORDED });
  }

  /** Whether the next step can be made here. */
  ready(): boolean {
    if (this.density !== null) return true;
    if (!this.records) return false;
    const known = this.find();
    if (known !== null) {
      this.goTo(known);
      this.inStep = true;
      return true;
    }
    if (this.isTimeToRecord()) return this.record();
    this.recordings.begin();
    return false;
  }

  private isTimeToRecord(): boolean {
    if (this.unwatched > 0 || this.recordings.isTiming) return false;
    const { strays } = this;
    const often = strays * RARELY > this.watched;
    if (often) this.watched *= LONGER;
    this.unwatched = this.watched;
    this.strays = 0;
    if (!often) return this.recordings.allows(this.steps - this.executed, this.without);
    if (!this.toldOfStrays) this.tellExecutes(OTHER_WAYS);
    this.toldOfStrays = true;
    return false;
  }

  /** After a proposal that was executed because there is no recording. */
  watch(): void {
    this.recordings.end();
    this.without++;
    this.unwatched--;
    if (this.chain.reexecution.madeOtherChoices) this.strays++;
  }

  /** Told that the chain has moved by a step that was executed. */
  moved(): void {
    this.isSearched = false;
  }

  /** The recording that was made of a course like the chain's current one; where that is seldom found, none is sought any more. */
  private find(): RecordedDensity<T> | null {
    if (this.isSearched || this.courses.size === 0 || !isUsable(this.chain)) return null;
    this.isSearched = true;
    if (this.searches > WATCHED && this.found * SELDOM < this.searches) return null;
    this.searches++;
    const known = this.courses.holding(this.chain.current);
    if (known !== null) this.found++;
    return known;
  }

  private record(): boolean {
    const { chain } = this;
    const { current, entry, model } = chain;
    const made = isUsable(chain)
      ? this.recordings.record(() => recorders.current!.density(entry, model as () => T, current, chain.random.again()))
      : MORE_THAN_CHOICES;
    if (made instanceof Reason) {
      this.records = false;
      fail(entry, made);
      this.tellExecutes(made);
      return false;
    }
    explain(entry, 'MCMC', 'recording', 'steps compute what was recorded of an execution.');
    this.unwatched = 0;
    this.courses.add(made, current.choices);
    this.goTo(made);
    this.inStep = true;
    return true;
  }

  /** Goes on with a recording that is at the chain's state. */
  private goTo(density: RecordedDensity<T>): void {
    this.density = density;
    this.priors = null;
    this.strayed = false;
    this.held = null;
  }

  /** Decides about a value by the recording of another course with the same choices; undefined if there is none. */
  private decideBeside(site: number, threshold: number): boolean | undefined {
    const density = this.density!;
    const other = this.courses.beside(density);
    if (other === null) return undefined;
    this.chain.skipExecutions(1);
    if (other.found === IMPOSSIBLE || !(threshold < other.density.gainFrom(density, site))) return false;
    other.density.accept();
    this.goTo(other.density);
    this.inStep = false;
    return true;
  }

  /** Many steps in one call, up to one that needs an execution: see `Kernel.leap`. */
  walk(most: number, first: number, every: number, samples: SampleColumn<T>): Leap | null {
    const { chain } = this;
    const density = this.density!;
    const { walk } = density;
    if (walk === null || this.strayed) {
      this.strayed = false;
      return null;
    }
    const { random } = chain;
    const start = random.position;
    const count = Math.min(most, this.draw(Math.min(most, this.pace), walk));
    const held = this.sample();
    const steps = density.walkOn(count);
    random.goTo(start + steps);
    const { header, visits, width } = walk;
    chain.skipExecutions(header[HEADER.evaluations]);
    this.steps += steps;
    this.strayed = steps < count;
    this.pace = this.strayed ? Math.max(LEAST_STEPS, (this.pace + steps) >> 1) : Math.min(MOST_STEPS, 2 * this.pace);
    if (header[HEADER.moves] > 0) this.inStep = false;
    if (density.returnsNumber) {
      const sampled = first < steps ? Math.ceil((steps - first) / every) : 0;
      samples.addNumbers(visits, first * width + 1, every * width, sampled);
      if (header[HEADER.moves] > 0) this.held = null;
    } else this.held = this.read(walk, steps, first, every, held, samples);
    return { steps, accepted: header[HEADER.accepted] };
  }

  /** Adds samples of a walk that are no numbers; gives what the last state holds, if it was asked for. */
  private read(
    { visits, width }: Walk,
    steps: number,
    first: number,
    every: number,
    before: { value: T; score: number } | null,
    samples: SampleColumn<T>,
  ): { value: T; score: number } | null {
    const density = this.density!;
    let held = before;
    let next = first;
    for (let i = 0; i < steps; i++) {
      if (visits[i * width] !== 0) held = null;
      if (i !== next) continue;
      next += every;
      held ??= { value: density.resultAt(i), score: visits[i * width + 1] };
      samples.add(held.value, held.score);
    }
    return held;
  }

  /** Draws proposals in advance, as they depend on nothing but the stream; gives for how many steps there are some. Those that are left are used first. */
  private draw(count: number, { proposals }: Walk): number {
    const { random } = this.chain;
    const density = this.density!;
    const start = random.position;
    const { drawn } = this;
    if (drawn !== null && drawn.density === density && drawn.from <= start && start < drawn.to) {
      proposals.copyWithin(0, PROPOSAL * (start - drawn.from), PROPOSAL * (drawn.to - drawn.from));
      this.drawn = { density, from: start, to: drawn.to };
      return drawn.to - start;
    }
    this.priors ??= Array.from({ length: density.length }, (_, site) => density.distributionOf(site));
    const { priors } = this;
    for (let i = 0; i < PROPOSAL * count; i += PROPOSAL) {
      random.begin();
      const site = random.integer(priors.length);
      const distribution = priors[site];
      proposals[i] = site;
      proposals[i + 1] = density.numberOf(site, distribution.draw(random));
      proposals[i + 2] = Math.log(random.uniform());
      proposals[i + 3] = distribution.isContinuous ? 0 : 1;
    }
    this.drawn = { density, from: start, to: start + count };
    return count;
  }

  /** One step: whether the proposal was accepted, or the proposal, if the program has to be executed to find out. */
  step(): boolean | Proposal {
    const { chain } = this;
    const density = this.density!;
    const { random } = chain;
    this.steps++;
    random.begin();
    const site = random.integer(density.length);
    const distribution = density.distributionOf(site);
    const drifts = chain.current.choices[site].options?.driftKernel !== undefined;
    const proposal = drifts ? this.drift(site, false) : distribution;
    const value = proposal.draw(random);
    const { values } = density;
    const before = values[site];
    const after = density.numberOf(site, value);
    if (!distribution.isContinuous && after === before) return true;
    const threshold = Math.log(random.uniform());
    if (drifts && distribution.score(value) === -Infinity) {
      warnOfImpossible(distribution);
      return false;
    }
    const old = drifts ? density.choiceValue(site) : undefined;
    values[site] = after;
    const found = density.evaluate();
    if (found === UNKNOWN) {
      const decided = drifts ? undefined : this.decideBeside(site, threshold);
      if (decided !== true) values[site] = before;
      if (decided !== undefined) return decided;
      this.bringTrace();
      this.executed++;
      return { site, value, threshold };
    }
    chain.skipExecutions(1);
    const accepted =
      found !== IMPOSSIBLE &&
      threshold < (drifts ? this.ratio(site, { proposal, value, old }) : density.gainBeside(site));
    if (!accepted) {
      values[site] = before;
      return false;
    }
    density.accept();
    this.inStep = false;
    this.held = null;
    return true;
  }

  /** As executions compute it, term by term, for a choice that drifted. */
  private ratio(site: number, { proposal, value, old }: Drift): number {
    const { gain } = this.density!;
    return gain + this.drift(site, true).score(old) - proposal.score(value);
  }

  /** What the drift kernel of a choice proposes from its value. */
  private drift(site: number, candidate: boolean): Distribution<unknown> {
    const density = this.density!;
    const recorded = density.proposalOf(site, candidate);
    // The trace may be of an earlier state, but this kernel depends on the value alone.
    return recorded ?? proposalFrom(this.chain.current.choices[site], density.choiceValue(site));
  }

  /** After a step that was executed: if the chain has moved, the recording is of another execution. */
  after(accepted: boolean): boolean {
    if (accepted) {
      this.density = null;
      this.isSearched = false;
    }
    if (straysOften(this.executed, this.steps)) {
      this.density = null;
      this.records = false;
      this.tellExecutes(OTHER_WAYS);
    }
    return accepted;
  }

  /** The value of a sample; null if it is in the chain's trace. */
  sample(): { value: T; score: number } | null {
    const { density } = this;
    if (density === null) return null;
    if (this.held === null) {
      this.held = { value: density.result(), score: density.choiceScore + density.factorScore };
    }
    return this.held;
  }

  /** Makes the chain's trace what the state is. */
  private bringTrace(): void {
    if (this.inStep) return;
    const { chain } = this;
    const density = this.density!;
    for (let i = 0; i < density.length; i++) chain.current.choices[i].value = density.choiceValue(i);
    chain.refresh();
    this.inStep = true;
  }
}
