/**
 * Inner inferences of executions that run side by side. Where the compiler has found that a model depends on nothing but
 * the values of some variables around it, an enumeration is made for each combination of values that these have, and any
 * other inference for each execution, as if it were alone.
 */
import { differs, fromLanes, lanesOf, variousOf } from '../lanes/columns/column.ts';
import { current, currentGroup } from '../lanes/columns/group.ts';
import type { ColumnStreams } from '../lanes/columns/streams.ts';
import { explain, INSIDE } from '../lanes/obstacles.ts';
import { during, machine } from '../runtime/machine.ts';
import { MemoLayer } from '../runtime/memo.ts';
import { RandomStream } from '../runtime/random.ts';
import { direct, programModel } from '../runtime/returning.ts';
import { OneByOne } from '../runtime/signals.ts';
import { isRecord, valueKey } from '../runtime/values.ts';
import type { Model, Posterior } from './algorithm.ts';

/** Whether executions run side by side now. */
export const areSideBySide = (): boolean => current.columns !== null;

/** What `infer` gives for the model, for the executions of the current group; it does not draw itself. */
export function inferEach<T>(owner: string, model: Model<T>, infer: Infer<T>): Posterior<T> {
  const modelOf = modelsOf(model);
  const results = new Map<unknown, Posterior<T>>();
  const spare = RandomStream.fromSeed(0).child(1, 0);
  const inferFor = (values: readonly unknown[]): Posterior<T> => {
    const key = valueKey(values);
    let result = results.get(key);
    if (result === undefined || values.some((value) => Object.is(value, -0))) {
      result = alone(spare, () => infer(modelOf.with(values)));
      results.set(key, result);
    }
    return result;
  };
  const result = modelOf.isSame
    ? alone(spare, () => infer(model))
    : (fromLanes(modelOf.lanes().map(inferFor)) as Posterior<T>);
  // Something inside of it draws.
  if (spare.used) return inferOneByOne(owner, model, infer);
  // As in an execution alone: later choices draw the same numbers.
  machine.stream.occurrence();
  return result;
}

/** The same for an inference that draws: each execution has one of its own, with the random numbers it would have alone. */
export function inferOneByOne<T>(owner: string, model: Model<T>, infer: Infer<T>): Posterior<T> {
  const { address } = machine;
  const modelOf = modelsOf(model);
  const streams = machine.stream as unknown as ColumnStreams;
  const moved: number[] = [];
  const results = modelOf.lanes().map((values, lane) => {
    const stream = streams.own(lane);
    const before = stream.position;
    const result = alone(stream, () => infer(modelOf.isSame ? model : modelOf.with(values)));
    moved.push(stream.position - before);
    return result;
  });
  streams.moveEach(moved);
  explain({ address }, owner, INSIDE, 'one after the other for executions that run side by side.');
  return fromLanes(results) as Posterior<T>;
}

type Infer<T> = (model: Model<T>) => Posterior<T>;

const DEPENDS_ON_MORE = 'an inner inference depends on more than the variables around it';

/** A model, and the same with other values of what it is closed over. */
interface Rebinding<T> {
  /** Whether all executions have the same model. */
  readonly isSame: boolean;
  /** The values of what it is closed over, for each execution of the current group. */
  lanes(): readonly unknown[][];
  with(values: readonly unknown[]): Model<T>;
}

function modelsOf<T>(model: Model<T>): Rebinding<T> {
  const { text, captured, rebound } = programModel(model) ?? {};
  if (text === undefined || captured === undefined) {
    throw new OneByOne('inference', 'an inner inference may depend on more than the variables around it');
  }
  const around = captured();
  if (around.some(holdsFunction)) throw new OneByOne('inference', 'an inner inference calls functions of the model');
  const isSame = !around.some(differs);
  if (rebound === undefined && !isSame) throw new OneByOne('inference', 'an inner inference depends on what differs');
  const lanes = (): unknown[][] => {
    const each = around.map((value) => (differs(value) ? lanesOf(value) : null));
    return Array.from({ length: currentGroup().size }, (_, lane) =>
      each.map((column, k) => (column === null ? around[k] : column[lane])),
    );
  };
  return { isSame, lanes, with: (values) => direct(rebound!(...values) as Model<T>, text, () => values) };
}

/** Whether a function is declared at top level, where it sees nothing that differs. */
export function isTopFunction(value: unknown): boolean {
  return machine.program.functions.some((fn) => {
    try {
      return fn() === value;
    } catch (thrown) {
      if (!(thrown instanceof ReferenceError)) throw thrown;
      // One that is not there yet.
      return false;
    }
  });
}

/** Functions may see variables that differ, which cannot be known from outside. */
function holdsFunction(value: unknown): boolean {
  const various = variousOf(value);
  if (various !== undefined) return various.some(holdsFunction);
  if (typeof value === 'function') return !isTopFunction(value);
  if (Array.isArray(value)) return value.some(holdsFunction);
  return isRecord(value) && Object.values(value).some(holdsFunction);
}

/** Where an inference is made: its address, and the handler of the execution around it. */
type Place = Pick<typeof machine, 'address' | 'handler'>;

/** Makes an inference at a place of the program, as if nothing were recorded; it must not draw. */
export function inferAlone<R>(owner: string, place: Place, infer: () => R): R {
  const nobody = RandomStream.fromSeed(0).child(1, 0);
  const result = alone(nobody, infer, place);
  if (nobody.used) throw new OneByOne('inference', `${owner} draws`);
  return result;
}

/**
 * Runs `work` as if no executions ran side by side, and this were the stream of the only one. It must not ask for what
 * they remember.
 */
function alone<R>(own: RandomStream, work: () => R, { address, handler }: Place = machine): R {
  const { reads } = MemoLayer;
  const result = during({ columns: null, sideBySide: null, tape: null, stream: own, address, handler }, work);
  if (MemoLayer.reads !== reads) throw new OneByOne('inference', DEPENDS_ON_MORE);
  return result;
}
