/**
 * When V8 optimises code, where that can be set (`cli/v8/optimising.ts`). On its own it does so after a few calls,
 * which is early for runs that last some milliseconds.
 */
type Make = (bytes: Uint8Array<ArrayBuffer>) => object;

export const optimising = {
  /** The module that `make` makes is to be optimised once so many bytes of a function's code have been executed. */
  after: (_bytes: number, make: () => object): object => make(),
  /**
   * The module that `make` makes of the bytes, of which these functions are optimised at once, beside the program; null if that cannot be asked for.
   */
  ahead: (_bytes: Uint8Array<ArrayBuffer>, _functions: readonly string[], _make: Make): object | null => null,
  /** What `run` calls for the first time is optimised before. */
  now: (run: () => void): void => run(),
  /** `run` calls many functions, each of them a few times. */
  learning: <R>(run: () => R): R => run(),
  /** What is run by `learning` is going to last, for many executions at once: until it ends, optimising is to wait. */
  lasting: (): void => {},
  /** From now on a loop of the engine does most of the work, or does so no longer. */
  looping: (_loops: boolean): void => {},
};
