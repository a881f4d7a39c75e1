/**
 * Which of several objects each execution refers to, where the objects are changed: `arms[k].wins++`, `best = a.n >
 * b.n ? a : b`. A read gives the value of each execution's own object, and a change is made only for those
 * executions that refer to the object.
 */
import type { Fn } from '../../algebra/domain.ts';
import { isForeign, trapsOf } from '../../algebra/stand-in.ts';
import { KEYED_MUTATORS, OWN_MUTATORS } from '../../compiler/analyse/hosts.ts';
import { machine } from '../../runtime/machine.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { isRecord } from '../../runtime/values.ts';
import { branch, conditions } from './branch.ts';
import { type Coded, inUse } from './coded.ts';
import { agreed, Column, column, isNumeric, isTruth, laneAt, stands, truths, Various } from './column.ts';
import { isDifferingKey } from './differing-keys.ts';
import { currentGroup } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import { meter } from './meter.ts';
import { methodOfOwn, ownObject } from './own-object.ts';
import { isRoaming, referring } from './roaming-objects.ts';

type Fields = Record<PropertyKey, unknown>;

const { either } = conditions;

class References extends Various {
  constructor(objects: Coded) {
    const { table } = objects;
    super(objects, currentGroup(), table.every(Array.isArray) ? 'list' : table.every(isRecord) ? 'record' : 'other');
  }

  /** The objects that executions of the current group refer to, and the place of each one's among them. */
  get objects(): Coded {
    return this.here as Coded;
  }

  override get lanes(): readonly unknown[] {
    const { table, codes } = this.objects;
    meter.values(codes.length);
    return Array.from(codes, (code, lane) => laneAt(table[code], lane));
  }

  /** A function must not be called once for each: what is in an object may differ. */
  override get table(): undefined {
    return undefined;
  }

  override derive(of: Fn): unknown {
    const { table, codes } = this.objects;
    if (table.length === 1) return of(table[0]);
    const areWhole = !table.some((object) => ownObject(object as object)!.isApart);
    return (areWhole ? picked(table.map(of), codes) : undefined) ?? this.each(of);
  }

  override agree(of: Fn): unknown {
    return agreed(this.derive(of));
  }

  override field(key: PropertyKey): unknown {
    if (isDifferingKey(key)) return this.each((object) => (object as Fields)[key]);
    if (isForeign(key, this.objects.table)) return undefined;
    return this.derive((object) => (object as Fields)[key]);
  }

  /** Calls `of` with one object after the other, each for the executions that refer to it; gives the results as one value. */
  each(of: Fn): unknown {
    const { table, codes } = this.objects;
    if (table.length === 1) return of(table[0]);
    const { address } = machine;
    return branch(
      isFirst(codes),
      () => of(table[0]),
      () => {
        machine.address = address;
        return this.each(of);
      },
    );
  }

  /** Sets a field of each one's own object. */
  set(field: PropertyKey, value: unknown): void {
    if (!isNumeric(value) || !this.setNumbers(field, value)) {
      this.change((object) => {
        (object as Fields)[field] = value;
      });
    }
  }

  /** The same where the field is a number, or a truth value, in all objects; false if it is not. */
  private setNumbers(field: PropertyKey, value: number | boolean | Column): boolean {
    const { table, codes } = this.objects;
    const asTruth = isTruth(value);
    const open = table.map((object) => ownObject(object as object)!.openNumbers(field, asTruth));
    if (open.includes(undefined)) return false;
    const given = value instanceof Column ? value.data : Number(value);
    const numbers = open.map((one) => one!.numbers.array);
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i];
      const places = open[code]!.places;
      numbers[code][places === null ? i : places[i]] = typeof given === 'number' ? given : given[i];
    }
    meter.operation(codes.length * (table.length + 1));
    table.forEach((object, k) => {
      ownObject(object as object)!.closeNumbers(field, Doubles.of(numbers[k]), asTruth);
    });
    return true;
  }

  /** Calls `by` with one object after the other, each for the executions that refer to it. */
  private change(by: (object: unknown) => void): void {
    const { table, codes } = this.objects;
    if (table.length === 1) by(table[0]);
    else
      either(
        isFirst(codes),
        () => by(table[0]),
        () => this.change(by),
      );
  }
}

function isFirst(codes: Int32Array): Column {
  const data = new Float64Array(codes.length);
  for (let i = 0; i < data.length; i++) data[i] = codes[i] === 0 ? 1 : 0;
  return truths(Doubles.of(data));
}

/** For each execution the number at its place among these, which may differ themselves; undefined if they are no numbers. */
function picked(values: readonly unknown[], codes: Int32Array): unknown {
  if (!values.every(isNumeric) || values.some((value) => isTruth(value) !== isTruth(values[0] as number)))
    return undefined;
  const all = values.map((value) => (value instanceof Column ? value.data : Number(value)));
  const data = new Float64Array(codes.length);
  for (let i = 0; i < data.length; i++) {
    const numbers = all[codes[i]];
    data[i] = typeof numbers === 'number' ? numbers : numbers[i];
  }
  meter.values(data.length);
  return isTruth(values[0] as number) ? truths(Doubles.of(data)) : column(Doubles.of(data));
}

const known = new WeakMap<object, References>();

referring.tableOf = (value) => known.get(value)?.objects;

referring.to = (objects, codes) => {
  const used = inUse(objects, codes);
  meter.values(codes.length);
  if (!used.table.every(isRoaming))
    throw new OneByOne('state', 'some refer to an object that is changed, and others to something else');
  const group = currentGroup();
  for (const object of used.table) ownObject(object as object)!.belongTo(group);
  if (used.table.length === 1) return used.table[0];
  const references = new References(used);
  const proxy = new Proxy(references.kind === 'list' ? [] : {}, {
    ...trapsOf(references),
    set(_target, field, value) {
      references.set(field, value);
      return true;
    },
  });
  stands(proxy, references);
  known.set(proxy, references);
  return proxy;
};

/** An object that the program is about to change, if each execution has one of its own; `method` is that by which it does. */
export function changed(object: unknown, method?: string): unknown {
  const isFound =
    typeof object === 'object' && object !== null && (ownObject(object) !== undefined || known.has(object));
  // The name of a method that the program has written says nothing about what it changes.
  const isProgram = method !== undefined && isRecord(object) && Object.hasOwn(object, method);
  if (isFound || isProgram) return object;
  throw new OneByOne('state', 'functions of the program change what others see');
}

/** A method that changes each one's own list, Map or Set, which is not the same for all. */
export function methodOfReferences(
  object: unknown,
  name: PropertyKey,
  made: (value: unknown) => unknown,
): Fn | undefined {
  const references = typeof object === 'object' && object !== null ? known.get(object) : undefined;
  if (references === undefined) return undefined;
  const isKeyed = references.kind === 'other';
  if (!isKeyed && !OWN_MUTATORS.has(name as string) && !KEYED_MUTATORS.has(name as string)) return undefined;
  return (...args) => references.each((one) => methodOfOwn(one, name, made)!(...args));
}
