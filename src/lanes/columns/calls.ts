/** Calls of functions that know nothing of columns: of the host, of lodash, of the library. */
import { ASSIGNERS } from '../../compiler/analyse/hosts.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { isRecord } from '../../runtime/values.ts';
import { HANDING_ON_METHODS } from '../library-kinds.ts';
import { hostFunction } from '../library-names.ts';
import { scoreColumns } from './choices.ts';
import { agreed, Column, column, differs, inEachLane, isDiffering, variousOf } from './column.ts';
import { LaneDistribution } from './distribution.ts';
import { current } from './group.ts';

type Fn = (...args: unknown[]) => unknown;

/** A function without effects that looks at what it is given: called for each execution where that differs. */
export function pure(fn: Fn, self?: unknown): Fn {
  return (...args) => {
    if (current.columns === null) return fn.apply(self, args);
    const functions = args.some((argument) => typeof argument === 'function');
    if (!args.some(differs) && !differs(self)) {
      return functions ? fn.apply(self, args.map(looking)) : fn.apply(self, args);
    }
    if (functions) throw new OneByOne('a function is given to the host together with values that differ');
    return inEachLane(fn, args, self);
  };
}

/** A function whose results somebody looks at who knows nothing of columns. */
export function looking(argument: unknown): unknown {
  if (typeof argument !== 'function' || isDiffering(argument)) return argument;
  return (...args: unknown[]): unknown => agreed((argument as Fn)(...args));
}

/** A method of an object of the host. */
export function hostMethod(object: unknown, key: unknown): Fn {
  return pure(ofHost(hostFunction(object, key), key), object);
}

/**
 * A function of the host. What changes the object it is given first is given a copy, so that each execution has one of its
 * own; and a function that it makes of plain values knows as little of columns.
 */
function ofHost(fn: Fn, key: unknown): Fn {
  const assigns = ASSIGNERS.has(key as string);
  return function (this: unknown, ...args) {
    const [first, ...others] = args;
    const made = assigns && isRecord(first) ? fn.call(this, { ...first }, ...others) : fn.apply(this, args);
    return typeof made === 'function' && !args.some((argument) => typeof argument === 'function')
      ? pure(made as Fn)
      : made;
  };
}

/** Objects whose functions know of columns: the library, imported as a whole. */
export const namespaces = new WeakSet<object>();

/** A method of whatever object. */
export function method(object: unknown, key: unknown): Fn {
  if (typeof object === 'object' && object !== null && namespaces.has(object)) {
    return (object as Record<string, Fn>)[key as string];
  }
  if (isDiffering(key)) throw new OneByOne('the name of a method differs');
  if (object instanceof LaneDistribution || isDistributions(object)) return distributionMethod(object, key);
  if (object instanceof Column || variousOf(object) !== undefined) return differingMethod(object, key as PropertyKey);
  const fn = (object as Record<PropertyKey, unknown>)[key as PropertyKey];
  if (typeof fn !== 'function') throw new TypeError(`${String(key)} is not a function`);
  if (Array.isArray(object)) {
    return HANDING_ON_METHODS.has(key as string)
      ? (...args) => fn.apply(object, args.map(firstOnly))
      : pure(fn as Fn, object);
  }
  // The program's own objects.
  if (isRecord(object)) return (...args) => fn.apply(object, args);
  if (key === 'score' && typeof (object as Distribution<unknown>).draw === 'function') {
    return distributionMethod(object, key);
  }
  return pure(ofHost(fn as Fn, key), object);
}

/** Indices such as `slice` takes must be plain; functions are handed on as they are. */
const firstOnly = (argument: unknown): unknown => (argument instanceof Column ? agreed(argument) : argument);

const isDistributions = (object: unknown): boolean =>
  typeof (variousOf(object)?.[0] as { draw?: unknown } | undefined)?.draw === 'function';

function distributionMethod(object: unknown, key: unknown): Fn {
  if (key !== 'score') throw new OneByOne(`${String(key)} of a distribution that differs is asked for`);
  return (value) => {
    const various = variousOf(object) as readonly Distribution<unknown>[] | undefined;
    const score = scoreColumns(various ?? (object as Distribution<unknown>), value);
    return typeof score === 'number' ? score : column(score);
  };
}

function differingMethod(object: unknown, key: PropertyKey): Fn {
  return (...args) => {
    if (args.some((argument) => typeof argument === 'function')) {
      throw new OneByOne('a method of a value that differs is given a function');
    }
    const each = (self: unknown, ...given: unknown[]): unknown => (self as Record<PropertyKey, Fn>)[key](...given);
    return inEachLane(each, [object, ...args]);
  };
}

/** `new`. */
export function construct(callee: unknown, ...args: unknown[]): unknown {
  if (current.columns !== null && args.some(differs)) throw new OneByOne('an object is made of values that differ');
  return Reflect.construct(callee as new (...args: unknown[]) => unknown, args);
}
