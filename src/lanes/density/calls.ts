/** Calls of functions that do not take recorded values: those of JavaScript, lodash and the library. */
import type { Fn } from '../../algebra/domain.ts';
import { HostCalls } from '../../algebra/host-calls.ts';
import { hasHoles } from '../../algebra/parts.ts';
import { MUTATORS } from '../../compiler/analyse/hosts.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { methodOf } from './distribution.ts';
import { keptOf } from './filtered-lists.ts';
import { laterOf, looked, recordedDomain, tableOf } from './recorded.ts';

const isKeyed = (object: unknown): object is Map<unknown, unknown> | Set<unknown> =>
  object instanceof Map || object instanceof Set;

/** How many of the arguments are places in a list, or keys; the others are put there. */
const PLACES: Readonly<Record<PropertyKey, number>> = { splice: 2, set: 1, add: 1, delete: 1 };

/**
 * A method of a list, Map or Set that is given tables: one that changes it is called once, and a key out of a table finds what is there for each. Undefined
 * of others.
 */
function methodWithTables(object: unknown, key: PropertyKey): Fn | undefined {
  const isList = Array.isArray(object) && tableOf(object) === undefined;
  if (!isList && !isKeyed(object)) return undefined;
  const native = (object as unknown as Record<PropertyKey, unknown>)[key] as Fn;
  const usual = (args: unknown[]): unknown => withoutTables.methodOf(object, key)(...args);
  if (key === 'filter' && isList && native === Array.prototype.filter)
    return (...args) => {
      const [keep] = args;
      if (args.length !== 1 || typeof keep !== 'function' || tableOf(keep) !== undefined || hasHoles(object))
        return usual(args);
      const asked = calls.called(keep) as Fn;
      const items = [...object];
      return keptOf(
        items,
        items.map((item, i) => asked(item, i, object)),
      );
    };
  if (isKeyed(object) && (key === 'get' || key === 'has'))
    return (...args) => {
      const table = args.length === 1 ? tableOf(args[0]) : undefined;
      return table === undefined ? usual(args) : table.derive((own) => native.call(object, own));
    };
  if (!MUTATORS.has(key as string) || native !== (Object.getPrototypeOf(object) as Record<PropertyKey, unknown>)[key])
    return undefined;
  return (...args) => {
    if (!args.some((argument) => tableOf(argument) !== undefined)) return usual(args);
    const places = PLACES[key] ?? 0;
    return native.apply(
      object,
      args.map((argument, i) => (i < places ? looked(argument) : argument)),
    );
  };
}

/** A method that would change an object which is made again in each step. */
function changeOfLater(object: unknown, key: PropertyKey): Fn | undefined {
  if (laterOf(object) === undefined || !MUTATORS.has(key as string)) return undefined;
  throw new OneByOne('state', 'an object is changed that depends on choices');
}

const withoutTables = new HostCalls({ ...recordedDomain, ownMethod: methodOf });

export const calls = new HostCalls({
  ...recordedDomain,
  ownMethod: (object, key) => methodOf(object, key) ?? methodWithTables(object, key) ?? changeOfLater(object, key),
});
