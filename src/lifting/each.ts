/** Calls of a function with each of the values that lanes have. */
import { derived, differs } from '../lanes/value.ts';
import { variedOf } from '../lanes/varied.ts';

type Any = (...args: never[]) => unknown;

/** The function, called for each distinct value of an argument that differs between lanes. */
export function ofEach(fn: Any) {
  return (...args: unknown[]): unknown => {
    const place = args.findIndex((argument) => variedOf(argument) !== undefined);
    // An argument may be a list whose items differ, too. It is then gone through item by item, as it is.
    if (place < 0 || args.some((argument, i) => i !== place && differs(argument))) return fn(...(args as never[]));
    return derived(variedOf(args[place])!, (list) => fn(...(args.with(place, list) as never[])));
  };
}
