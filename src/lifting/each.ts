/** Functions called for each value that lanes have, or for each lane. */
import { inEachLane } from '../lanes/lane-comparison.ts';
import { currentLanes } from '../lanes/lanes.ts';
import { derived, differs, laneAt } from '../lanes/value.ts';
import { variedOf } from '../lanes/varied.ts';
import { settled } from '../runtime/force.ts';

type Fn = (...args: unknown[]) => unknown;
type Any = (...args: never[]) => unknown;

/** The function, called for each distinct value of an argument that differs between lanes. */
export function ofEach(fn: Any) {
  return (...args: unknown[]): unknown => {
    const place = args.findIndex((argument) => variedOf(argument) !== undefined);
    // What another argument holds may differ too; then the list is looked at as it is, item by item.
    if (place < 0 || args.some((argument, i) => i !== place && differs(argument))) return fn(...(args as never[]));
    return derived(variedOf(args[place])!, (list) => fn(...(args.with(place, list) as never[])));
  };
}

/** A function that looks at all it is given; where that differs between lanes, it is called for each of them. */
export const lookingAt =
  (fn: unknown): Fn =>
  (...args) => {
    if (!args.some(differs)) return (fn as Fn)(...args.map(settled));
    const lanes = currentLanes()!;
    return inEachLane((_at, lane) => (fn as Fn)(...args.map((argument) => laneAt(argument, lane, lanes))));
  };
