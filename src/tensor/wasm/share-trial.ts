/**
 * Finds whether repeated work is faster with the help of other threads: it is done both ways in turns, the times are
 * compared, and the faster way is kept for a while. Timing single pieces would not tell, since two threads on one core, or on
 * one memory, slow each other down.
 */

/** Runs of each way that are compared. The slowest of them does not count: something else may have come in between. */
const RUNS = 5;
/** Sharing must save at least this part of the time. */
const GAIN = 0.05;
/** How often the better way is taken before both are compared again; each time twice as often, as long as it is the same. */
const FIRST_HOLD = 64;
const LONGEST_HOLD = 4096;

export class ShareTrial {
  private shared: number[] = [];
  private alone: number[] = [];
  private verdict: boolean | null = null;
  private hold = FIRST_HOLD;
  private left = 0;

  /** Whether the next run is to be shared. */
  get isShared(): boolean {
    if (this.left > 0) return this.verdict === true;
    return this.shared.length <= this.alone.length;
  }

  /** The run took so many milliseconds, in the way that was asked for. */
  took(milliseconds: number): void {
    if (this.left > 0) {
      this.left--;
      return;
    }
    (this.isShared ? this.shared : this.alone).push(milliseconds);
    if (this.alone.length === RUNS) this.decide();
  }

  private decide(): void {
    const verdict = usual(this.shared) < (1 - GAIN) * usual(this.alone);
    this.hold = verdict === this.verdict ? Math.min(2 * this.hold, LONGEST_HOLD) : FIRST_HOLD;
    this.verdict = verdict;
    this.left = this.hold;
    this.shared = [];
    this.alone = [];
  }
}

/** The sum of all but the longest. */
const usual = (times: readonly number[]): number =>
  times.reduce((sum, time) => sum + time, 0) - times.reduce((most, time) => Math.max(most, time), 0);
