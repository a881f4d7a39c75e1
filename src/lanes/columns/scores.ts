/** Totals that scores of executions side by side are added to. */
import { currentGroup } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import { addTo, type Operand, scatter } from './kernels.ts';

/** Adds a score for each execution of the current group, or one for all of them, to those of all. */
export function addScores(totals: Doubles, score: Operand): void {
  if (score === 0) return;
  const group = currentGroup();
  if (group.isWhole) addTo(totals, score);
  else scatter(score, group.numbers, totals, true);
}

/** Releases scores that only the handler holds, once it has added them. */
export function dropScore(score: unknown): void {
  if (score instanceof Doubles) score.release();
}
