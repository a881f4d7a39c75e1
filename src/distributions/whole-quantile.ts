/**
 * The smallest whole number k ≥ 0 with cdf(k) ≥ p: steps out from a guess until p is bracketed, then halves. A
 * probability that is exactly p on paper may have been computed a few roundings below it, and counts as reaching it.
 */
export function wholeQuantile(cdf: (k: number) => number, p: number, guess: number, largest = Infinity): number {
  if (p >= 1) return largest;
  const enough = p * (1 - 1e-14);
  const reached = (k: number) => k >= largest || cdf(k) >= enough;
  let high = Math.min(Math.max(0, Math.floor(guess)), largest);
  let low = high;
  let step = 1;
  while (!reached(high)) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  step = 1;
  while (low > 0 && reached(low)) {
    high = low;
    low = Math.max(0, low - step);
    step *= 2;
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (reached(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}
