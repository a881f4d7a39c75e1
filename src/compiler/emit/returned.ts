/** Where what a loop is left with waits. */
export class Returned {
  constructor(
    readonly value: string,
    /** The variable that says who has returned; null if all do. */
    readonly flag: string | null,
  ) {}

  get names(): readonly string[] {
    return this.flag === null ? [this.value] : [this.value, this.flag];
  }
}
