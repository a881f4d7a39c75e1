/** Keys that differ, where each execution's own objects are changed: `counts[k] += 1`. */
import { isDiffering } from './column.ts';
import { current } from './group.ts';

/** Keys that differ, by what stands for them in `object[key]`. */
const keys = new WeakMap<object, Map<symbol, unknown>>();

/** The key between brackets where an execution's own object is changed: a key that differs is replaced by a symbol. */
export function key(given: unknown): unknown {
  if (!isDiffering(given)) return given;
  const { columns } = current;
  let known = keys.get(columns!);
  if (known === undefined) {
    known = new Map();
    keys.set(columns!, known);
  }
  const symbol = Symbol('a key that differs');
  known.set(symbol, given);
  return symbol;
}

export const keyOf = (given: PropertyKey): unknown =>
  typeof given === 'symbol' && current.columns !== null ? (keys.get(current.columns)?.get(given) ?? given) : given;

/** Whether a field of an object is named by such a symbol. */
export const isDifferingKey = (field: PropertyKey): boolean => keyOf(field) !== field;
