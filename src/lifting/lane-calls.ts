/** Calls of functions of the host, most of them lodash's, that know nothing of values which differ between lanes. */

import { scoreOf } from '../lanes/draws.ts';
import { inEachLane } from '../lanes/lane-comparison.ts';
import { currentLanes } from '../lanes/lanes.ts';
import { derived, differs, laneAt, variedOf } from '../lanes/value.ts';
import { settled } from '../runtime/force.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { OneByOne } from '../runtime/signals.ts';
import { isRecord } from '../runtime/values.ts';
import { Node } from '../tensor/node.ts';
import { isConstant, ruleFor } from './numeric-rules.ts';

type Any = (...args: unknown[]) => unknown;

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Functions that compare values or tell their kinds, and give an answer: to them a node is something of its own. */
const DECIDING = words(`
  is isEqual eq isMatch isString isNumber isBoolean isFinite isInteger isSafeInteger isNaN isObject isObjectLike
  isPlainObject isArrayLike isArrayLikeObject isEmpty isDate isFunction isSymbol isRegExp isLength includes indexOf
  lastIndexOf sortedIndexOf countBy
`);

/** Functions that compare values and hand some of them on. */
const SORTING_OUT = words('uniq sortedUniq difference intersection union xor without compact groupBy pull pullAll');

/** Functions that may be given a number by itself, and hand it on. */
const OF_ANYTHING = words('castArray identity constant concat');

/** Those that change the object they are given first, and return it; nobody else has seen that. */
const ASSIGNING = words('assign assignIn extend defaults merge');

/** The score of a value under a distribution, or what another method of that name gives. */
export function score(of: unknown, value: unknown): unknown {
  if (isDistribution(of)) return scoreOf(of, value);
  return (of as { score: Any }).score(value);
}

/** The function of an object of the host; where what it is given differs between lanes, it is called for each of them. */
export function inLanes(where: unknown, method: string): unknown {
  const fn = (where as Record<string, unknown>)[method];
  if (typeof fn !== 'function') return fn;
  const own: Any = ASSIGNING.has(method)
    ? (first, ...others) => fn.call(where, isRecord(first) ? { ...first } : first, ...others)
    : (...args) => fn.apply(where, args);
  return (...args: unknown[]): unknown => {
    const recorded = ruleFor(fn, args);
    if (recorded !== undefined) return recorded(...args);
    if (args.flat().some((argument) => typeof argument === 'function')) return fn.apply(where, args);
    const decides = DECIDING.has(method) || isConstant(fn);
    if (!differs(args)) {
      const made = fn.apply(where, decides ? args.map(settled) : args);
      return typeof made === 'function' ? ofLanes(made) : made;
    }
    const isNumber = args[0] instanceof Node && !OF_ANYTHING.has(method);
    if (decides || isNumber || !holdsNode(args)) return forEachLane(own, args);
    if (SORTING_OUT.has(method)) throw new OneByOne(`${method} is called with numbers that differ between iterations`);
    // What it looks at it makes a number of; what it hands on are nodes with their gradients.
    return fn.apply(where, args);
  };
}

/** A function that the host has made of plain values. */
const ofLanes =
  (fn: Any): Any =>
  (...args) =>
    differs(args) ? forEachLane(fn, args) : fn(...args);

/** Whether there is a node in the value, tables of what lanes have left out. */
function holdsNode(value: unknown): boolean {
  if (value instanceof Node) return true;
  if (typeof value !== 'object' || value === null || variedOf(value) !== undefined) return false;
  if (Array.isArray(value)) return value.some(holdsNode);
  return isRecord(value) && Object.values(value).some(holdsNode);
}

/** What a function gives for each lane, of arguments that differ. */
function forEachLane(fn: Any, args: readonly unknown[]): unknown {
  const [place, ...others] = args.flatMap((argument, k) => (differs(argument) ? [k] : []));
  const varied = variedOf(args[place]);
  if (others.length === 0 && varied !== undefined && !holdsNode(args)) {
    return derived(varied, (value) => fn(...args.with(place, value)));
  }
  const lanes = currentLanes()!;
  return inEachLane((at, lane) =>
    fn(
      ...args.map((argument) => {
        const isWhole = variedOf(argument) !== undefined || !(differs(argument) || holdsNode(argument));
        return isWhole ? at(argument) : laneAt(argument, lane, lanes);
      }),
    ),
  );
}

/** What a set or a map is made of: it would tell values that differ between lanes by what stands for them. */
export function collected(items: unknown): unknown {
  if (differs(items)) throw new OneByOne('a collection is made of values that differ between iterations');
  return settled(items);
}
