/**
 * Arrays, objects, Maps and Sets that a function makes, changes and keeps to itself (`compiler/analyse/own-objects.ts`), in lanes: each lane has
 * one of its own, and one object stands for all of them. Those that made it change it at once. Those that take a side of a conditional find
 * it as it was before; what each side left of it is merged when both have ended. So it is with objects that go by several names
 * (`compiler/analyse/roaming-objects.ts`), as long as each of these names the very object.
 */
import { isCopied } from '../algebra/identity.ts';
import { machine } from '../runtime/machine.ts';
import { type Contents, contentsOf, fill } from './contents.ts';
import { currentLanes, type Lanes } from './lanes.ts';

/** The lanes, or the execution, in which an object was made. */
interface Maker {
  readonly lanes: Lanes | null;
  readonly execution: number;
}

const makers = new WeakMap<object, Maker>();

/** Objects that lanes on a side have changed: what was in them before. */
export type Changes = Map<object, Contents>;

/** Those of the sides that are being run. */
const changed = new WeakMap<Lanes, Changes>();

/** An object that the function at hand makes, and changes itself. */
export function own<T>(made: T): T {
  if (typeof made === 'object' && made !== null) {
    makers.set(made, { lanes: currentLanes(), execution: machine.execution });
  }
  return made;
}

/** Objects that the program may change under several names. */
const roams = new WeakSet<object>();

export function roaming<T>(made: T): T {
  if (typeof made === 'object' && made !== null) roams.add(made);
  return own(made);
}

/**
 * The same of an object that may go by several names. What lanes have is then known by the very object: where something was made that
 * stands for it and would not see the change, such as what sides leave or a copy for each lane, it is no longer changed.
 */
export const mayChangeRoaming = (object: unknown): object is object =>
  isRoaming(object) && mayChange(object) && (machine.lanes === null || !isCopied(object));

export const isRoaming = (object: unknown): object is object =>
  typeof object === 'object' && object !== null && roams.has(object);

/** Whether an object was there before the sides of a conditional in these lanes. */
export function isMadeAround(object: object, lanes: Lanes): boolean {
  const maker = makers.get(object);
  for (let at: Lanes | null = lanes; at !== null; at = at.outer) if (maker?.lanes === at) return true;
  return maker?.lanes === null;
}

/** Whether the object is each lane's own, or the execution's, so that it may be changed; on a side it is noted what was in it. */
export function mayChange(object: object): boolean {
  const maker = makers.get(object);
  if (maker === undefined) return false;
  const lanes = currentLanes();
  if (lanes === maker.lanes) return lanes !== null || maker.execution === machine.execution;
  for (let at = lanes; at !== maker.lanes; at = at.outer) if (at === null || at.kind !== 'side') return false;
  const changes = changed.get(lanes!);
  if (changes === undefined) return false;
  if (!changes.has(object)) changes.set(object, contentsOf(object));
  return true;
}

/** Lanes begin on a side. */
export function beginSide(lanes: Lanes): void {
  changed.set(lanes, new Map());
}

/** Ends a side: objects are as they were before. Gives what the side left in them. */
export function endSide(lanes: Lanes): Changes {
  const before = changed.get(lanes)!;
  const after: Changes = new Map();
  for (const [object, contents] of before) {
    after.set(object, contentsOf(object));
    fill(object, contents);
  }
  changed.delete(lanes);
  return after;
}
