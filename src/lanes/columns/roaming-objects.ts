/**
 * Objects of each execution's own that go by several names (`compiler/analyse/roaming-objects.ts`). A value made from those of several
 * sides must not be a copy of them: it stands for the objects themselves (`references.ts`), so that a change is seen under every name.
 * Where copies were made nevertheless, the objects may not be changed any more.
 */
import { OneByOne } from '../../runtime/signals.ts';
import type { Coded } from './coded.ts';

/** The values that stand for such objects. */
const roaming = new WeakSet<object>();
/** Those of them of which executions have copies. */
const shown = new WeakSet<object>();

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

export const isRoaming = (value: unknown): value is object => isObject(value) && roaming.has(value);

/** From now on an object may go by several names, or has one alone. */
export function setRoaming(proxy: object, roams: boolean): void {
  if (roams) roaming.add(proxy);
  else roaming.delete(proxy);
}

/** Notes that executions get copies of an object, or the ones that it stands for. */
export function show(value: unknown): void {
  if (isRoaming(value)) shown.add(value);
}

/** Asked before an object is changed. */
export function checkUnseen(proxy: object): void {
  if (roaming.has(proxy) && shown.has(proxy))
    throw new OneByOne('state', 'an object is changed that was handed to a function called for each execution');
}

/** Makes one value that stands for several such objects. Set by `references.ts`. */
export const referring: {
  to(objects: readonly unknown[], codes: Int32Array): unknown;
  /** The objects that a value stands for, and the place of each execution's among them; undefined of another value. */
  tableOf(value: object): Coded | undefined;
} = {
  to() {
    throw new OneByOne('state', 'which object is changed depends on a choice');
  },
  tableOf: () => undefined,
};
