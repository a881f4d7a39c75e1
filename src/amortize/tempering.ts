/**
 * Weights of executions that a network has proposed, as it learns from them. As long as it knows little of a datum, one of them outweighs all
 * others, and what is learned is that one by heart. Powers of the weights below 1 let more of them count: they lead part of the way from what
 * is proposed to the posterior, and what is proposed next is nearer to it. Where enough of them count as they are, the power is 1.
 */
import { currentTeam } from '../runtime/team.ts';
import type { Dreams } from './dreams.ts';

/** The share of the executions that is to count. */
const COUNTING = 0.2;
/** The powers that are tried: each is the next larger one times this. */
const NEXT = Math.SQRT1_2;
const POWERS: readonly number[] = Array.from({ length: 24 }, (_, k) => NEXT ** k);

/** The same executions with weights to learn from. Ranks, each of which has a share of them, agree on the power. */
export function tempered(dreams: Dreams): Dreams {
  const { logWeights, largest } = dreams;
  const top = largest ?? logWeights.reduce((most, log) => Math.max(most, log), -Infinity);
  if (top === -Infinity) return dreams;
  const power = powerFor(logWeights, top, largest !== undefined);
  return {
    ...dreams,
    logWeights: logWeights.map((log) => power * log),
    largest: largest === undefined ? undefined : power * largest,
  };
}

function powerFor(logWeights: Float64Array, top: number, isShared: boolean): number {
  const sums = new Float64Array(2 * POWERS.length + 1);
  POWERS.forEach((power, k) => {
    for (const log of logWeights) {
      const weight = Math.exp(power * (log - top));
      sums[2 * k] += weight;
      sums[2 * k + 1] += weight * weight;
    }
  });
  // Of those that are possible at all.
  sums[2 * POWERS.length] = logWeights.reduce((count, log) => count + (log === -Infinity ? 0 : 1), 0);
  if (isShared) currentTeam()?.sum('compare weights', sums);
  const wanted = COUNTING * sums[2 * POWERS.length];
  return POWERS.find((_, k) => sums[2 * k] ** 2 >= wanted * sums[2 * k + 1]) ?? POWERS[POWERS.length - 1];
}
