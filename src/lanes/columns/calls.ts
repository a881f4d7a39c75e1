/** Calls of functions that know nothing of columns: of the host, of lodash, of the library. */
import type { Fn } from '../../algebra/domain.ts';
import { HostCalls } from '../../algebra/host-calls.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { scoreColumns } from './choices.ts';
import { column, columnDomain, isDiffering, variousOf } from './column.ts';
import { LaneDistribution } from './distribution.ts';
import { TensorColumn } from './tensor-column.ts';
import { methodOfTensors, ofTensors } from './tensor-functions.ts';

export const calls = new HostCalls({
  ...columnDomain,
  meaning(fn, args) {
    const found = ofTensors(fn, args);
    return found && (() => found.value);
  },
});

/** Objects whose functions know of columns: the library, imported as a whole. */
export const namespaces = new WeakSet<object>();

/** A method of whatever object. */
export function method(object: unknown, key: unknown): Fn {
  if (typeof object === 'object' && object !== null && namespaces.has(object)) {
    return (object as Record<string, Fn>)[key as string];
  }
  if (isDiffering(key)) throw new OneByOne('value', 'the name of a method differs');
  if (object instanceof LaneDistribution || isDistributions(object)) return distributionMethod(object, key);
  if (object instanceof TensorColumn) {
    const fn = methodOfTensors(key);
    if (fn !== undefined) return (...args) => calls.pure(fn)(object, ...args);
  }
  if (isDiffering(object)) return calls.methodOfMine(object, key as PropertyKey);
  if (key === 'score' && typeof (object as Partial<Distribution<unknown>> | undefined)?.draw === 'function') {
    return distributionMethod(object, key);
  }
  return calls.method(object, key);
}

const isDistributions = (object: unknown): boolean =>
  typeof (variousOf(object)?.[0] as { draw?: unknown } | undefined)?.draw === 'function';

function distributionMethod(object: unknown, key: unknown): Fn {
  if (key !== 'score') throw new OneByOne('family', `${String(key)} of a distribution that differs is asked for`);
  return (value) => {
    const various = variousOf(object) as readonly Distribution<unknown>[] | undefined;
    const score = scoreColumns(various ?? (object as Distribution<unknown>), value);
    return typeof score === 'number' ? score : column(score);
  };
}
