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
  readonly math: { sigmoid(x: number): number };
}
