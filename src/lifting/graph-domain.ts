/** Graph nodes and lanes, as what is written for all ways of running sees them. */
import type { Domain, Fn, Kind } from '../algebra/domain.ts';
import { settle } from '../algebra/domain.ts';
import { currentLanes } from '../lanes/lanes.ts';
import { derived, differs, laneAt, laneValue, standsForOthers, variedOf } from '../lanes/value.ts';
import { isRecord } from '../runtime/values.ts';
import { Node } from '../tensor/node.ts';
import { plain } from './looking.ts';
import { lostGradient } from './lost-gradients.ts';
import { isConstant, ruleFor } from './numeric-rules.ts';

function kindOf(value: unknown): Kind | undefined {
  if (value instanceof Node) return 'number';
  const varied = variedOf(value);
  if (varied === undefined) return undefined;
  if (varied.table.every(Array.isArray)) return 'list';
  return varied.table.every(isRecord) ? 'record' : 'other';
}

/** What a function gives for each lane, of arguments that differ. */
function inLanes(fn: Fn, args: readonly unknown[]): unknown {
  const places = args.flatMap((argument, k) => (standsForOthers(argument) ? [k] : []));
  const varied = places.length === 1 ? variedOf(args[places[0]]) : undefined;
  if (varied !== undefined && !varied.table.some(standsForOthers)) {
    return derived(varied, (value) => fn(...args.with(places[0], value)));
  }
  const lanes = currentLanes()!;
  const found = Array.from({ length: lanes.size }, (_, lane) => {
    const copies = new Map();
    return fn(...args.map((argument) => laneAt(argument, lane, lanes, copies)));
  });
  return laneValue(found, lanes);
}

/** True of numbers, and of what may hold some: what is known not to are truth values, texts and functions. */
function isCalculated(made: unknown): boolean {
  if (made instanceof Node) return made.dtype !== 'bool';
  if (Array.isArray(made)) return made.some(isCalculated);
  if (isRecord(made)) return Object.values(made).some(isCalculated);
  return typeof made === 'number' || (typeof made === 'object' && made !== null);
}

const nameOf = ({ name }: Fn): string => (name === '' ? 'a function that is not of the library' : name);

export const graphDomain: Domain = {
  isActive: () => true,
  isDifferentiable: true,
  kindOf,
  holds: standsForOthers,
  look: plain,
  each(fn, args, of) {
    const made = args.some(differs) ? inLanes(fn, args) : fn(...args.map((argument) => settle(graphDomain, argument)));
    if (of !== undefined && !isConstant(of) && isCalculated(made)) lostGradient(nameOf(of), args);
    return made;
  },
  meaning: ruleFor,
};
