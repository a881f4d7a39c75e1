import type { Random } from '../../runtime/random.ts';

/** An index with probability in proportion to its weight: the first whose running sum exceeds u times the total. */
export function drawIndex(weights: ArrayLike<number>, total: number, random: Random): number {
  const target = random.uniform() * total;
  let sum = 0;
  let last = 0;
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i];
    if (weight === 0) continue;
    last = i;
    sum += weight;
    if (sum > target) return i;
  }
  // By rounding, the sum may end short of the target.
  return last;
}

export function totalOf(weights: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < weights.length; i++) total += weights[i];
  return total;
}
