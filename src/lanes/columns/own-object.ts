/**
 * Arrays, objects, Maps and Sets that a function of the program makes and changes (`compiler/analyse/own-objects.ts`). Each
 * execution has one of its own. One array or object stands for all of them as long as all executions that own it change it
 * together, at the same places; a value that is there already may also be changed for some. After that, and with Maps and
 * Sets from the beginning, each execution has its own, and methods are called for one execution after the other.
 */
import type { Fn, Kind } from '../../algebra/domain.ts';
import { hasOrigin, originOf } from '../../algebra/identity.ts';
import { somePart } from '../../algebra/parts.ts';
import { type Several, trapsOf } from '../../algebra/stand-in.ts';
import { ARRANGERS, KEYED_MUTATORS, OWN_MUTATORS } from '../../compiler/analyse/hosts.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { isRecord } from '../../runtime/values.ts';
import { branch, conditions, Merge, truthOfEach } from './branch.ts';
import { expanded } from './coded.ts';
import {
  becomeSeveral,
  Column,
  differs,
  fromLanes,
  isDiffering,
  isNumeric,
  isTruth,
  lanesOf,
  operand,
  ownObjects,
  various,
  variousOf,
} from './column.ts';
import { keyOf } from './differing-keys.ts';
import { inEachLane } from './each-lane.ts';
import { current, currentGroup, type Group, inGroup } from './group.ts';
import { Doubles, Words } from './kernel-memory.ts';
import { scatter } from './kernels.ts';
import { meter } from './meter.ts';
import { widened } from './nothing.ts';
import { arranged, isPlace, setAt } from './own-lists.ts';
import { get as item } from './picking.ts';
import { through } from './ragged.ts';
import { checkUnseen, isRoaming, referring, setRoaming } from './roaming-objects.ts';

const { orThen } = conditions;

type Fields = Record<PropertyKey, unknown>;

const get = (object: unknown, field: unknown): unknown => (object as Fields)[field as PropertyKey];

function set(object: unknown, field: unknown, value: unknown): boolean {
  (object as Fields)[field as PropertyKey] = value;
  return true;
}

/** A copy of an object that its owner changes. */
function copied(object: unknown): unknown {
  if (Array.isArray(object)) return [...object];
  if (object instanceof Map) return new Map(object);
  return object instanceof Set ? new Set(object) : { ...(object as object) };
}

export class OwnObject {
  readonly proxy: object;
  private home: Group = currentGroup();
  /** The objects of all executions that own it, once each has its own. */
  private several: Several | null = null;
  private traps!: ReturnType<typeof trapsOf>;

  constructor(private readonly target: object) {
    this.proxy = new Proxy(target, {
      get: (from, field, receiver) => {
        const differing = keyOf(field);
        if (this.several === null && isPlace(from, differing)) return item(this.proxy, differing);
        if (differing !== field) return this.each(get, [differing]);
        return this.several === null ? Reflect.get(from, field, receiver) : this.traps.get(from, field, receiver);
      },
      has: (from, field) => (this.several === null ? Reflect.has(from, field) : this.traps.has(from, field)),
      ownKeys: (from) => (this.several === null ? Reflect.ownKeys(from) : (this.traps.ownKeys(from) as string[])),
      getOwnPropertyDescriptor: (from, field) =>
        this.several === null
          ? Reflect.getOwnPropertyDescriptor(from, field)
          : this.traps.getOwnPropertyDescriptor(from, field),
      set: (from, field, value) => this.set(from as Fields, field, value),
      deleteProperty: (from, field) => {
        checkUnseen(this.proxy);
        if (this.several === null && this.isHere) return Reflect.deleteProperty(from, field);
        this.each((one, at) => Reflect.deleteProperty(one as object, at as PropertyKey), [keyOf(field)]);
        return true;
      },
      defineProperty: () => {
        throw new OneByOne('state', 'a field of an object is defined');
      },
    });
  }

  /** The successor of the group in which it was made. */
  private get here(): Group {
    this.home = this.home.passage?.group ?? this.home;
    return this.home;
  }

  /** Whether all executions that own the object run now. */
  get isHere(): boolean {
    return current.columns !== null && currentGroup() === this.here;
  }

  /** For each execution that runs now, its place among those that own the object. */
  private get places(): Words {
    if (current.columns === null)
      throw new OneByOne('state', 'an object is changed after the executions it belongs to');
    return currentGroup().placesIn(this.here);
  }

  private set(target: Fields, field: PropertyKey, value: unknown): boolean {
    checkUnseen(this.proxy);
    const differing = keyOf(field);
    if (this.several === null && isPlace(target, differing) && setAt(this, target, differing, value)) return true;
    if (this.several !== null || differing !== field) return this.each(set, [differing, value]) !== undefined;
    if (this.isHere) return Reflect.set(target, field, value);
    // Lengths would differ.
    if (!Object.hasOwn(target, field) || (field === 'length' && Array.isArray(target))) {
      if (field === 'length' && target[field] === value) return true;
      return this.each(set, [field, value]) !== undefined;
    }
    return Reflect.set(target, field, this.merged(value, target[field]));
  }

  /** One value from that of the executions that run now and that of the others. */
  private merged(value: unknown, before: unknown): unknown {
    const { here, places } = this;
    if (isNumeric(value) && isNumeric(before) && isTruth(value) === isTruth(before)) {
      const numbers = this.copyOf(before);
      scatter(operand(value), places, numbers);
      return new Column(numbers, here, isTruth(value));
    }
    const isTheirs = new Uint8Array(here.size);
    for (const place of places.array) isTheirs[place] = 1;
    const others = Words.of(Int32Array.from(isTheirs.keys()).filter((place) => isTheirs[place] === 0));
    meter.values(here.size);
    return new Merge([places, others], [currentGroup(), here.below(others)], here).of([value, before]);
  }

  /** The numbers of a value of all that own the object, to be changed. */
  private copyOf(value: number | boolean | Column): Doubles {
    const { here } = this;
    if (!(value instanceof Column)) return Doubles.filled(here.size, Number(value));
    return Doubles.of(inGroup(here, () => value.data).slice());
  }

  /** The numbers of a field, to be changed for executions at these places; undefined if that cannot be done so. */
  openNumbers(field: PropertyKey, asTruth: boolean): { numbers: Doubles; places: Int32Array | null } | undefined {
    if (this.several !== null || !Object.hasOwn(this.target, field)) return undefined;
    const before = (this.target as Fields)[field];
    if (!isNumeric(before) || isTruth(before) !== asTruth) return undefined;
    checkUnseen(this.proxy);
    return { numbers: this.copyOf(before), places: this.isHere ? null : this.places.array };
  }

  /** Sets a field to such numbers. */
  closeNumbers(field: PropertyKey, numbers: Doubles, asTruth: boolean): void {
    (this.target as Fields)[field] = new Column(numbers, this.here, asTruth);
  }

  /** Makes it an object of all executions of a group, if some of them made it: the others never read it. */
  belongTo(group: Group): void {
    const { here } = this;
    for (let around: Group | null = group; around !== null; around = around.outer) if (around === here) return;
    const places = here.placesIn(group);
    const wide = (value: unknown): unknown => {
      if (isRoaming(value)) known.get(value)!.belongTo(group);
      else if (holdsRoaming(value))
        throw new OneByOne(
          'state',
          'an object that is changed is a field of an object that only some of them have made',
        );
      else return widened(value, here, places, group);
      return value;
    };
    if (this.several !== null) {
      const values = inGroup(here, () => variousOf(this.proxy)!);
      const all = new Array<unknown>(group.size).fill(values[0]);
      places.array.forEach((place, i) => {
        all[place] = values[i];
      });
      this.home = group;
      this.several = becomeSeveral(this.proxy, all, group, kindOfOwn(this.target), copied);
      this.traps = trapsOf(this.several);
      return;
    }
    const target = this.target as Fields;
    for (const field of Object.keys(target)) target[field] = wide(target[field]);
    this.home = group;
  }

  /** Whether each execution has its own. */
  get isApart(): boolean {
    return this.several !== null;
  }

  /** Gives each execution its own. */
  part(values?: readonly unknown[]): void {
    const { target, here } = this;
    const each = values ?? inGroup(here, () => ownOf(target));
    this.several = becomeSeveral(this.proxy, each, here, kindOfOwn(target), copied);
    this.traps = trapsOf(this.several);
    if (Array.isArray(target)) target.length = 0;
    else for (const field of Object.keys(target)) delete (target as Fields)[field];
  }

  /** Calls `fn` with each one's own object and arguments; gives the results as one value. */
  each(fn: Fn, args: readonly unknown[]): unknown {
    return fromLanes(this.results(fn, args));
  }

  readonly results = (fn: Fn, args: readonly unknown[]): unknown[] => {
    const objects = this.objects();
    const given = args.map(eachOf);
    return objects.map((one, i) => fn(one, ...given.map((of) => of(i))));
  };

  /** Calls a method of each one's own; those of one or two arguments are called most. */
  call(name: PropertyKey, args: readonly unknown[]): unknown[] {
    const objects = this.objects() as Record<PropertyKey, Fn>[];
    const results = new Array<unknown>(objects.length);
    if (args.length === 1) {
      const [a] = args.map(listOf);
      for (let i = 0; i < objects.length; i++) results[i] = objects[i][name](a === undefined ? args[0] : a[i]);
    } else if (args.length === 2) {
      const [a, b] = args.map(listOf);
      for (let i = 0; i < objects.length; i++)
        results[i] = objects[i][name](a === undefined ? args[0] : a[i], b === undefined ? args[1] : b[i]);
    } else {
      const given = args.map(eachOf);
      for (let i = 0; i < objects.length; i++) results[i] = objects[i][name](...given.map((of) => of(i)));
    }
    return results;
  }

  /** The objects of the executions that run now. */
  private objects(): readonly unknown[] {
    if (this.several === null) {
      if (current.columns === null)
        throw new OneByOne('state', 'an object is changed after the executions it belongs to');
      this.part();
    }
    const objects = variousOf(this.proxy)!;
    meter.values(objects.length);
    return objects;
  }
}

const kindOfOwn = (target: object): Kind => (Array.isArray(target) ? 'list' : isRecord(target) ? 'record' : 'other');

/** Whether a value, or something in it, stands for objects that may be changed under other names. */
function holdsRoaming(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    isRoaming(value) || referring.tableOf(value) !== undefined || (!isDiffering(value) && somePart(value, holdsRoaming))
  );
}

/** The values of each execution, if they differ. */
const listOf = (value: unknown): readonly unknown[] | undefined => (differs(value) ? lanesOf(value) : undefined);

function eachOf(value: unknown): (i: number) => unknown {
  const list = listOf(value);
  return list === undefined ? () => value : (i) => list[i];
}

/** An object for each execution of the current group, from one that stands for all. */
function ownOf(target: object): unknown[] {
  if (somePart(target, holdsRoaming))
    throw new OneByOne(
      'state',
      'objects that are changed are fields of an object that each execution has made for itself',
    );
  const { size } = currentGroup();
  meter.values(size);
  if (target instanceof Map || target instanceof Set) return Array.from({ length: size }, () => copied(target));
  const names = Object.keys(target);
  meter.values(size * names.length);
  const parts = names.map((name) => (target as Fields)[name]);
  const lanes = parts.map((part) => (differs(part) ? lanesOf(part) : undefined));
  return Array.from({ length: size }, (_, i) => {
    const made: Fields = (Array.isArray(target) ? new Array(target.length) : {}) as Fields;
    names.forEach((name, k) => {
      made[name] = lanes[k] === undefined ? parts[k] : lanes[k]![i];
    });
    return made;
  });
}

const known = new WeakMap<object, OwnObject>();

/** The record behind an object that stands for one of each execution's own. */
export const ownObject = (proxy: object): OwnObject | undefined => known.get(proxy);

/** An object of the same kind, with nothing in it. */
function emptied(sample: unknown): object {
  if (Array.isArray(sample)) return [];
  return sample instanceof Map ? new Map() : sample instanceof Set ? new Set() : {};
}

/** Notes that an array, object, Map or Set is each execution's own; gives the object that stands for them. */
export function own(made: unknown): unknown {
  const object = made instanceof Object ? known.get(made) : undefined;
  if (object !== undefined) setRoaming(object.proxy, false);
  return object?.proxy ?? noted(made, false);
}

/** The same of one that may go by several names. */
export const roaming = (made: unknown): unknown => noted(made, true);

function noted(made: unknown, roams: boolean): unknown {
  if (current.columns === null) return made;
  const values = isDiffering(made) ? variousOf(made) : undefined;
  const sample = values === undefined ? made : values[0];
  const isList = Array.isArray(sample);
  const isKeyed = sample instanceof Map || sample instanceof Set;
  if ((isDiffering(made) && values === undefined) || !(isList || isKeyed || isRecord(sample))) return made;
  const object = new OwnObject(values === undefined ? (made as object) : emptied(sample));
  if (values !== undefined) object.part(values.map(copied));
  else if (isKeyed) object.part();
  known.set(object.proxy, object);
  ownObjects.add(object.proxy);
  if (roams) setRoaming(object.proxy, true);
  return object.proxy;
}

/** The key of a value in each execution's own Maps and Sets. */
function keyed(given: unknown): unknown {
  const id = originOf(given);
  if (!isDiffering(id)) {
    if (differs(id)) throw new OneByOne('value', 'an object in which something differs is a key');
    return id;
  }
  const values = variousOf(id);
  return values === undefined || !values.some(hasOrigin) ? id : various(values.map(originOf));
}

const GIVING_ITSELF: ReadonlySet<PropertyKey> = new Set(['set', 'add']);

/** A method of an object that is each execution's own, called for one after the other; undefined if it is called otherwise. */
export function methodOfOwn(object: unknown, name: PropertyKey, made: (value: unknown) => unknown): Fn | undefined {
  const found = known.get(object as object);
  if (found === undefined) return undefined;
  const isKeyed = !Array.isArray(object) && !isRecord(object);
  if (!isKeyed && ARRANGERS.has(name as string))
    return (compare) => arranged(found, object as unknown[], name, compare);
  if (!isKeyed && !OWN_MUTATORS.has(name as string)) return undefined;
  return (...args) => {
    if (!isKeyed || KEYED_MUTATORS.has(name as string)) checkUnseen(found.proxy);
    if (!isKeyed && !found.isApart && found.isHere)
      return (Array.prototype as unknown as Record<PropertyKey, Fn>)[name].apply(object, args);
    if (name === 'forEach') return visited(found, made(args[0]) as Fn);
    const [first, ...others] = args;
    const results = found.call(name, isKeyed && args.length > 0 ? [keyed(first), ...others] : args);
    return GIVING_ITSELF.has(name) ? object : fromLanes(results);
  };
}

/** `map.forEach(visit)`. */
function visited({ proxy, results }: OwnObject, visit: Fn): void {
  const entries = fromLanes(results((one) => [...(one as Map<unknown, unknown>).entries()], []));
  through(
    entries,
    (entry) => {
      const [key, value] = entry as [unknown, unknown];
      visit(value, key, proxy);
      return false;
    },
    () => [],
    () => {},
  );
}

/** `map.get(key) ?? otherwise`, `object[key] || otherwise`, where some may have nothing there. */
export function itemOr(object: unknown, field: unknown, operator: '??' | '||', otherwise: () => unknown): unknown {
  const found = known.get(object as object);
  const isMap = object instanceof Map;
  if (found === undefined || !found.isApart) {
    const value = !isMap
      ? item(object, field)
      : isDiffering(field)
        ? inEachLane((at) => object.get(at), [field])
        : object.get(field);
    if (operator === '||') return orThen(value, otherwise);
    return value ?? otherwise();
  }
  const values = isMap ? found.call('get', [keyed(field)]) : found.results(get, [field]);
  const isThere = operator === '||' ? Boolean : (value: unknown): boolean => value !== undefined && value !== null;
  const group = currentGroup();
  return branch(
    truthOfEach(values, isThere),
    () => {
      const here = currentGroup();
      return fromLanes(here === group ? values : expanded(values, here.placesIn(group).array));
    },
    otherwise,
  );
}
