/**
 * Inverts a distribution function on (0, upper) by Newton's method on log P against log x. For densities that are
 * log-concave in log x (gamma, beta, …) that curve is concave, and where x is tiny it is a straight line, so a few steps
 * do even where x = 1e-100. A bracket keeps the steps within bounds.
 */
export function solveLogLog(
  cdf: (x: number) => number,
  density: (x: number) => number,
  p: number,
  start: number,
  upper: number,
): number {
  const target = Math.log(p);
  let low = -745;
  let high = Math.log(upper);
  let u = Math.min(Math.max(Math.log(start), low), high);
  for (let i = 0; i < 200; i++) {
    const x = Math.exp(u);
    const probability = cdf(x);
    const excess = Math.log(probability) - target;
    if (Math.abs(excess) < 1e-16) return x;
    if (excess > 0) high = u;
    else low = u;
    const newton = u - (excess * probability) / (density(x) * x);
    const next = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (Math.abs(next - u) <= 4e-16 * Math.max(1, Math.abs(u))) return Math.exp(next);
    u = next;
  }
  return Math.exp(u);
}
