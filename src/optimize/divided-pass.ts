/** A pass over data of which this rank may have a share. */
import { currentLanes } from '../lanes/lanes.ts';
import { nestedIterations } from '../lanes/nested.ts';
import type { Iteration } from '../lanes/together.ts';
import type { Address } from '../runtime/address.ts';
import type { Share } from '../runtime/team.ts';
import { type Chosen, iterationsOf, type Pass, shareOfIterations } from './chosen-data.ts';
import type { PassEvent, Strand } from './record.ts';
import type { StepContext } from './step-context.ts';

/** What is done for each datum. */
export type Body = (datum: unknown, index: unknown) => unknown;

/**
 * This rank's share of a pass, if ranks divide it: a pass of an execution, and not of one of its data. (The lengths of passes
 * within data may differ between lanes, which would form groups if the length were looked at.)
 */
export function shareOfPass(
  { setting: { division } }: StepContext,
  { length, batchSize = length }: Pass,
  strand: Strand,
  root: Strand,
): Share | undefined {
  if (division === null) return undefined;
  const lanes = currentLanes();
  const ofExecution = lanes === null ? strand === root : lanes.kind === 'executions' && strand.lanes === lanes;
  return ofExecution ? division.pass(Math.min(length, batchSize)) : undefined;
}

/** The record of a pass in which each datum stands for `scale` of them, and for those of other ranks besides. */
export function passEvent(
  { setting: { division } }: StepContext,
  address: Address,
  scale: number,
  share: Share | undefined,
): PassEvent {
  if (share === undefined || division === null) return { kind: 'pass', address, scale, items: [] };
  return { kind: 'pass', address, scale: scale * division.team.size, items: [], divided: true };
}

/** The numbers of the data in a share of all. */
export const indicesOf = ({ first, count }: Share): Int32Array =>
  Int32Array.from({ length: count }, (_, i) => first + i);

/** The iterations over the data of a pass, or over a share of them. Undefined if it has to be done item by item. */
export function passIterations(
  data: ArrayLike<unknown>,
  chosen: Chosen | undefined,
  share: Share | undefined,
  { later }: StepContext,
): Iteration | undefined {
  const all = (of: ArrayLike<unknown>): Iteration | undefined =>
    currentLanes() === null ? iterationsOf(of, chosen, later) : nestedIterations(of);
  return share === undefined || chosen !== undefined ? all(data) : shareOfIterations(data, share, all);
}
