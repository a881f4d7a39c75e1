/**
 * Truth values that lie between false and true in lanes that are no executions (`optimize/sites/relaxation.ts`). Where a program looks at one, it
 * sees the nearer of the two; where it calculates with one, or selects one of two numbers by it, it gets what lies between.
 */
import { isTruth, Node, type Value } from '../tensor/node.ts';
import { add, gt, select, sub, weigh } from '../tensor/ops.ts';

export class SoftTruth extends Node {
  private constructor(
    seen: Node,
    /** 0 and 1 in executions. */
    readonly number: Node,
  ) {
    super(seen.op, seen.inputs, seen.attributes, seen.shape, seen.dtype, seen.space);
  }

  static of(number: Node): SoftTruth {
    return new SoftTruth(gt(number, 0.5), number);
  }

  not(): SoftTruth {
    return SoftTruth.of(sub(1, this.number) as Node);
  }

  /** One of two numbers or truth values, or what lies between them. */
  select(a: Value, b: Value): Node {
    const { number } = this;
    // (`x && y` selects x itself where it is false, and so `x || y` where it is true.)
    const [then, otherwise] = [a === this ? 1 : truthNumber(a), b === this ? 0 : truthNumber(b)];
    // Weighed, so that the other one may be infinite in executions.
    const between = add(weigh(number, then), weigh(sub(1, number), otherwise)) as Node;
    return [a, b].every(isTruth) ? SoftTruth.of(between) : between;
  }
}

/** A truth value as it counts in sums and products; numbers as they are. */
export function truthNumber(value: Value): Value {
  if (value instanceof SoftTruth) return value.number;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value instanceof Node && value.dtype === 'bool' ? select(value, 1, 0) : value;
}
