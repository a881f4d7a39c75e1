/**
 * Inner enumerations of executions that run side by side. Where the compiler has found that a model depends on nothing but
 * the values of some variables around it, one is made for each combination of values that these have, as in an
 * execution alone.
 */
import { differs, fromLanes, laneAt, variousOf } from '../lanes/columns/column.ts';
import { current, currentGroup } from '../lanes/columns/group.ts';
import { machine } from '../runtime/machine.ts';
import { MemoLayer } from '../runtime/memo.ts';
import { RandomStream } from '../runtime/random.ts';
import { direct, programModel } from '../runtime/returning.ts';
import { OneByOne } from '../runtime/signals.ts';
import { isRecord, valueKey } from '../runtime/values.ts';
import type { Model, Posterior } from './algorithm.ts';

/** Whether executions run side by side now. */
export const areSideBySide = (): boolean => current.columns !== null;

/** What `infer` gives for the model, for the executions of the current group. */
export function inferEach<T>(model: Model<T>, infer: (model: Model<T>) => Posterior<T>): Posterior<T> {
  const { text, captured, rebound } = programModel(model) ?? {};
  if (text === undefined || captured === undefined) {
    throw new OneByOne('an inner inference may depend on more than the variables around it');
  }
  const around = captured();
  if (around.some(holdsFunction)) throw new OneByOne('an inner inference calls functions of the model');
  // As in an execution alone: later choices draw the same numbers.
  machine.stream.occurrence();
  if (!around.some(differs)) return alone(() => infer(model));
  if (rebound === undefined) throw new OneByOne('an inner inference depends on what differs');
  const results = new Map<unknown, Posterior<T>>();
  const inferFor = (lane: number): Posterior<T> => {
    const values = around.map((value) => laneAt(value, lane));
    const key = valueKey(values);
    let result = results.get(key);
    if (result === undefined || values.some((value) => Object.is(value, -0))) {
      result = alone(() => infer(direct(rebound(...values) as Model<T>, text, () => values)));
      results.set(key, result);
    }
    return result;
  };
  return fromLanes(Array.from({ length: currentGroup().size }, (_, lane) => inferFor(lane))) as Posterior<T>;
}

/** Functions may see variables that differ, and nobody can look into them. */
function holdsFunction(value: unknown): boolean {
  if (typeof value === 'function') return true;
  const various = variousOf(value);
  if (various !== undefined) return various.some(holdsFunction);
  if (Array.isArray(value)) return value.some(holdsFunction);
  return isRecord(value) && Object.values(value).some(holdsFunction);
}

/** Runs `work` as if no executions ran side by side. It must neither draw nor ask for what they remember. */
function alone<R>(work: () => R): R {
  const { columns, stream, address } = machine;
  const sideBySide = current.columns;
  const { reads } = MemoLayer;
  const nobody = RandomStream.fromSeed(0).child(1, 0);
  machine.columns = null;
  current.columns = null;
  machine.stream = nobody;
  let result: R;
  try {
    result = work();
  } finally {
    machine.columns = columns;
    current.columns = sideBySide;
    machine.stream = stream;
    machine.address = address;
  }
  if (nobody.used || MemoLayer.reads !== reads) {
    throw new OneByOne('an inner inference depends on more than the variables around it');
  }
  return result;
}
