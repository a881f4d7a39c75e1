/**
 * A team of ranks that speak by a wire: MPI, or memory that they share.
 *
 * Before ranks exchange anything they meet: a few numbers tell all of them whether a rank has failed, whether a signal has
 * come, and whether all are at the same point of the program. So a failure on one rank reaches the ranks that wait for it,
 * and ranks that have gone different ways get an error and not each other's numbers.
 */
import { pause } from '../host/system.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { OtherRankFailed } from '../runtime/signals.ts';
import type { Team } from '../runtime/team.ts';
import type { Wire } from './wire.ts';

/** What a rank tells the others where they meet, each with its negative where the least is wanted too. */
const FAILED = 0;
const STOP = 1;
const TAG = 2;
const LENGTH = 4;
const HEADER = 6;

/** MPI counts in 32 bits. */
const MOST_AT_ONCE = 2 ** 30;

/** How long a rank that has failed waits for the others, in milliseconds. Each waits longer than the one before it, so that one speaks. */
const PATIENCE_MS = 3000;
const PATIENCE_PER_RANK_MS = 400;
const LOOK_MS = 5;

/** How a rank ended. */
export interface RankEnd {
  readonly kind: 'done' | 'failed' | 'interrupted' | 'exited';
  /** What is to be said, and the exit code. */
  readonly message: string;
  readonly code: number;
}

const KINDS: readonly (RankEnd['kind'] | 'other')[] = ['done', 'other', 'failed', 'interrupted', 'exited'];

export class WiredTeam implements Team {
  readonly rank: number;
  readonly size: number;
  stop = 0;
  private readonly header = new Float64Array(new ArrayBuffer(8 * HEADER));
  private meetings = 0;
  over = false;
  private left = false;

  constructor(
    private readonly wire: Wire,
    /** The exit code that a signal to this rank asks for; 0 if there was none. */
    private readonly signalled: () => number,
  ) {
    const { rank, size } = wire.init();
    this.rank = rank;
    this.size = size;
  }

  sum(what: string, numbers: Float64Array | Float32Array): void {
    this.meet(what, numbers.length);
    this.wire.allReduce(numbers, 'sum');
  }

  largest(what: string, numbers: Float64Array): void {
    this.meet(what, numbers.length);
    this.wire.allReduce(numbers, 'largest');
  }

  gather(what: string, bytes: Uint8Array): Uint8Array[] {
    this.meet(what, 0);
    const lengths = this.numbersOfAll(bytes.length);
    const total = lengths.reduce((sum, length) => sum + length, 0);
    if (total > MOST_AT_ONCE) return this.gatherMuch(bytes, lengths);
    const places = new Int32Array(this.size);
    for (let i = 1; i < this.size; i++) places[i] = places[i - 1] + lengths[i - 1];
    const all = new Uint8Array(total);
    this.wire.gatherBytes(bytes, all, Int32Array.from(lengths), places);
    return Array.from(lengths, (length, i) => all.subarray(places[i], places[i] + length));
  }

  broadcast(what: string, bytes: Uint8Array | undefined): Uint8Array {
    this.meet(what, 0);
    return this.broadcastFrom(0, bytes);
  }

  /**
   * Ends the work together: all hear how it ended, and with what to say. A rank that has failed and is not joined by the others
   * in time, because they compute something long, gives `speak` its own words and ends them all.
   */
  settle(given: RankEnd | 'other', speak: (end: RankEnd) => void): RankEnd {
    if (this.over) return { kind: 'done', message: '', code: 0 };
    this.over = true;
    const own = given !== 'other' && given.kind === 'done' ? this.meetDone(given) : given;
    const mine = KINDS.indexOf(own === 'other' ? 'other' : own.kind);
    // Ranks that have been told of a failure have met already.
    if (own !== 'other' && own.kind !== 'done') this.meetFailed(own, speak);
    const kinds = this.numbersOfAll(mine);
    const speaker = kinds.findIndex((kind) => kind > 1);
    if (speaker === -1) return own as RankEnd;
    const words = own !== 'other' && speaker === this.rank ? new TextEncoder().encode(JSON.stringify(own)) : undefined;
    return JSON.parse(new TextDecoder().decode(this.broadcastFrom(speaker, words))) as RankEnd;
  }

  /** Nothing may be called after this. */
  leave(): void {
    if (!this.left) this.wire.finalize();
    this.left = true;
  }

  /** Waits until all ranks are here. Throws if one has failed, or if they are not all at the same point. */
  private meet(what: string, length: number): void {
    this.announce(0, what, length);
    this.wire.wait();
    this.hear(what);
  }

  private announce(failed: number, what: string, length: number): void {
    const { header } = this;
    const tag = failed > 0 ? -Infinity : tagOf(what, this.meetings++);
    header[FAILED] = failed;
    header[STOP] = this.signalled();
    header[TAG] = tag;
    header[TAG + 1] = failed > 0 ? -Infinity : -tag;
    header[LENGTH] = failed > 0 ? -Infinity : length;
    header[LENGTH + 1] = failed > 0 ? -Infinity : -length;
    this.wire.startLargest(header);
  }

  private hear(what: string): void {
    const { header } = this;
    this.stop = header[STOP];
    if (header[FAILED] > 0) throw new OtherRankFailed();
    if (header[TAG] === -header[TAG + 1] && header[LENGTH] === -header[LENGTH + 1]) return;
    const words = new Uint8Array(LONGEST_WHAT);
    words.set(new TextEncoder().encode(what).subarray(0, LONGEST_WHAT));
    const all = new Uint8Array(LONGEST_WHAT * this.size);
    const each = new Int32Array(this.size).fill(LONGEST_WHAT);
    const starts = each.map((length, i) => length * i);
    this.wire.gatherBytes(words, all, each, starts);
    throw new WaymarkError(apart(all, this.size));
  }

  /** Where this rank has come to its end; it has failed if the others have not come to theirs. */
  private meetDone(own: RankEnd): RankEnd | 'other' {
    try {
      this.meet('end the program', 0);
      return own;
    } catch (thrown) {
      if (thrown instanceof OtherRankFailed) return 'other';
      const error = { message: (thrown as Error).message, file: '', frames: [] };
      return { kind: 'failed', message: JSON.stringify({ error }), code: 1 };
    }
  }

  private meetFailed(own: RankEnd, speak: (end: RankEnd) => void): void {
    this.announce(1, '', 0);
    const patience = PATIENCE_MS + PATIENCE_PER_RANK_MS * this.rank;
    for (let waited = 0; !this.wire.isDone(); waited += LOOK_MS) {
      if (waited >= patience) {
        speak(own);
        this.wire.abort(own.code);
      }
      pause(LOOK_MS);
    }
  }

  private numbersOfAll(own: number): Float64Array {
    const all = new Float64Array(this.size);
    this.wire.gatherNumbers(Float64Array.of(own), all);
    return all;
  }

  private gatherMuch(bytes: Uint8Array, lengths: Float64Array): Uint8Array[] {
    return Array.from(lengths, (_, from) => this.broadcastFrom(from, from === this.rank ? bytes : undefined));
  }

  private broadcastFrom(from: number, bytes: Uint8Array | undefined): Uint8Array {
    const length = this.numbersOfAll(bytes?.length ?? 0)[from];
    const all = bytes !== undefined && from === this.rank ? bytes : new Uint8Array(length);
    for (let at = 0; at < length; at += MOST_AT_ONCE) {
      this.wire.broadcast(all.subarray(at, Math.min(length, at + MOST_AT_ONCE)), from);
    }
    return all;
  }
}

const LONGEST_WHAT = 80;

/** A number for the point that a rank is at, which is exact as a double. */
function tagOf(what: string, meeting: number): number {
  let hash = meeting;
  for (let i = 0; i < what.length; i++) hash = (Math.imul(hash, 31) + what.charCodeAt(i)) | 0;
  return hash;
}

function apart(words: Uint8Array, size: number): string {
  const at = (rank: number): string =>
    new TextDecoder().decode(words.subarray(rank * LONGEST_WHAT, (rank + 1) * LONGEST_WHAT)).replace(/\0+$/, '');
  const other = Array.from({ length: size }, (_, rank) => rank).find((rank) => at(rank) !== at(0));
  const where =
    other === undefined
      ? `all ranks are about to ${at(0)}, but with work of other sizes`
      : `rank 0 is about to ${at(0)}, and rank ${other} to ${at(other)}`;
  return (
    `The ranks have gone different ways: ${where}. Every rank runs the whole program, and has to come to the same results: it must ` +
    'not depend on the clock, on the machine, or on files that differ between them.'
  );
}
