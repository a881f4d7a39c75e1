/** Functions that a program makes while it runs, and what they were made from. */

interface Making {
  /** Tells the text from all others of the program. */
  readonly text: string;
  /** The values of the variables around it that it uses. */
  readonly captured: () => readonly unknown[];
}

const MADE: unique symbol = Symbol('made by a program');

interface Marked {
  [MADE]?: Making;
}

/** Notes what a function was made from, and returns it. */
export function made<F extends object>(fn: F, text: string, captured: () => readonly unknown[]): F {
  (fn as Marked)[MADE] = { text, captured };
  return fn;
}

export function makingOf(fn: object): Making | undefined {
  return (fn as Marked)[MADE];
}
