/** Numbers that formulas of several files need. */
export const LOG_2PI = Math.log(2 * Math.PI);
export const HALF_LOG_2PI = 0.5 * LOG_2PI;
