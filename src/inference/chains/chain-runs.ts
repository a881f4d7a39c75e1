/** Chains of one inference, run one after the other or side by side. */
import { ASKED, explain } from '../../lanes/obstacles.ts';
import { packed } from '../../ranks/parcels.ts';
import type { Entry } from '../../runtime/execution.ts';
import type { Parts, PartWork } from '../../runtime/helpers.ts';
import { machine } from '../../runtime/machine.ts';
import { Reason } from '../../runtime/reasons.ts';
import type { Share } from '../../runtime/team.ts';
import type { Model } from '../algorithm.ts';
import { IterationCount } from '../progress.ts';
import { Chain } from './chain.ts';
import { ChainSamples, type KeptChain } from './chain-samples.ts';
import { type Convoy, convoyFor, type Kernel, type KernelChoice, startKernel } from './kernel.ts';
import type { ChainOptions } from './mcmc.ts';

/** What came of a chain, in a form that can be sent to other threads and processes. */
export interface RanChain<T> {
  readonly kept: KeptChain<T>;
  /** The diagnostics of its kernel. */
  readonly told: Record<string, number>;
  readonly accepted: number;
  /** The steps that it has made. */
  readonly steps: number;
}

/** Reports of a verbose run. */
const REPORTS = 200;

/** How many steps come before the next one that is kept; a negative number of steps is what is left of the burn-in. */
const untilSample = (past: number, lag: number): number => lag - (past < 0 ? past : past % (lag + 1));

/** A chain, and what is known of it so far. */
interface Course<T> {
  readonly chain: Chain<T>;
  readonly kernel: Kernel<T>;
  readonly kept: ChainSamples<T>;
  accepted: number;
  /** Where it starts from; undefined as long as that is not known. */
  start: { readonly value: unknown; readonly score: number } | undefined;
}

export class ChainRuns<T> implements PartWork<RanChain<T>> {
  private readonly courses: readonly Course<T>[];
  private readonly burn: number;
  /** Steps of each chain. */
  private readonly steps: number;
  private readonly startsWithSample: boolean;
  private readonly progress: IterationCount;
  private readonly note = (): string => {
    const accepted = this.courses.reduce((sum, course) => sum + course.accepted, 0);
    return `acceptance ${(accepted / this.progress.done).toFixed(4)}`;
  };

  constructor(
    private readonly entry: Entry,
    private readonly owner: string,
    model: Model<T>,
    private readonly options: ChainOptions,
    private readonly choice: KernelChoice,
    /** Whether the execution that a chain starts from is its first sample, unless there is a burn-in. */
    recordStart: boolean,
    { first, count }: Share,
  ) {
    const { samples, lag, verbose, callbacks } = options;
    const later = (lag + 1) * samples;
    const plan = { burn: options.burn, steps: later, watched: callbacks.length > 0 };
    this.courses = Array.from({ length: count }, (_, i) => {
      const chain = newChain(entry, model, first + i);
      // Kernels that follow gradients execute in ways of their own.
      chain.reexecution.keepsInferences = choice.name === 'MH';
      const kept = new ChainSamples<T>(samples, callbacks, options.onlyMAP);
      return { chain, kernel: startKernel(chain, choice), kept, accepted: 0, start: undefined };
    });
    const [burn] = this.courses.map(({ kernel }) => kernel.begin?.(plan) ?? options.burn);
    this.burn = burn;
    this.startsWithSample = recordStart && burn === 0;
    this.steps = burn + later - (this.startsWithSample ? lag + 1 : 0);
    const total = this.steps * count;
    this.progress = new IterationCount(owner, total, verbose ? Math.ceil((total + 1) / REPORTS) : undefined);
  }

  /** Runs all of them; gives what came of each, in their order. */
  runAll(): RanChain<T>[] {
    let next = 0;
    const all = this.run({ next: () => (next < this.courses.length ? next++ : -1), look() {} });
    return this.courses.map((_, i) => all.get(i) as RanChain<T>);
  }

  /** Runs those that it is given. */
  run(parts: Parts): ReadonlyMap<number, RanChain<T>> {
    const { courses, options, steps, progress } = this;
    const { callbacks } = options;
    const ran = new Map<number, RanChain<T>>();
    let last = -1;
    const next = (): number => {
      const i = parts.next();
      if (i >= 0) last = i;
      return i;
    };
    const end = (i: number): void => void ran.set(i, this.resultOf(courses[i]));
    progress.looks = () => parts.look(progress.done, steps);
    for (const watcher of callbacks) watcher.setup?.(steps * courses.length);
    const convoy = courses.length === 1 ? null : this.sideBySide();
    if (convoy !== null) convoy.run(steps, next, (i, step, accepts) => this.moved(courses[i], step, accepts), end);
    else {
      for (let i = next(); i >= 0; i = next()) {
        this.begin(courses[i]);
        this.runAlone(courses[i]);
        end(i);
      }
    }
    progress.finish();
    progress.looks = null;
    const way = convoy === null ? courses[0].kernel.way?.() : undefined;
    const { owner, choice } = this;
    if (way !== undefined) explain(this.entry, `${owner} with ${choice.name}`, way.how, way.text, way);
    if (last >= 0) for (const watcher of callbacks) watcher.finish?.(courses[last].chain.current);
    return ran;
  }

  startOf(i: number): Uint8Array | undefined {
    const course = this.courses[i];
    this.begin(course);
    return packed(course.start);
  }

  /** Finds where a chain starts, if that is not known yet. */
  private begin(course: Course<T>): void {
    if (course.start !== undefined) return;
    const { chain, kernel } = course;
    const { callbacks, maxInitAttempts } = this.options;
    const executions = chain.initialise(this.owner, maxInitAttempts, kernel.starts);
    const { value, score } = chain.current;
    course.start = { value, score };
    kernel.startNear?.(executions);
    for (const watcher of callbacks) watcher.initialize?.();
    if (this.startsWithSample) keep(course);
  }

  private runAlone(course: Course<T>): void {
    const { steps, options } = this;
    const { chain, kernel } = course;
    const isWatched = options.callbacks.length > 0;
    const run = (): void => {
      for (let made = 0; made < steps; ) {
        const leapt = isWatched ? 0 : this.leap(course, made);
        if (leapt === 0) this.moved(course, ++made, kernel.step());
        else made += leapt;
      }
    };
    if (kernel.onlyProposes && !isWatched) chain.many(run);
    else run();
  }

  /** Told of each step of a chain, counted from 1. */
  private moved(course: Course<T>, step: number, accepts: boolean): void {
    const { burn, options } = this;
    if (accepts) course.accepted++;
    this.progress.step(this.note);
    for (const watcher of options.callbacks) watcher.iteration?.(course.chain.current);
    if (step > burn && (step - burn) % (options.lag + 1) === 0) keep(course);
  }

  /** Makes steps at once, after so many others; gives their number. */
  private leap(course: Course<T>, before: number): number {
    const { progress, options } = this;
    const most = Math.min(this.steps - before, progress.untilLook);
    const until = untilSample(before - this.burn, options.lag);
    const made = course.kernel.leap?.(most, until, options.lag + 1, course.kept) ?? null;
    if (made === null) return 0;
    course.accepted += made.accepted;
    progress.steps(made.steps, this.note);
    return made.steps;
  }

  /** A way to move the chains side by side, which gives what one after the other would give; null if there is none. */
  private sideBySide(): Convoy | null {
    const { entry, owner, choice, courses, options } = this;
    const { callbacks, chains } = options;
    const asked = machine.run.engine?.sequential ? ASKED : callbacks.length > 0 ? WATCHED : null;
    const kernels = courses.map(({ kernel }) => kernel);
    const start = (): void => {
      for (const course of courses) this.begin(course);
    };
    const convoy = asked ?? convoyFor(choice, kernels, start);
    if (convoy instanceof Reason) {
      explain(entry, owner, convoy, `${chains} chains one after the other, because ${convoy}`);
      return null;
    }
    explain(entry, owner, 'pairs', `${chains} chains side by side`);
    return convoy;
  }

  private resultOf({ kernel, kept, accepted }: Course<T>): RanChain<T> {
    return { kept: kept.contents, told: kernel.diagnostics?.() ?? {}, accepted, steps: this.steps };
  }
}

/** Keeps where a chain is as a sample. */
function keep<T>({ kernel, chain, kept }: Course<T>): void {
  const { value, score } = kernel.sample?.() ?? chain.current;
  kept.add(value as T, score);
}

const WATCHED = new Reason('watched', 'callbacks watch them');

/** Chains draw from streams of their own; the first one does so whether or not there are others. */
function newChain<T>(entry: Entry, model: Model<T>, i: number): Chain<T> {
  if (i === 0) {
    const origin = entry.streamOf(1);
    return new Chain(entry, model, entry.streamOf(0), (k) => origin.restart(k + 1));
  }
  const random = entry.streamOf(0).named(`chain ${i}`);
  const origin = random.named('executions').child(1, 0);
  return new Chain(entry, model, random, (k) => origin.restart(k));
}
