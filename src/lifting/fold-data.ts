/** `foldData` in lanes: sequences of different length go on together for as long as each of them lasts. */
import { asStream, type LaneStreams } from '../lanes/streams.ts';
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
import { nowhere } from '../runtime/address.ts';
import type { Distribution, SummedStates } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { Node } from '../tensor/node.ts';
import { get } from './picking.ts';
import { type Sequences, sequencesIn } from './sequences.ts';

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
  const sequences = machine.handler.branch === undefined ? undefined : sequencesIn(data);
  if (sequences === undefined) return foldOne(options as never, fn as never);
  checkFoldData(options, fn);
  const { address } = machine;
  const ahead = whereGuided(() => foundBackwards(sequences, options.backwards));
  const summed = options.sumOut === true ? undefined : machine.handler.summedStates?.(options.init);
  // (Functions without choices have no addresses, and no random numbers.)
  const occurrence = address === nowhere ? undefined : machine.stream.occurrence();
  /** One item of each of the lanes in force. */
  const step = (state: unknown, i: number): unknown => {
    const { stream } = machine;
    if (occurrence !== undefined) {
      machine.address = address.index(i);
      machine.stream = asStream((stream as unknown as LaneStreams).child(occurrence, i));
    }
    try {
      const onward = (from: unknown): unknown => {
        const next = fn(from, sequences.item(i), i, ahead[i]);
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
  const { lengths } = sequences;
  /** From the end of the next shorter sequences on. Those whose sequence has ended wait for the others. */
  const rest = (state: unknown, k: number): unknown => {
    let now = state;
    for (let i = k === 0 ? 0 : lengths[k - 1]; i < lengths[k]; i++) now = step(now, i);
    if (k === lengths.length - 1) return ended(now);
    return sequences.whereLonger(
      lengths[k],
      () => rest(now, k + 1),
      () => ended(now),
    );
  };
  return rest(options.sumOut === true ? knownState(options.init) : (summed ?? options.init), 0);
}

/** For each item, what the pass from the last to the first has found from there on; sequences join it when it comes to their end. */
function foundBackwards(sequences: Sequences, backwards: Options['backwards']): unknown[] {
  const found: unknown[] = [];
  if (backwards === undefined) return found;
  const own = machine.address.at('backwards');
  const { lengths } = sequences;
  let ahead = backwards.init;
  for (let k = lengths.length - 1; k >= 0; k--) {
    const behind = ahead;
    const first = k === 0 ? 0 : lengths[k - 1];
    const count = lengths[k] - first;
    const back = (): unknown[] => {
      const items: unknown[] = [];
      let known = behind;
      for (let i = lengths[k] - 1; i >= first; i--) {
        const from = known;
        known = stepBack(own.index(i), () => backwards.fn(from, sequences.item(i), i));
        items.push(known);
      }
      return items;
    };
    const none = (): unknown[] => new Array<unknown>(count).fill(behind);
    const items = (k === 0 ? back() : sequences.whereLonger(first, back, none)) as unknown[];
    items.forEach((one, j) => {
      found[lengths[k] - 1 - j] = one;
    });
    ahead = items[count - 1];
  }
  return found;
}
