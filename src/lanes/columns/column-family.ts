/** What a family in columns is, and what its parameters must be. */
import type { FamilyForm } from '../../algebra/families.ts';
import type { Column } from './column.ts';
import { currentGroup } from './group.ts';
import type { Doubles } from './kernel-memory.ts';
import { elementwise, type Operand, sumOfSquares } from './kernels.ts';
import type { ColumnStreams } from './streams.ts';

export interface ColumnFamily extends FamilyForm {
  /** Whether values are on a continuum. */
  readonly isContinuous: boolean;
  /** Whether parameters are allowed, for each execution. If they are not, the family's own error is shown. */
  accepts(...params: readonly Parameter[]): boolean;
  draw(streams: ColumnStreams, ...params: readonly Operand[]): Column;
  score(value: Operand, ...params: readonly Operand[]): Doubles;
  /** The score of a value that was drawn, where the draw tells it. */
  drawnScore?(drawn: Column, ...params: readonly Operand[]): Operand;
  /** Draws for all executions and adds their scores to totals, where one loop does both. */
  drawScored?(streams: ColumnStreams, totals: Doubles, ...params: readonly Operand[]): Column;
  /** Adds the scores of a value to scores and to log-weights in one loop; gives the largest of these: see `gain`. */
  gain?(value: Operand, scores: Doubles, weights: Doubles, ...params: readonly Operand[]): number;
}

/** A parameter: the same for all executions, or one for each. */
export type Parameter = number | Column;

export const isReal = (x: Parameter): boolean => (typeof x === 'number' ? Number.isFinite(x) : x.isFinite);

/** Whether a kernel gives 1 for all of these numbers. */
export function all(x: Column, comparison: 'gt' | 'ge' | 'le', y: number): boolean {
  const { numbers } = x;
  const { oneOfTwo } = numbers;
  if (oneOfTwo?.values.every((value) => COMPARISONS[comparison](value, y))) return true;
  const holds = computed(comparison, numbers, y);
  const count = sumOfSquares(holds);
  holds.release();
  return count === numbers.length;
}

const COMPARISONS = {
  gt: (x: number, y: number): boolean => x > y,
  ge: (x: number, y: number): boolean => x >= y,
  le: (x: number, y: number): boolean => x <= y,
};

/** The result of a kernel for numbers of the current group. */
export const computed = (kernel: string, a: Operand, b?: Operand, c?: Operand, d?: Operand): Doubles =>
  elementwise(kernel, currentGroup().size, a, b, c, d);

export const isPositive = (x: Parameter): boolean => (typeof x === 'number' ? x > 0 : all(x, 'gt', 0));
export const isProbability = (x: Parameter): boolean =>
  typeof x === 'number' ? x >= 0 && x <= 1 : all(x, 'ge', 0) && all(x, 'le', 1);

/** A whole number from `least` on. */
export function isCount(n: Parameter, least: number): boolean {
  const holds = (count: number): boolean => Number.isSafeInteger(count) && count >= least;
  return typeof n === 'number' ? holds(n) : n.data.every(holds);
}
