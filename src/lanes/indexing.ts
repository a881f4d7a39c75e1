/** `object[index]` where the index differs between lanes: gathered, not branched upon. */
import { force } from '../runtime/force.ts';
import { isRecord } from '../runtime/values.ts';
import { Node, type Value } from '../tensor/node.ts';
import { gather, stack } from '../tensor/ops.ts';
import { Tensor } from '../tensor/tensor.ts';
import { currentLanes, laneNumbers } from './lanes.ts';
import { laneValue } from './value.ts';

const isNumeric = (value: unknown): value is Value =>
  typeof value === 'number' || value instanceof Node || value instanceof Tensor;

/** For each lane the item that its index names. */
export function gatherItems(items: readonly unknown[], index: Node): unknown {
  if (items.length > 0 && items.every(isNumeric)) return gather(stack(items as Node[]) as Node, index);
  const [first] = items;
  if (isRecord(first)) {
    const keys = Object.keys(first);
    const alike = items.every((item) => isRecord(item) && Object.keys(item).join() === keys.join());
    if (alike && items.some((item) => Object.values(item as object).some((field) => field instanceof Node))) {
      // Field by field, so that what is in them stays in the graph.
      const fields = keys.map((key) => [
        key,
        gatherItems(
          items.map((item) => (item as never)[key]),
          index,
        ),
      ]);
      return Object.fromEntries(fields);
    }
  }
  const lanes = currentLanes();
  if (lanes === null) return items[force(index) as number];
  return laneValue(
    Array.from(laneNumbers(index, lanes), (i) => items[i]),
    lanes,
  );
}
