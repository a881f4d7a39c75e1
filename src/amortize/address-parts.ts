/**
 * The place of a choice as the network knows it: the call sites that lead there, without iterations and rounds of
 * recursion, and these separately, as small numbers. So a longer loop or a deeper recursion than those in training
 * uses the same sites.
 */
import type { Address } from '../runtime/address.ts';
import { nameOfSite } from '../runtime/places.ts';

/** A path of an address, told apart. */
interface AddressParts {
  /** The names of the call sites: the same for all iterations and depths, and for the program after it was edited elsewhere. */
  readonly site: string;
  /** The first call site: what is in front of it is not the model's. */
  readonly root: string;
  /** Iterations and rounds of recursion, as places in tables of `POSITIONS` rows: innermost iteration, the one around it, depth. */
  readonly positions: readonly [number, number, number];
  /** The same numbers as they are: innermost iteration, the one around it, depth; −1 where there is none. */
  readonly counts: readonly [number, number, number];
}

/** Rows of a table of positions: none, then 0 to 31 as they are, then by their logarithms. */
export const POSITIONS = 48;
const EXACT = 32;

/** The row of a whole number. */
export function positionOf(index: number): number {
  if (index < EXACT) return 1 + index;
  return Math.min(POSITIONS - 1, 1 + EXACT + Math.floor(2 * Math.log2(index / EXACT)));
}

/** The name of a key of an address. */
const nameOf = (key: number | string): string => (typeof key === 'number' && key >= 0 ? nameOfSite(key) : String(key));

const isIteration = (key: number | string): boolean => typeof key === 'number' && key < 0;

/** What an address is, seen from where an execution starts. `roots`: where the model itself begins, if there may be others around it. */
export function partsOfAddress(address: Address, base: Address, roots?: ReadonlySet<string>): AddressParts {
  const keys: (number | string)[] = [];
  for (let a: Address | null = address; a !== base && a !== null && a.parent !== null; a = a.parent) keys.push(a.key);
  keys.reverse();
  const start =
    roots === undefined
      ? 0
      : Math.max(
          0,
          keys.findIndex((key) => roots.has(nameOf(key))),
        );
  const path: (number | string)[] = [];
  const indices: number[] = [];
  let depth = 0;
  for (let i = start; i < keys.length; i++) {
    const key = keys[i];
    if (isIteration(key)) {
      // Rounds of a rejection loop are all alike.
      if (keys[i - 1] !== 'rejection') indices.push(~(key as number));
    } else if (i > start && keys[i - 1] === 'mem') indices.push(remembered(String(key)));
    else {
      const before = path.indexOf(key);
      if (before >= 0 && typeof key === 'number') {
        path.length = before;
        depth++;
      }
      path.push(key);
    }
  }
  const [inner, outer] = [indices.at(-1), indices.at(-2)];
  return {
    counts: [inner ?? -1, outer ?? -1, depth],
    site: path.map(nameOf).join('/'),
    root: keys.length === 0 ? '' : nameOf(keys[start]),
    positions: [
      inner === undefined ? 0 : positionOf(inner),
      outer === undefined ? 0 : positionOf(outer),
      depth === 0 ? 0 : positionOf(depth - 1),
    ],
  };
}

/** What `mem` was asked for, as a number: itself, if it is one. */
function remembered(text: string): number {
  const number = Number(/\d+/.exec(text)?.[0]);
  if (Number.isInteger(number) && !/[a-z]/i.test(text)) return number;
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) % EXACT;
  return sum;
}
