/**
 * Who does which part of the work at hand, in memory that a thread and its helpers share. The first to write its name at a part does it. Names
 * are together with the number of the work, so that who is late for one piece of work takes no part of another.
 */

/** The words before those of the parts: the numbers of the work at hand and of the last that is done, and how many messages helpers have sent. */
const WORK = 0;
const DONE = 1;
const SENT = 2;
/** For each helper: whether it has left, and a word that changes while it works. */
const STATE = 3;
const STATES = 2;

/** The most helpers of a run, and the most parts that are shared. */
export const MOST_HELPERS = 7;
export const MOST_PARTS = 1024;

const PARTS = STATE + STATES * MOST_HELPERS;

/** A part that no thread has taken yet, and one that is taken: `TAKEN` and the number of the helper, 0 for the first thread. */
const FREE = 0;
const TAKEN = 1;
const NAMES = 16;

/** How long to sleep before looking whether the thread that should have woken this one is still there, in milliseconds. */
export const GLANCE_MS = 50;

export const claimsMemory = (): SharedArrayBuffer => new SharedArrayBuffer(4 * (PARTS + MOST_PARTS));

export class Claims {
  private readonly words: Int32Array;

  constructor(
    memory: SharedArrayBuffer,
    /** Which thread this is: 0 is the first. */
    readonly name: number,
  ) {
    this.words = new Int32Array(memory);
  }

  /** The first thread begins a piece of work. */
  open(work: number, parts: number): void {
    const { words } = this;
    for (let part = 0; part < parts; part++) Atomics.store(words, PARTS + part, work * NAMES + FREE);
    Atomics.store(words, WORK, work);
    Atomics.notify(words, WORK);
  }

  /** Waits until the first thread has come to a piece of work. */
  awaitOpen(work: number): void {
    this.awaitAtLeast(WORK, work);
  }

  /** The first thread has told what came of a piece of work. */
  close(work: number): void {
    Atomics.store(this.words, DONE, work);
    Atomics.notify(this.words, DONE);
  }

  /** Sleeps for so long, in milliseconds, unless the work is done before; true if it is. */
  isClosedWithin(work: number, time: number): boolean {
    const { words } = this;
    const isClosed = (): boolean => Atomics.load(words, DONE) >= work;
    if (!isClosed()) Atomics.wait(words, DONE, work - 1, time);
    return isClosed();
  }

  awaitClosed(work: number): void {
    this.awaitAtLeast(DONE, work);
  }

  private awaitAtLeast(word: number, work: number): void {
    for (let at = Atomics.load(this.words, word); at < work; at = Atomics.load(this.words, word)) {
      Atomics.wait(this.words, word, at);
    }
  }

  /** Takes a part; false if another has. */
  take(work: number, part: number): boolean {
    const free = work * NAMES + FREE;
    return Atomics.compareExchange(this.words, PARTS + part, free, free + TAKEN + this.name) === free;
  }

  /** How many parts no thread has taken. */
  free(work: number, parts: number): number {
    let count = 0;
    for (let part = 0; part < parts; part++) {
      if (Atomics.load(this.words, PARTS + part) === work * NAMES + FREE) count++;
    }
    return count;
  }

  /** The helper that has taken a part; 0 if that is the first thread. */
  takerOf(part: number): number {
    return (Atomics.load(this.words, PARTS + part) % NAMES) - TAKEN;
  }

  /** A helper has sent a message. */
  sent(): void {
    Atomics.add(this.words, SENT, 1);
    Atomics.notify(this.words, SENT);
  }

  get messages(): number {
    return Atomics.load(this.words, SENT);
  }

  /** Sleeps for a short time, or until there are more messages than that. */
  awaitMessage(known: number): void {
    Atomics.wait(this.words, SENT, known, GLANCE_MS);
  }

  /** This helper takes no more parts, and what it has taken is for others. */
  leave(): void {
    Atomics.store(this.words, this.at(this.name), 1);
    this.sent();
  }

  hasLeft(helper: number): boolean {
    return Atomics.load(this.words, this.at(helper)) !== 0;
  }

  /** Shows that this helper works. */
  beat(): void {
    Atomics.add(this.words, this.at(this.name) + 1, 1);
  }

  beatOf(helper: number): number {
    return Atomics.load(this.words, this.at(helper) + 1);
  }

  private at(helper: number): number {
    return STATE + STATES * (helper - 1);
  }
}
