import { machine } from '../runtime/machine.ts';
import { gatherTo } from '../tensor/lane-gather.ts';
import { Node } from '../tensor/node.ts';
import type { Lanes } from './lanes.ts';

/**
 * A value as the lanes in force have it. Those that take a side of a conditional are fewer than those around, and what they
 * compute from values made before it is computed for them alone.
 */
export function narrowed<T>(value: T): T {
  const lanes = machine.lanes as Lanes | null;
  if (lanes === null || lanes.kind !== 'side' || !(value instanceof Node)) return value;
  const { space } = value;
  if (space === null || space === lanes.space || !lanes.space.descendsFrom(space)) return value;
  return gatherTo(value, lanes.space) as T;
}
