type Binary = (a: unknown, b: unknown) => unknown;

/** Arithmetic of values that are no numbers, as plain text has it. */
export interface PlainArithmetic {
  readonly add: Binary;
  readonly sub: Binary;
  readonly mul: Binary;
  readonly div: Binary;
  readonly mod: Binary;
  readonly pow: Binary;
  readonly neg: (a: unknown) => unknown;
  readonly numeric: (a: unknown) => unknown;
  readonly get: Binary;
  /** `Math`, with more than JavaScript has. */
  readonly math: Readonly<Record<string, unknown>>;
}

/** Whether a function of `math` makes a number of numbers; others there compare, or take lists. */
export const isMathFunction = (name: string): boolean =>
  Object.hasOwn(Math, name) || name === 'sigmoid' || name === 'logGamma';
