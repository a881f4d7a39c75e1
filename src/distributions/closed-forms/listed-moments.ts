/** Moments of whole numbers from a first to a last one, by adding up. */

export interface Listed {
  readonly first: number;
  readonly last: number;
  score(k: number): number;
}

export const listedMean = (listed: Listed): number => powers(listed, 0, 1);

export const listedVariance = (listed: Listed): number => powers(listed, powers(listed, 0, 1), 2);

/** The mean of (k − centre) to the power. */
function powers({ first, last, score }: Listed, centre: number, power: number): number {
  let sum = 0;
  for (let k = first; k <= last; k++) sum += Math.exp(score(k)) * (k - centre) ** power;
  return sum;
}
