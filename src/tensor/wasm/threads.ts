/**
 * Work shared between threads. The thread that has work cuts it into pieces, offers them, and takes pieces itself until
 * none are left; others take pieces when they get to it. So threads that are busy or still starting do not slow the work
 * down. Every piece computes elements of the result of its own, and each element in the order in which one thread would:
 * results do not depend on which thread computes what, or on how many there are.
 */

import { processorTime } from '../../host/system.ts';
import type { BlasOrigin } from '../blas.ts';
import { wantedThreads } from '../devices.ts';
import { Crowd } from './crowd.ts';
import type { ExportedFunction } from './host.ts';
import { WORK_BYTES } from './matmul.ts';
import { type DeviceMemory, PAGE } from './memory.ts';
import { ShareTrial } from './share-trial.ts';
import { Offer, type ThreadStart } from './thread-body.ts';
import { processors, startWorker } from './worker.ts';

/** The most threads where none are asked for: few products are large enough for more. */
const MOST_BY_DEFAULT = 4;
/** Modules that threads are given; programs whose kernels keep changing do without from there on. */
const MOST_MODULES = 256;
/** Bytes for the names of the package and library of BLAS. */
const MOST_TEXT = 4096;
/** Looks at unfinished pieces of others before going to sleep. */
const GLANCES = 20_000;

/** Milliseconds lost by sharing before it pauses: on a busy machine, others have no time to help, or are interrupted. */
const CREDIT = 20;
/** Jobs done without others then; every time twice as many. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1000;

/** A module that threads can call. */
export interface SharedModule {
  readonly number: number;
  readonly at: number;
  readonly bytes: number;
}

/** Matrix products, which threads have from their start. */
export const PRODUCTS: SharedModule = { number: 0, at: 0, bytes: 0 };

/** Pieces of work, ready to be offered. */
export interface Job {
  readonly module: SharedModule;
  /** Which export of the module, in their order. */
  readonly export: number;
  /** The same function, in this thread. */
  readonly run: ExportedFunction;
  /** The arguments of each piece. */
  readonly pieces: readonly (readonly number[])[];
}

/**
 * Calls a function with the arguments of a piece, and the workspace after them. That is faster than spreading the list; missing
 * arguments are ignored.
 */
export function callWith(run: ExportedFunction, given: readonly number[], workspace: number): void {
  const [a, b, c, d, e, f, g, h, i, j, k] = given;
  run(a, b, c, d, e, f, g, h, i, j, k, workspace);
}

export class Threads {
  private readonly words: Int32Array;
  private readonly offer: number;
  /** Where threads find out how to load the system's BLAS. */
  private readonly blasAt: number;
  /** Memory for packing, for each thread but this one. */
  private readonly workspaces: number[] = [];
  private started = 0;
  private modules = 1;
  private offers = 0;
  /** Milliseconds that sharing has saved of late, within limits. */
  private saved = 0;
  /** Jobs that are still to be done alone, and how many will be next time. */
  private alone = 0;
  private pause = FIRST_PAUSE;
  /** Results of trials of repeated work. */
  private readonly trials = new WeakMap<Job, ShareTrial>();
  private readonly crowd = new Crowd();
  /** Milliseconds of the job at hand in which this thread had nothing to do. */
  private waited = 0;
  /** Whether work is not shared on a busy machine. Tests of what sharing gives have it shared there, too. */
  yields = true;
  /** Pieces that were done by others so far. */
  helped = 0;

  constructor(
    private readonly memory: DeviceMemory,
    /** This thread's memory for packing. */
    private readonly workspace: number,
    /** The modules that every thread has from its start. */
    private readonly basics: () => Pick<ThreadStart, 'math' | 'products'>,
  ) {
    const length = Offer.PIECES + Offer.MOST * Offer.ARGUMENTS;
    this.offer = memory.allocate(4 * length);
    // Growing leaves this view valid, since the memory is shared.
    this.words = new Int32Array(memory.memory.buffer, this.offer, length);
    this.blasAt = memory.allocate(MOST_TEXT);
    this.reserve();
  }

  /** How many threads work, this one included. */
  get count(): number {
    return Math.min(wantedThreads() ?? Math.min(processors(), MOST_BY_DEFAULT), Offer.MOST);
  }

  /** Takes memory for as many threads as are wanted now. Not while a plan is laid out, whose arena would have to move. */
  reserve(): void {
    while (this.workspaces.length < this.count - 1) this.workspaces.push(this.memory.allocate(WORK_BYTES));
  }

  /** Makes a module known to threads; null if there are too many already. Takes memory, as `reserve` does. */
  share(bytes: Uint8Array): SharedModule | null {
    if (this.modules >= MOST_MODULES) return null;
    const at = this.memory.allocate(bytes.length);
    new Uint8Array(this.memory.memory.buffer, at, bytes.length).set(bytes);
    return { number: this.modules++, at, bytes: bytes.length };
  }

  /** The system's BLAS as a module: products of float64, and of float32. Threads load it when they first need it. */
  blas(origin: BlasOrigin): SharedModule {
    const text = new TextEncoder().encode(JSON.stringify(origin));
    // Longer only in a very deep folder; threads then find nothing there, and take no such work.
    const bytes = text.length > MOST_TEXT ? 0 : text.length;
    new Uint8Array(this.memory.memory.buffer, this.blasAt, bytes).set(text.subarray(0, bytes));
    return { number: Offer.BLAS, at: this.blasAt, bytes };
  }

  /** Does the work, with the help of threads that are idle, unless it is done sooner without. */
  run(job: Job): void {
    const begin = performance.now();
    const processor = processorTime();
    if (this.alone > 0) {
      this.alone--;
      this.runAlone(job);
    } else if (this.yields && this.crowd.isBusy) this.runAlone(job);
    else this.tryBothWays(job, begin);
    this.crowd.add(performance.now() - begin - this.waited, processorTime() - processor);
    this.waited = 0;
  }

  private tryBothWays(job: Job, begin: number): void {
    const trial = this.trialOf(job);
    if (trial.isShared) this.runShared(job, begin);
    else this.runAlone(job);
    trial.took(performance.now() - begin);
  }

  private trialOf(job: Job): ShareTrial {
    let trial = this.trials.get(job);
    if (trial === undefined) {
      trial = new ShareTrial();
      this.trials.set(job, trial);
    }
    return trial;
  }

  private runAlone({ run, pieces }: Job): void {
    for (const piece of pieces) callWith(run, piece, this.workspace);
  }

  private runShared(job: Job, begin: number): void {
    this.start();
    this.publish(job);
    // The time for waking other threads belongs to sharing, and not to the work without them.
    const published = performance.now();
    const own = this.work(job);
    const rate = (performance.now() - published) / own;
    const done = performance.now();
    this.await(job.pieces.length);
    this.waited = performance.now() - done;
    if (this.words[Offer.FAILED] !== 0) throw new Error('A thread failed at its part of a product or kernel.');
    if (own > 0) this.judge(rate * job.pieces.length - (performance.now() - begin));
  }

  /** Offers the work to other threads. */
  private publish({ module, export: name, pieces }: Job): void {
    const { words } = this;
    const count = pieces.length;
    this.offers = (this.offers + 1) & 0x7fffff;
    const state = this.offers << 8;
    Atomics.store(words, Offer.STATE, state | 0xff);
    words[Offer.DONE] = 0;
    words[Offer.COUNT] = count;
    words[Offer.MODULE] = module.number;
    words[Offer.BYTES_AT] = module.at;
    words[Offer.BYTES] = module.bytes;
    words[Offer.EXPORT] = name;
    words[Offer.PAGES] = this.memory.memory.buffer.byteLength / PAGE;
    words[Offer.FAILED] = 0;
    for (let i = 0; i < count; i++) words.set(pieces[i], Offer.PIECES + i * Offer.ARGUMENTS);
    Atomics.store(words, Offer.STATE, state);
    Atomics.notify(words, Offer.STATE);
  }

  /** Takes pieces until there are none; says how many. */
  private work({ run, pieces }: Job): number {
    const { words, workspace } = this;
    let own = 0;
    for (;;) {
      const next = Atomics.load(words, Offer.STATE);
      const piece = next & 0xff;
      if (piece >= pieces.length) break;
      if (Atomics.compareExchange(words, Offer.STATE, next, next + 1) !== next) continue;
      callWith(run, pieces[piece], workspace);
      own++;
      Atomics.add(words, Offer.DONE, 1);
    }
    this.helped += pieces.length - own;
    return own;
  }

  /** Given the milliseconds that were saved (or lost): stops sharing for a while where it does not pay. */
  private judge(saved: number): void {
    this.saved = Math.min(this.saved + saved, CREDIT);
    if (this.saved > -CREDIT) return;
    this.alone = this.pause;
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
    this.saved = 0;
  }

  /** Waits until the pieces that other threads took are finished. */
  private await(count: number): void {
    const { words } = this;
    for (let i = 0; i < GLANCES; i++) if (Atomics.load(words, Offer.DONE) === count) return;
    for (;;) {
      const done = Atomics.load(words, Offer.DONE);
      if (done === count) return;
      Atomics.wait(words, Offer.DONE, done, 10);
    }
  }

  /** Starts the threads that are not running yet: each costs some milliseconds, and most programs need none. */
  private start(): void {
    while (this.started < this.count - 1 && this.started < this.workspaces.length) {
      const { memory } = this.memory;
      const workspace = this.workspaces[this.started++];
      startWorker({ memory, offer: this.offer, workspace, ...this.basics() });
    }
  }
}
