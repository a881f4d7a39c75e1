/** The variables that hold what a loop returns, until all executions have left it. */
export class Returned {
  constructor(
    readonly value: string,
    /** The variable that says which executions have returned; null if all do. */
    readonly flag: string | null,
  ) {}

  get names(): readonly string[] {
    return this.flag === null ? [this.value] : [this.value, this.flag];
  }
}
