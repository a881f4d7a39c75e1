/**
 * One step of the method of Dormand and Prince (1980): fifth order, with an estimate of its error. Written in arithmetic on numbers, and
 * read a second time for the graph, as families of distributions are.
 */

/** The derivatives of a state at a time. */
export type Derivative = (t: number, y: readonly number[]) => readonly number[];

export interface Step {
  readonly y: readonly number[];
  /** The derivatives there, with which the next step begins. */
  readonly slope: readonly number[];
  /** The error as a share of the error that is allowed: at most 1 if the step is short enough. */
  readonly error: number;
}

/** For each stage, its place in the step and the weights of the slopes before it. */
const STAGES: readonly (readonly [at: number, ...of: number[]])[] = [
  [1 / 5, 1 / 5],
  [3 / 10, 3 / 40, 9 / 40],
  [4 / 5, 44 / 45, -56 / 15, 32 / 9],
  [8 / 9, 19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
  [1, 9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
  [1, 35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
];

/** The fifth order less the fourth. */
const ERROR = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40];

/** y + h Σ weightⱼ slopeⱼ, for each element. */
function moved(
  y: readonly number[],
  h: number,
  weights: readonly number[],
  slopes: readonly (readonly number[])[],
): number[] {
  return y.map((start, i) => {
    let sum = weights[0] * slopes[0][i];
    for (let j = 1; j < weights.length; j++) sum += weights[j] * slopes[j][i];
    return start + h * sum;
  });
}

export function step(
  f: Derivative,
  t: number,
  y: readonly number[],
  slope: readonly number[],
  h: number,
  relative: number,
  absolute: number,
): Step {
  const slopes: (readonly number[])[] = [slope];
  let end: readonly number[] = y;
  for (let s = 0; s < STAGES.length; s++) {
    const [at, ...weights] = STAGES[s];
    end = moved(y, h, weights, slopes);
    slopes.push(f(t + at * h, end));
  }
  let error = 0;
  const zeros = y.map(() => 0);
  const errors = moved(zeros, h, ERROR, slopes);
  for (let i = 0; i < y.length; i++) {
    const scale = absolute + relative * Math.max(Math.abs(y[i]), Math.abs(end[i]));
    error = Math.max(error, Math.abs(errors[i]) / scale);
  }
  return { y: end, slope: slopes[slopes.length - 1], error };
}
