/**
 * Whether others use the processors: then a thread that has taken a piece of some work may have to wait for one while all others wait for that thread,
 * far longer than sharing ever saves. Work done alone then takes as long as it does with one thread.
 */

/** Milliseconds of work after which it is judged. */
const JUDGED_AFTER = 30;
/** The share of a processor that work gets on a machine that is not busy. */
const USUAL = 0.75;

export class Crowd {
  isBusy = false;
  private took = 0;
  private had = 0;

  /** Some work took so many milliseconds, and had a processor (or several) for so many of them. */
  add(took: number, had: number): void {
    this.took += took;
    this.had += had;
    if (this.took < JUDGED_AFTER) return;
    this.isBusy = this.had < USUAL * this.took;
    this.took = 0;
    this.had = 0;
  }
}
