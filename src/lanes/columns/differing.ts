/** A distribution or a tensor that differs as a whole: `at` gives that of one execution. */
export abstract class Differing {
  abstract at(lane: number): object;

  /** The object of one execution, for a program that may compare it with others. */
  ownAt(lane: number): object {
    return this.at(lane);
  }
}
