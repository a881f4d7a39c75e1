/** Numbers of an array at given places, as they are wanted again in every step: most places follow a simple pattern. */
export class Spread {
  private readonly at: Int32Array;
  /** Where runs of the same place begin, and the end; null if there are too many. */
  private readonly runs: Int32Array | null;
  private readonly isInOrder: boolean;

  constructor(at: ArrayLike<number>) {
    this.at = Int32Array.from(at);
    this.isInOrder = this.at.every((place, i) => place === i);
    const starts = Array.from(this.at.keys()).filter((i) => i === 0 || this.at[i] !== this.at[i - 1]);
    this.runs = starts.length * LEAST_RUN <= this.at.length ? Int32Array.from([...starts, this.at.length]) : null;
  }

  copy(from: Int32Array, into: Int32Array): void {
    const { at, runs } = this;
    if (this.isInOrder) into.set(from.length === at.length ? from : from.subarray(0, at.length));
    else if (runs !== null) {
      for (let k = 0; k + 1 < runs.length; k++) into.fill(from[at[runs[k]]], runs[k], runs[k + 1]);
    } else for (let i = 0; i < at.length; i++) into[i] = from[at[i]];
  }
}

/** Filling pays from this length of a run on. */
const LEAST_RUN = 8;
