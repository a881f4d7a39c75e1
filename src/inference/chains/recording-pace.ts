/**
 * Whether another recording pays. A recording takes as long as hundreds of executed steps of a small program, and may last for few where the program
 * goes many ways, so that time decides: what recordings take is held to a share of what they have saved. Both ways give
 * the same samples.
 */

/** Recordings that a chain may make before anything is known of it. */
const FIRST = 2;
/** Then one for so many steps that were computed, or for so many executed ones, at most. */
const COMPUTED = 100;
const EXECUTED = 2000;
/** What recordings may take of the time that the steps computed from them would have taken, and of that of executed ones. */
const SHARE_OF_SAVED = 0.3;
const SHARE_OF_EXECUTED = 0.02;
/** Steps that are timed before a recording is made, or as many as take such a share of what one takes. */
const TIMED = 32;
const SHARE_OF_RECORDING = 0.1;

export class RecordingPace {
  private recordings = 0;
  /** Milliseconds of all recordings. */
  private spent = 0;
  /** Steps that were timed since the last recording, and how many milliseconds they took. */
  private steps = 0;
  private took = 0;
  private began = 0;

  /** Without a clock only numbers of steps decide. */
  constructor(private readonly now: (() => number) | null) {}

  /** Makes a recording. */
  record<R>(make: () => R): R {
    const start = this.now?.() ?? 0;
    const made = make();
    this.spent += (this.now?.() ?? 0) - start;
    this.recordings++;
    this.steps = 0;
    this.took = 0;
    return made;
  }

  /** A step is going to be executed. */
  begin(): void {
    if (this.isTiming) this.began = this.now!();
  }

  /** It was. */
  end(): void {
    if (!this.isTiming) return;
    this.took += this.now!() - this.began;
    this.steps++;
  }

  /** Whether another one may be made, after so many steps that were computed, and so many that were executed without a recording. */
  allows(computed: number, executed: number): boolean {
    const { recordings, spent, now } = this;
    if (recordings < FIRST) return true;
    if (recordings >= FIRST + computed / COMPUTED + executed / EXECUTED) return false;
    if (now === null) return true;
    const each = this.took / this.steps;
    return spent + spent / recordings <= each * (SHARE_OF_SAVED * computed + SHARE_OF_EXECUTED * executed);
  }

  /** Whether it is being found out how long executed steps take now. */
  get isTiming(): boolean {
    const { steps, took, spent, recordings } = this;
    if (this.now === null || recordings < FIRST || steps >= TIMED) return false;
    return steps === 0 || took < (SHARE_OF_RECORDING * spent) / recordings;
  }
}
