/**
 * Distributions that are tables of values, in lanes. The values are the same for all lanes; if they are numbers or truth
 * values, what is drawn is computed in the graph, and so is its score: nothing is looked at.
 */
import type { Distribution } from '../runtime/handler.ts';
import { Node, type Value } from '../tensor/node.ts';
import { eq, gt, select, stack } from '../tensor/ops.ts';
import { gatherItems } from './gathering.ts';

export interface WeighedValues {
  readonly values: readonly unknown[];
  /** One for each, not necessarily normalised. */
  readonly weights: readonly Value[];
}

/** A table whose weights may be nodes. */
export interface LiftedTable {
  weighed(): WeighedValues;
}

export function liftedTableOf(distribution: Distribution<unknown>): WeighedValues | undefined {
  return (distribution as Partial<LiftedTable>).weighed?.();
}

/** The item of a table that each lane's index names. */
export function tableItems(values: readonly unknown[], index: Node): unknown {
  if (!values.every((value) => typeof value === 'boolean')) return gatherItems(values, index);
  return gt(gatherItems(values.map(Number), index) as Node, 0);
}

export const weightsOf = ({ weights }: WeighedValues): Node => stack(weights as Node[]) as Node;

/** The score of a number or truth value that is a node: whichever of the table's values it is. */
export function tableScore(distribution: Distribution<unknown>, value: Node): Value {
  const isTruth = value.dtype === 'bool';
  let score: Value = -Infinity;
  for (const item of distribution.support!() as readonly unknown[]) {
    const kind = item instanceof Node ? item.dtype === 'bool' : typeof item === 'boolean';
    if (kind !== isTruth || (typeof item !== 'number' && typeof item !== 'boolean' && !(item instanceof Node)))
      continue;
    score = select(eq(value, item as Value), distribution.score(item) as Value, score);
  }
  return score;
}
