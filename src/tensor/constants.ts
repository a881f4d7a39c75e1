/** Numbers that formulas of several files need. */
export const LOG_2PI = Math.log(2 * Math.PI);
export const HALF_LOG_2PI = 0.5 * LOG_2PI;
export const SQRT_2PI = Math.sqrt(2 * Math.PI);
/** Euler's constant γ. */
export const EULER = 0.5772156649015329;
