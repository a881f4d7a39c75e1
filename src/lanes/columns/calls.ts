/** Calls of functions that do not take columns: those of JavaScript, lodash and the library. */
import type { Fn } from '../../algebra/domain.ts';
import { HostCalls } from '../../algebra/host-calls.ts';
import { originOf } from '../../algebra/identity.ts';
import { methodOf } from './choices.ts';
import { differs, isDiffering } from './column.ts';
import { columnDomain, inEachLane } from './each-lane.ts';
import { methodOfOwn } from './own-object.ts';
import { methodOfLists } from './ragged.ts';
import { methodOfReferences } from './references.ts';
import { sortingMethod } from './sorting.ts';
import { TensorColumn } from './tensor-column.ts';
import { methodOfTensors, ofTensors } from './tensor-functions.ts';

export const calls = new HostCalls({
  ...columnDomain,
  meaning(fn, args) {
    const found = ofTensors(fn, args);
    return found && (() => found.value);
  },
  ownMethod(object, key) {
    const own = methodOfOwn(object, key, calls.called) ?? methodOfReferences(object, key, calls.called);
    if (own !== undefined) return own;
    const sorting = sortingMethod(object, key);
    if (sorting !== undefined) return sorting;
    const ofLists = methodOfLists(object, key, calls.called) ?? lookedUp(object, key);
    if (ofLists !== undefined) return ofLists;
    const fn = object instanceof TensorColumn ? methodOfTensors(key) : undefined;
    return fn === undefined ? methodOf(object, key) : (...args) => calls.pure(fn)(object, ...args);
  },
});

/** Looks up a key that differs in a Map or Set that is the same for all. */
function lookedUp(object: unknown, name: PropertyKey): Fn | undefined {
  if (!(object instanceof Map || object instanceof Set) || (name !== 'get' && name !== 'has')) return undefined;
  if (differs(object)) return undefined;
  const find: Fn = (key) => ((object as never)[name] as Fn).call(object, originOf(key));
  return (given) => {
    const key = originOf(given);
    return isDiffering(key) ? inEachLane(find, [key]) : find(key);
  };
}
