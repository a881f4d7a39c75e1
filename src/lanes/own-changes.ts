/**
 * Arrays, objects, Maps and Sets that a function makes, changes and keeps to itself (`compiler/analyse/own-objects.ts`), in lanes: each lane has
 * one of its own, and one object stands for all of them. Those that made it change it at once. Those that take a side of a conditional find
 * it as it was before; what each side left of it is merged when both have ended.
 */
import { machine } from '../runtime/machine.ts';
import { currentLanes, type Lanes } from './lanes.ts';
import { type Merge, unmergeable } from './merging.ts';

/** Where an object came to be. */
interface Maker {
  readonly lanes: Lanes | null;
  readonly execution: number;
}

const makers = new WeakMap<object, Maker>();

/** What is in an object; what can be told of one without its values comes first. */
interface Contents {
  readonly keys: readonly unknown[];
  readonly values: readonly unknown[];
}

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

/** They have ended: objects are as they were before. Gives what the side left in them. */
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

/** What the sides left in objects is what the lanes around have in them. Where sides left other keys there is no such thing. */
export function mergeChanges(sides: readonly Changes[], merge: Merge): void {
  const objects = new Set(sides.flatMap((changes) => [...changes.keys()]));
  for (const object of objects) {
    const before = contentsOf(object);
    const left = sides.map((changes) => changes.get(object) ?? before);
    const { keys } = left[0];
    if (!left.every((one) => one.keys.length === keys.length && one.keys.every((key, i) => Object.is(key, keys[i]))))
      throw unmergeable;
    const values = left[0].values.map((_, i) => merge.of(left.map((one) => one.values[i])));
    if (!mayChange(object)) throw unmergeable;
    fill(object, { keys, values });
  }
}

function contentsOf(object: object): Contents {
  if (object instanceof Map) return { keys: [...object.keys()], values: [...object.values()] };
  if (object instanceof Set) return { keys: [...object], values: [] };
  const keys: unknown[] = Object.keys(object);
  // Items may be missing at the end of a list.
  return { keys: Array.isArray(object) ? [object.length, ...keys] : keys, values: Object.values(object) };
}

function fill(object: object, { keys, values }: Contents): void {
  if (object instanceof Map || object instanceof Set) {
    object.clear();
    keys.forEach((key, i) => {
      if (object instanceof Map) object.set(key, values[i]);
      else object.add(key);
    });
    return;
  }
  const fields = object as Record<string, unknown>;
  let names = keys as readonly string[];
  if (Array.isArray(object)) {
    object.length = 0;
    object.length = keys[0] as number;
    names = names.slice(1);
  } else for (const name of Object.keys(fields)) delete fields[name];
  names.forEach((name, i) => {
    fields[name] = values[i];
  });
}
