/**
 * Training among ranks: each finds the objective and the gradients for its share of the dreams of a step. A dream counts as much as it
 * weighs, so that shares add up to what one process finds, up to the order of sums.
 */
import { currentTeam } from '../runtime/team.ts';
import type { Dreams } from './dreams.ts';
import type { Sites } from './sites.ts';

/** An objective, and the gradients of its negative by the parameters in their order; none where there is nothing to learn from. */
export interface Evaluated {
  readonly value: number;
  readonly gradients: readonly ArrayLike<number>[];
}

/** What ranks add up before gradients: how many learn something, what their dreams weigh, and the objective. */
const LEARNING = 0;
const WEIGHT = 1;
const VALUE = 2;
const FIRST = 3;

/** What `evaluate` finds for the dreams, by all ranks together. `sizes` are those of the parameters. */
export function evaluatedByAll(
  dreams: Dreams,
  evaluate: (dreams: Dreams) => Evaluated,
  sizes: () => readonly number[],
  { all: sites }: Sites,
): Evaluated {
  const team = currentTeam();
  const { largest, shares } = dreams;
  if (team === undefined || largest === undefined) return evaluate(dreams);
  const before = sites.map(({ met }) => met);
  const { value, gradients } = evaluate(dreams);
  const lengths = sizes();
  // Shares that are given add up as they are.
  const weight = shares === undefined ? weightOf(dreams.logWeights, largest) : 1;
  const start = FIRST + sites.length;
  const sums = new Float64Array(start + lengths.reduce((sum, length) => sum + length, 0));
  sums[LEARNING] = gradients.length > 0 ? 1 : 0;
  sums[WEIGHT] = weight;
  sums[VALUE] = weight * value;
  sites.forEach(({ met }, i) => {
    sums[FIRST + i] = met - before[i];
  });
  let at = start;
  for (const gradient of gradients) {
    for (let i = 0; i < gradient.length; i++) sums[at + i] = weight * gradient[i];
    at += gradient.length;
  }
  team.sum('train a network', sums);
  sites.forEach((site, i) => {
    site.met = before[i] + sums[FIRST + i];
  });
  const total = shares === undefined && sums[WEIGHT] > 0 ? sums[WEIGHT] : 1;
  if (sums[LEARNING] === 0) return { value: sums[VALUE] / total, gradients: [] };
  if (total !== 1) for (let i = start; i < sums.length; i++) sums[i] /= total;
  let end = start;
  const gradientsOfAll = lengths.map((length) => {
    end += length;
    return sums.subarray(end - length, end);
  });
  return { value: sums[VALUE] / total, gradients: gradientsOfAll };
}

/** The weight of the dreams of a share relative to the heaviest dream of all ranks. */
function weightOf(logs: Float64Array, largest: number): number {
  return largest === -Infinity ? 0 : logs.reduce((sum, log) => sum + Math.exp(log - largest), 0);
}
