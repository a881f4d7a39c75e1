/** `foldData` in lanes: sequences of different length go on together for as long as each of them lasts. */
import { currentLanes, laneNumbers } from '../lanes/lanes.ts';
import { asStream, type LaneStreams } from '../lanes/streams.ts';
import { variedOf } from '../lanes/varied.ts';
import { checkFoldData, checkState, foldData as foldOne } from '../library/fold-data.ts';
import { machine } from '../runtime/machine.ts';
import { Node } from '../tensor/node.ts';
import { get } from './indexing.ts';

type Step = (state: unknown, datum: unknown, index: number) => unknown;

export function foldData(options: { data: unknown; init: unknown }, fn: Step): unknown {
  const data = options?.data;
  // Rows of a tensor that each lane has its own of, or that gradients pass through.
  if (data instanceof Node && data.shape.length > 0) {
    checkFoldData(options, fn);
    const rows = Array.from({ length: data.shape[0] }, (_, i) => get(data, i));
    return foldOne({ ...options, data: rows }, fn);
  }
  const length = variedOf(data) === undefined ? undefined : get(data, 'length');
  if (!(length instanceof Node) || machine.handler.branch === undefined) return foldOne(options as never, fn as never);
  checkFoldData(options, fn);
  const { address } = machine;
  const occurrence = machine.stream.occurrence();
  /** One item of each of the lanes in force. */
  const step = (state: unknown, i: number): unknown => {
    const { stream } = machine;
    machine.address = address.index(i);
    machine.stream = asStream((stream as unknown as LaneStreams).child(occurrence, i));
    try {
      const next = fn(state, get(data, i), i);
      checkState(next, state, i);
      return next;
    } finally {
      machine.address = address;
      machine.stream = stream;
    }
  };
  /** From the i-th item on. Those whose sequence has ended wait for the others. */
  const rest = (state: unknown, first: number): unknown => {
    const lengths = Array.from(laneNumbers(length, currentLanes()!));
    const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
    let now = state;
    for (let i = first; i < least; i++) now = step(now, i);
    if (least === most) return now;
    const goesOn = Uint8Array.from(lengths, (own) => (own > least ? 1 : 0));
    return machine.handler.branch!(
      goesOn,
      () => rest(now, least),
      () => now,
      true,
    );
  };
  return rest(options.init, 0);
}
