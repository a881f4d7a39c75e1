/** Arrays of counts that add up to a number. */
import type { Random } from '../runtime/random.ts';
import { TooManyValues } from '../runtime/too-many-values.ts';
import { logChoose } from '../tensor/special/gamma.ts';
import { drawBinomial } from './draws/binomial.ts';
import { MOST_OBJECTS } from './listable.ts';

/** How often each outcome occurs in n draws with probabilities `ps`, which add up to 1. */
export function drawCounts(ps: Float64Array, n: number, random: Random): number[] {
  const counts = new Array<number>(ps.length).fill(0);
  let left = n;
  let rest = 1;
  for (let i = 0; i < ps.length - 1 && left > 0; i++) {
    counts[i] = drawBinomial(rest > 0 ? Math.min(1, ps[i] / rest) : 1, left, random);
    left -= counts[i];
    rest -= ps[i];
  }
  if (left > 0) counts[lastPositive(ps)] += left;
  return counts;
}

/** Rounding may leave something for the end, which must not fall on an impossible outcome. */
function lastPositive(ps: Float64Array): number {
  let last = ps.length - 1;
  while (ps[last] === 0) last--;
  return last;
}

/** Whether these are `outcomes` counts that add up to n. */
export function areCounts(x: ArrayLike<number>, outcomes: number, n: number): boolean {
  if (x.length !== outcomes) return false;
  let total = 0;
  for (let i = 0; i < x.length; i++) {
    if (!Number.isInteger(x[i]) || x[i] < 0) return false;
    total += x[i];
  }
  return total === n;
}

/** How many arrays of so many counts add up to n; more than can be listed are not counted to the last. */
export const countOfCounts = (n: number, outcomes: number | undefined): number | undefined =>
  outcomes && Math.round(Math.exp(logChoose(n + outcomes - 1, n)));

/** All arrays of so many counts that add up to n. */
export function allCounts(n: number, outcomes: number, family: string): readonly number[][] {
  if (logChoose(n + outcomes - 1, n) > Math.log(MOST_OBJECTS)) {
    throw new TooManyValues(family, `more than ${MOST_OBJECTS}`);
  }
  return compositions(n, outcomes);
}

function compositions(n: number, parts: number): number[][] {
  if (parts === 1) return [[n]];
  const all: number[][] = [];
  for (let first = n; first >= 0; first--) {
    for (const rest of compositions(n - first, parts - 1)) all.push([first, ...rest]);
  }
  return all;
}
