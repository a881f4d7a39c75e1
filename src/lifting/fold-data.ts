/** `foldData` in lanes: sequences of different length go on together for as long as each of them lasts. */
import { currentLanes, laneNumbers } from '../lanes/lanes.ts';
import { asStream, type LaneStreams } from '../lanes/streams.ts';
import { variedOf } from '../lanes/varied.ts';
import {
  checkFoldData,
  checkState,
  foldMany,
  foldData as foldOne,
  isOfMany,
  stepBack,
  whereGuided,
} from '../library/fold-data.ts';
import { knownState, sumOverStates } from '../library/summed-states.ts';
import type { Distribution, SummedStates } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { Node } from '../tensor/node.ts';
import { get } from './picking.ts';

type Step = (state: unknown, datum: unknown, index: number, ahead: unknown) => unknown;

interface Options {
  readonly data: unknown;
  readonly init: unknown;
  readonly sumOut?: boolean;
  readonly backwards?: { readonly init: unknown; readonly fn: (ahead: unknown, datum: unknown, i: number) => unknown };
}

export function foldData(options: Options, fn: Step): unknown {
  if (typeof options === 'object' && options !== null && isOfMany(options)) {
    checkFoldData(options, fn);
    return foldMany(options, (one) => foldData(one as Options, fn));
  }
  const data = options?.data;
  // Rows of a tensor that each lane has its own of, or that gradients pass through.
  if (data instanceof Node && data.shape.length > 0) {
    checkFoldData(options, fn);
    const rows = Array.from({ length: data.shape[0] }, (_, i) => get(data, i));
    return foldOne({ ...options, data: rows } as never, fn as never);
  }
  const length = variedOf(data) === undefined ? undefined : get(data, 'length');
  if (!(length instanceof Node) || machine.handler.branch === undefined) return foldOne(options as never, fn as never);
  checkFoldData(options, fn);
  const { address } = machine;
  const ahead = whereGuided(() => foundBackwards(data, length, options.backwards));
  const summed = options.sumOut === true ? undefined : machine.handler.summedStates?.(options.init);
  const occurrence = machine.stream.occurrence();
  /** One item of each of the lanes in force. */
  const step = (state: unknown, i: number): unknown => {
    const { stream } = machine;
    machine.address = address.index(i);
    machine.stream = asStream((stream as unknown as LaneStreams).child(occurrence, i));
    try {
      const onward = (from: unknown): unknown => {
        const next = fn(from, get(data, i), i, ahead[i]);
        checkState(next, from, i);
        return next;
      };
      if (options.sumOut === true) return sumOverStates(state as Distribution<unknown>, i, onward);
      return summed === undefined ? onward(state) : (state as SummedStates).onward(onward);
    } finally {
      machine.address = address;
      machine.stream = stream;
    }
  };
  const ended = (state: unknown): unknown => (summed === undefined ? state : (state as SummedStates).drawn());
  /** From the i-th item on. Those whose sequence has ended wait for the others. */
  const rest = (state: unknown, first: number): unknown => {
    const lengths = Array.from(laneNumbers(length, currentLanes()!));
    const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
    let now = state;
    for (let i = first; i < least; i++) now = step(now, i);
    if (least === most) return ended(now);
    const goesOn = Uint8Array.from(lengths, (own) => (own > least ? 1 : 0));
    return machine.handler.branch!(
      goesOn,
      () => rest(now, least),
      () => ended(now),
      true,
    );
  };
  return rest(options.sumOut === true ? knownState(options.init) : (summed ?? options.init), 0);
}

/** For each item, what the pass from the last to the first has found from there on; sequences join it when it comes to their end. */
function foundBackwards(data: unknown, length: Node, backwards: Options['backwards']): unknown[] {
  const found: unknown[] = [];
  if (backwards === undefined) return found;
  const own = machine.address.at('backwards');
  const lengths = Array.from(laneNumbers(length, currentLanes()!));
  let ahead = backwards.init;
  for (let i = Math.max(...lengths) - 1; i >= 0; i--) {
    const behind = ahead;
    const step = (): unknown => stepBack(own.index(i), () => backwards.fn(behind, get(data, i), i));
    const reached = Uint8Array.from(lengths, (own) => (own > i ? 1 : 0));
    ahead = reached.includes(0) ? machine.handler.branch!(reached, step, () => behind, true) : step();
    found[i] = ahead;
  }
  return found;
}
