/** Scores and weights of executions side by side. */
import { Column } from '../lanes/columns/column.ts';
import { currentGroup, goOnWith } from '../lanes/columns/group.ts';
import { areFinite, elementwise, gatherWords, type Numbers, partition, scatter } from '../lanes/columns/kernels.ts';
import { abandon, OneByOne } from '../runtime/signals.ts';

/** Adds a score for each execution of the current group, or one for all of them, to those of all. */
export function addScores(totals: Float64Array, score: Float64Array | number): void {
  const { isWhole, slots } = currentGroup();
  if (score === 0) return;
  if (isWhole) {
    const added: Numbers =
      typeof score === 'number' ? { data: Float64Array.of(score), step: 0 } : { data: score, step: 1 };
    elementwise('add', totals.length, [{ data: totals, step: 1 }, added], totals);
  } else scatter(typeof score === 'number' ? new Float64Array(slots.length).fill(score) : score, slots, totals, true);
}

/** The score as numbers of the current group. */
export function scoreData(score: unknown): Float64Array | number {
  return score instanceof Column ? score.data : (score as number);
}

/** a − b, for each execution of the current group. */
export function difference(a: Float64Array | number, b: Float64Array | number): Float64Array {
  return combined('sub', a, b);
}

/** What a kernel makes of two scores, for each execution of the current group. */
function combined(kernel: string, a: Float64Array | number, b: Float64Array | number): Float64Array {
  const numbers = (x: Float64Array | number): Numbers =>
    typeof x === 'number' ? { data: Float64Array.of(x), step: 0 } : { data: x, step: 1 };
  return elementwise(kernel, currentGroup().size, [numbers(a), numbers(b)]);
}

/** Goes on without the executions whose score is −∞. */
export function giveUpImpossible(score: Float64Array | number): void {
  if (typeof score === 'number') {
    if (score === -Infinity) throw abandon;
    if (score === Infinity) throw new OneByOne('a factor is infinite');
    return;
  }
  if (areFinite(score)) return;
  if (score.includes(Infinity)) throw new OneByOne('a factor is infinite');
  const [left] = partition(combined('gt', score, -Infinity));
  if (left.length === 0) throw abandon;
  goOnWith(left, gatherWords(currentGroup().slots, left));
}
