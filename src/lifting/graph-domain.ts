/** The domain of graph nodes and lanes (`algebra/domain.ts`). */
import type { Domain, Fn, Kind } from '../algebra/domain.ts';
import { settle } from '../algebra/domain.ts';
import { Copies } from '../algebra/identity.ts';
import { somePart } from '../algebra/parts.ts';
import { currentLanes } from '../lanes/lanes.ts';
import { derived, differs, isText, laneAt, laneValue, standsForOthers } from '../lanes/value.ts';
import { type Varied, variedOf } from '../lanes/varied.ts';
import { isRecord } from '../runtime/values.ts';
import { Node } from '../tensor/node.ts';
import { plain } from './looking.ts';
import { carries, isConstant, lostGradient } from './lost-gradients.ts';

function kindOf(value: unknown): Kind | undefined {
  if (value instanceof Node) return 'number';
  const varied = variedOf(value);
  if (varied === undefined) return undefined;
  if (varied.table.every(Array.isArray)) return 'list';
  return varied.table.every(isRecord) ? 'record' : 'other';
}

/** Functions without effects: calling them with values that no lane has does no harm. */
const HARMLESS: ReadonlySet<unknown> = new Set([
  // biome-ignore lint/suspicious/noGlobalIsNan: programs call it
  ...[Number, String, Boolean, parseInt, parseFloat, isNaN, JSON.stringify],
  ...[String.prototype, Math].flatMap((object) =>
    Object.getOwnPropertyNames(object).map((name) => (object as unknown as Record<string, unknown>)[name]),
  ),
]);

/** Methods of texts are known by their name alone. */
const isHarmless = (varied: Varied, of: Fn | undefined): boolean =>
  isText(varied) && (of === undefined || HARMLESS.has(of));

/** The results of a function for each lane, of arguments that differ. */
function inLanes(fn: Fn, args: readonly unknown[], of: Fn | undefined, note: (made: unknown) => void): unknown {
  const places = args.flatMap((argument, k) => (standsForOthers(argument) ? [k] : []));
  const varied = places.length === 1 ? variedOf(args[places[0]]) : undefined;
  if (
    varied !== undefined &&
    !varied.table.some(standsForOthers) &&
    (varied.by === undefined || isHarmless(varied, of))
  ) {
    return derived(varied, (value) => {
      const made = fn(...args.with(places[0], value));
      note(made);
      return made;
    });
  }
  const lanes = currentLanes();
  if (lanes === null) return ofPlain(fn, args);
  const found = Array.from({ length: lanes.size }, (_, lane) => {
    const copies = new Copies();
    const made = copies.restored(fn(...args.map((argument) => laneAt(argument, lane, lanes, copies))));
    note(made);
    return made;
  });
  return laneValue(found, lanes);
}

/** The result of a function for the plain values that the graph has now. */
function ofPlain(fn: Fn, args: readonly unknown[]): unknown {
  const copies = new Copies();
  return copies.restored(fn(...args.map((argument) => settle(graphDomain, argument, copies))));
}

/**
 * True of plain numbers and of anything that may hold some, which excludes truth values, texts, functions and nodes.
 */
function isCalculated(made: unknown): boolean {
  if (made instanceof Node) return false;
  if (Array.isArray(made) || isRecord(made)) return somePart(made, isCalculated);
  return typeof made === 'number' || (typeof made === 'object' && made !== null);
}

const nameOf = ({ name }: Fn): string => (name === '' ? 'a function that is not of the library' : name);

export const graphDomain: Domain = {
  isActive: () => true,
  isShared: () => currentLanes() !== null,
  isDifferentiable: true,
  isMine: (value) => value instanceof Node || variedOf(value) !== undefined,
  kindOf,
  holds: standsForOthers,
  look: plain,
  each(fn, args, of) {
    let calculates = false;
    const note = (made: unknown): void => {
      calculates ||= isCalculated(made);
    };
    const several = args.some((argument) => differs(argument) || variedOf(argument) !== undefined);
    const made = several ? inLanes(fn, args, of, note) : ofPlain(fn, args);
    note(made);
    if (calculates && of !== undefined && !isConstant(of)) lostGradient(nameOf(of), args);
    return made;
  },
  carries,
};
