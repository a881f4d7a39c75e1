/**
 * Ranks that are threads of one process, and exchange numbers through memory that they share. Each has two places in it,
 * which it writes by turns: in one round all write, wait until all have written, and read what the others wrote. A rank that
 * writes to the same place again, two rounds later, has met all others in between, so that these have read what is
 * overwritten.
 */
import type { Wire } from './wire.ts';

/** The words before the places: how often a rank has come to the end of its writing. */
const ARRIVED = 0;
const WORDS = 16;

/** Bytes of a place. What is longer is exchanged in several rounds. */
const PLACE = 2 ** 20;

/** Looks at whether the others are there before a rank sleeps: about as long as waking takes. */
const GLANCES = 2000;

/** The memory that so many ranks share. */
export const sharedMemory = (size: number): SharedArrayBuffer => new SharedArrayBuffer(4 * WORDS + 2 * size * PLACE);

export class ThreadWire implements Wire {
  private readonly words: Int32Array;
  private rounds = 0;
  /** What `startLargest` was given. */
  private pending: Float64Array | null = null;

  constructor(
    private readonly memory: SharedArrayBuffer,
    private readonly rank: number,
    private readonly size: number,
    private readonly end: (code: number) => void,
  ) {
    this.words = new Int32Array(memory, 0, WORDS);
  }

  init(): { readonly rank: number; readonly size: number } {
    return { rank: this.rank, size: this.size };
  }

  finalize(): void {}

  abort(code: number): void {
    this.end(code);
  }

  allReduce(numbers: Float64Array | Float32Array, how: 'sum' | 'largest'): void {
    const most = PLACE / numbers.BYTES_PER_ELEMENT;
    for (let at = 0; at < numbers.length; at += most) {
      const part = numbers.subarray(at, at + most);
      this.write(part);
      this.wait();
      this.reduce(part, how);
    }
  }

  startLargest(numbers: Float64Array): void {
    this.pending = numbers;
    this.write(numbers);
  }

  wait(): void {
    const { words } = this;
    for (let glances = 0; !this.haveArrived(); glances++) {
      if (glances < GLANCES) continue;
      const arrived = Atomics.load(words, ARRIVED);
      if (!this.haveArrived()) Atomics.wait(words, ARRIVED, arrived);
    }
    this.isDone();
  }

  isDone(): boolean {
    if (!this.haveArrived()) return false;
    if (this.pending !== null) this.reduce(this.pending, 'largest');
    this.pending = null;
    return true;
  }

  broadcast(bytes: Uint8Array, from: number): void {
    for (let at = 0; at < bytes.length; at += PLACE) {
      const part = bytes.subarray(at, at + PLACE);
      this.write(this.rank === from ? part : NOTHING);
      this.wait();
      if (this.rank !== from) part.set(this.bytesOf(from, part.length));
    }
  }

  gatherNumbers(own: Float64Array, all: Float64Array): void {
    this.write(own);
    this.wait();
    for (let rank = 0; rank < this.size; rank++) all.set(this.numbersOf(rank, own), rank * own.length);
  }

  gatherBytes(own: Uint8Array, all: Uint8Array, counts: Int32Array, places: Int32Array): void {
    const longest = counts.reduce((a, b) => Math.max(a, b), 0);
    for (let at = 0; at < longest; at += PLACE) {
      this.write(own.subarray(at, at + PLACE));
      this.wait();
      for (let rank = 0; rank < this.size; rank++) {
        const length = Math.min(PLACE, counts[rank] - at);
        if (length > 0) all.set(this.bytesOf(rank, length), places[rank] + at);
      }
    }
  }

  /** Begins a round. Counts go around after 2³² arrivals. */
  private write(part: Float64Array | Float32Array | Uint8Array): void {
    const { words, size } = this;
    this.rounds++;
    this.bytesOf(this.rank, part.byteLength).set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
    Atomics.add(words, ARRIVED, 1);
    if (this.haveArrived() && size > 1) Atomics.notify(words, ARRIVED);
  }

  /** Whether all have written in the round at hand. */
  private haveArrived(): boolean {
    return ((Atomics.load(this.words, ARRIVED) - Math.imul(this.rounds, this.size)) | 0) >= 0;
  }

  /** In the order of ranks, so that all of them come to the same bits. */
  private reduce(own: Float64Array | Float32Array, how: 'sum' | 'largest'): void {
    own.set(this.numbersOf(0, own));
    for (let rank = 1; rank < this.size; rank++) {
      const others = this.numbersOf(rank, own);
      if (how === 'sum') for (let i = 0; i < own.length; i++) own[i] += others[i];
      else for (let i = 0; i < own.length; i++) own[i] = Math.max(own[i], others[i]);
    }
  }

  private place(rank: number): number {
    return 4 * WORDS + (2 * rank + (this.rounds & 1)) * PLACE;
  }

  private bytesOf(rank: number, length: number): Uint8Array {
    return new Uint8Array(this.memory, this.place(rank), length);
  }

  /** As many as there are in `own`, and of the same kind. */
  private numbersOf(rank: number, own: Float64Array | Float32Array): Float64Array | Float32Array {
    const at = this.place(rank);
    return own instanceof Float32Array
      ? new Float32Array(this.memory, at, own.length)
      : new Float64Array(this.memory, at, own.length);
  }
}

const NOTHING = new Uint8Array(0);
