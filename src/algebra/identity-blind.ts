/**
 * Host functions that cannot tell an object from another with the same contents: they may be called with copies, which are
 * cheaper to make than each one's very objects. Of a function that is not known to be one, nothing is assumed.
 */
import { isBuiltIn, lodashNameOf } from './host-functions.ts';

/** Functions of the library that calculate: what they compare, they compare by contents. */
const ofLibrary = new WeakSet<object>();

export const notIdentity = (fn: object): void => void ofLibrary.add(fn);

/** Prototypes whose methods find objects by what they are. */
const FINDING: readonly object[] = [Set, Map, WeakSet, WeakMap].map(({ prototype }) => prototype as object);

/** Functions of lodash that give no list or object, and compare with `===`. */
const LODASH: ReadonlySet<string> = new Set([
  'eq',
  'includes',
  'indexOf',
  'lastIndexOf',
  'sortedIndexOf',
  'sortedLastIndexOf',
]);

let finding: ReadonlySet<unknown> | undefined;

/** Whether a function gives the same for equal objects as for the same ones. */
export function isBlindToIdentity(fn: object): boolean {
  if (ofLibrary.has(fn)) return true;
  if (!isBuiltIn(fn)) return false;
  finding ??= new Set<unknown>([
    Object.is,
    ...[Array.prototype.includes, Array.prototype.indexOf, Array.prototype.lastIndexOf],
    ...FINDING.flatMap((owner) =>
      Reflect.ownKeys(owner).map((key) => Object.getOwnPropertyDescriptor(owner, key)?.value),
    ),
  ]);
  const name = lodashNameOf(fn)?.name;
  return !finding.has(fn) && (name === undefined || !LODASH.has(name));
}
