/**
 * Inner inferences of an execution that is recorded for a chain. Where the compiler has found that a model depends on nothing but the values of
 * some variables around it, an enumeration is made again when these are others, and remembered for those that it was made for.
 */
import type { Fn } from '../algebra/domain.ts';
import { recorders } from '../lanes/density/recorders.ts';
import { machine } from '../runtime/machine.ts';
import { direct, programModel } from '../runtime/returning.ts';
import { OneByOne } from '../runtime/signals.ts';
import { isRecord, valueKey } from '../runtime/values.ts';
import type { Model, Posterior } from './algorithm.ts';
import { inferAlone, isTopFunction } from './column-inferences.ts';

/** Inferences for more values of the variables are not remembered. */
const MOST = 1024;

/** Whether an execution is recorded now. */
export const isRecorded = (): boolean => machine.tape !== null;

/** What `infer` gives for the model, which must not draw. */
export function inferRecorded<T>(
  owner: string,
  model: Model<T>,
  infer: (model: Model<T>) => Posterior<T>,
): Posterior<T> {
  const { text, captured, rebound } = programModel(model) ?? {};
  if (text === undefined || captured === undefined)
    throw new OneByOne('inference', 'an inner inference may depend on more than the variables around it');
  const around = captured();
  if (around.some(holdsFunction)) throw new OneByOne('inference', 'an inner inference calls functions of the model');
  const { address, handler } = machine;
  const alone = (own: Model<T>): Posterior<T> => inferAlone(owner, { address, handler }, () => infer(own));
  if (!around.some(recorders.current!.holds)) return alone(model);
  if (rebound === undefined) throw new OneByOne('inference', 'an inner inference depends on choices');
  const results = new Map<unknown, Posterior<T>>();
  const inferFor: Fn = (...values) => {
    const key = valueKey(values);
    const known = values.some((value) => Object.is(value, -0)) ? undefined : results.get(key);
    if (known !== undefined) return known;
    const result = alone(direct(rebound(...values) as Model<T>, text, () => values));
    if (results.size === MOST) results.clear();
    results.set(key, result);
    return result;
  };
  return recorders.current!.each(inferFor, around) as Posterior<T>;
}

/** Functions may see variables that depend on choices, which cannot be known from outside. */
function holdsFunction(value: unknown): boolean {
  const among = recorders.current!.among(value);
  if (among !== undefined) return among.some(holdsFunction);
  if (typeof value === 'function') return !isTopFunction(value);
  if (Array.isArray(value)) return value.some(holdsFunction);
  return isRecord(value) && Object.values(value).some(holdsFunction);
}
