/** Calls of functions that know nothing of recorded values: of the host, of lodash, of the library. */
import { isDistribution } from '../../runtime/primitives.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { isRecord } from '../../runtime/values.ts';
import { HANDING_ON_METHODS } from '../library-kinds.ts';
import { hostFunction } from '../library-names.ts';
import { RecordedDistribution, scoreOf } from './distribution.ts';
import { holdsRecorded, looked, opaque, Recorded, recording } from './recorded.ts';

type Fn = (...args: unknown[]) => unknown;

/** A function of the host; one that it makes of plain values knows as little of recorded ones. */
function ofHost(fn: Fn): Fn {
  return function (this: unknown, ...args) {
    const made = fn.apply(this, args);
    return typeof made === 'function' && !args.some((argument) => typeof argument === 'function')
      ? pure(made as Fn)
      : made;
  };
}

/** A function without effects that looks at what it is given. */
export function pure(fn: Fn, self?: unknown): Fn {
  return (...args) => {
    if (recording.tape === null) return fn.apply(self, args);
    if (!args.some(holdsRecorded) && !holdsRecorded(self)) return fn.apply(self, args.map(looking));
    if (!holdsRecorded(self)) return opaque((...given) => fn.apply(self, given), args);
    return opaque((given, ...rest) => fn.apply(given, rest), [self, ...args]);
  };
}

/** A function whose results somebody looks at who knows nothing of recorded values. */
export function looking(argument: unknown): unknown {
  if (typeof argument !== 'function') return argument;
  return (...args: unknown[]): unknown => {
    const value = looked((argument as Fn)(...args));
    if (holdsRecorded(value)) throw new OneByOne('the host is given values that depend on choices');
    return value;
  };
}

/** A method of an object of the host. */
export function hostMethod(object: unknown, key: unknown): Fn {
  return pure(ofHost(hostFunction(object, key)), object);
}

/** Objects whose functions know of recorded values: the library, imported as a whole. */
export const namespaces = new WeakSet<object>();

/** A method of whatever object. */
export function method(object: unknown, given: unknown): Fn {
  const key = looked(given) as string;
  if (typeof object === 'object' && object !== null && namespaces.has(object))
    return (object as Record<string, Fn>)[key];
  if (object instanceof Recorded) throw new OneByOne('a method of a number that depends on choices is called');
  if (key === 'score' && isDistribution(object)) return (value) => scoreOf(object, value);
  if (object instanceof RecordedDistribution) throw new OneByOne('a distribution that depends on choices is asked');
  const fn = (object as Record<string, unknown>)[key];
  if (typeof fn !== 'function') throw new TypeError(`${key} is not a function`);
  if (Array.isArray(object) && HANDING_ON_METHODS.has(key)) return (...args) => fn.apply(object, args.map(looked));
  // The program's own objects.
  if (isRecord(object)) return (...args) => fn.apply(object, args);
  return pure(ofHost(fn as Fn), object);
}

/** `new`. */
export function construct(callee: unknown, ...args: unknown[]): unknown {
  if (args.some(holdsRecorded)) throw new OneByOne('an object is made of values that depend on choices');
  return Reflect.construct(callee as new (...args: unknown[]) => unknown, args);
}
