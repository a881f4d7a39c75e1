/** Calls of functions that know nothing of recorded values: of the host, of lodash, of the library. */
import type { Fn } from '../../algebra/domain.ts';
import { HostCalls } from '../../algebra/host-calls.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { RecordedDistribution, scoreOf } from './distribution.ts';
import { looked, Recorded, recordedDomain } from './recorded.ts';

export const calls = new HostCalls(recordedDomain);

/** Objects whose functions know of recorded values: the library, imported as a whole. */
export const namespaces = new WeakSet<object>();

/** A method of whatever object. */
export function method(object: unknown, given: unknown): Fn {
  const key = looked(given) as string;
  if (typeof object === 'object' && object !== null && namespaces.has(object))
    return (object as Record<string, Fn>)[key];
  if (key === 'score' && isDistribution(object)) return (value) => scoreOf(object, value);
  if (object instanceof RecordedDistribution)
    throw new OneByOne('family', 'a distribution that depends on choices is asked');
  return object instanceof Recorded ? calls.methodOfMine(object, key) : calls.method(object, key);
}
