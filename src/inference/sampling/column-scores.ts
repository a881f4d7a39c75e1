/** Scores and weights of executions side by side. */
import { Column } from '../../lanes/columns/column.ts';
import { currentGroup, goOnWith } from '../../lanes/columns/group.ts';
import type { Doubles } from '../../lanes/columns/kernel-memory.ts';
import { areFinite, elementwise, gatherWords, largest, type Operand, partition } from '../../lanes/columns/kernels.ts';
import { abandon, OneByOne } from '../../runtime/signals.ts';

/** The score given to a handler as numbers of the current group. */
export function scoreNumbers(score: unknown): Operand {
  return score instanceof Column ? score.numbers : (score as Operand);
}

export const isAllFinite = (scores: Operand): boolean =>
  typeof scores === 'number' ? Number.isFinite(scores) : areFinite(scores);

/** a − b, for each execution of the current group. */
export function difference(a: Operand, b: Operand): Doubles {
  return elementwise('sub', currentGroup().size, a, b);
}

/** Goes on without the executions whose score is −∞. */
export function giveUpImpossible(score: Operand): void {
  if (typeof score === 'number') {
    if (score === -Infinity) throw abandon;
    if (score === Infinity) throw new OneByOne('weights', 'a factor is infinite');
    return;
  }
  if (areFinite(score)) return;
  if (largest(score) === Infinity) throw new OneByOne('weights', 'a factor is infinite');
  const [left] = partition(elementwise('gt', currentGroup().size, score, -Infinity));
  if (left.length === 0) throw abandon;
  goOnWith(left, gatherWords(currentGroup().numbers, left));
}
