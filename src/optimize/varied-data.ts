/** Executions and data for whose choices several values are tried. */
import { currentLanes } from '../lanes/lanes.ts';
import { recording } from '../lanes/recording.ts';
import { repeated } from '../lanes/repeated.ts';
import type { Iteration } from '../lanes/together.ts';
import { unreadList } from '../lanes/unread.ts';
import { machine } from '../runtime/machine.ts';
import type { RandomStream } from '../runtime/random.ts';
import { Reason } from '../runtime/reasons.ts';
import { OneByOne } from '../runtime/signals.ts';
import type { Chosen } from './chosen-data.ts';
import type { VariationPlan } from './variation-plan.ts';

/** Whole executions, each so many times. */
export function executionsOf(
  numbers: readonly number[],
  times: number,
  streamOf: (k: number) => RandomStream,
): Iteration {
  const once: Iteration = {
    data: numbers.map(() => undefined),
    indices: Int32Array.from(numbers),
    outerLanes: new Int32Array(numbers.length),
  };
  const sole = numbers.length === 1 ? true : undefined;
  return { ...repeated(once, times), sole, executions: (place) => streamOf(numbers[Math.floor(place / times)]) };
}

/** One datum after the other, each with the values of its choices side by side: `run` says why if that does not work. */
export function oneDatumAtATime(
  data: ArrayLike<unknown>,
  chosen: Chosen | undefined,
  plan: VariationPlan,
  run: (all: Iteration) => Reason | undefined,
): unknown[] {
  // Alone, what is around has room for the values of a datum; whether it is alone says nothing of whether they are tried.
  if (currentLanes() !== null) throw MANY_AROUND();
  if (chosen !== undefined) obstructMinibatch();
  const { stream } = machine;
  const count = chosen?.now.indices.length ?? data.length;
  for (let k = 0; k < count; k++) {
    const i = chosen?.now.indices[k] ?? k;
    const datum = chosen?.now.data?.[k] ?? data[i];
    // All data draw from streams of one occurrence.
    if (k > 0) stream.retract();
    const one = { data: [datum], indices: Int32Array.of(i), outerLanes: new Int32Array(1) };
    const reason = run({ ...repeated(one, plan.count), sole: true });
    if (reason !== undefined) return plan.turnOff(reason);
  }
  return unread(plan);
}

/** Stands for what data return whose choices are varied: there is no such value, so that a program that looks has them drawn. */
export function unread(plan: VariationPlan): unknown[] {
  return unreadList(() => plan.turnOff(RESULTS_USED));
}

const RESULTS_USED = new Reason('value', 'the program uses what the data return');
export const ASKED_FOR = new Reason('state', 'a datum asks mem for a choice that others may ask for too');
const MANY_AROUND = (): OneByOne =>
  new OneByOne('courses', 'data within cannot run side by side, with the values that are tried');

/** Parameters of single data of a minibatch do not belong to later steps. */
export function obstructMinibatch(): void {
  recording.current?.obstruct('parameters', 'the data of a minibatch are looked at one by one');
}
