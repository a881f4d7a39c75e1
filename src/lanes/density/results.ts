/** The results of a recorded density, and their places. */

/** The program goes the way that was recorded, and its execution is possible. */
export const SAME_WAY = 0;
/** The same, and the execution is impossible. */
export const IMPOSSIBLE = 1;
/** It may go another way, or fail: nothing is known. */
export const UNKNOWN = 2;

/**
 * Places among the results: of the outcome (`SAME_WAY` or `IMPOSSIBLE`) and of the sums. Scores of choices and leaves
 * follow.
 */
export const COURSE = 0;
export const CHOICE_SCORE = 1;
export const FACTOR_SCORE = 2;
export const SCORES = 3;
