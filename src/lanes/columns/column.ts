/**
 * Values that differ between executions side by side. Numbers and truth values are columns. Everything else is a list
 * with a value for each, behind a proxy, so that programs read fields as ever: reading a field gives that of each.
 */
import type { Kind } from '../../algebra/domain.ts';
import { Copies, originOf } from '../../algebra/identity.ts';
import { copied, somePart } from '../../algebra/parts.ts';
import { isForeign, type Several, standIn } from '../../algebra/stand-in.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { fieldOf } from '../../runtime/throwing.ts';
import { isRecord } from '../../runtime/values.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { apart, Coded, coded, codedNumbers, expanded, inUse } from './coded.ts';
import { Differing } from './differing.ts';
import type { Drawn } from './draws.ts';
import { current, currentGroup, type Group, part } from './group.ts';
import { Doubles, Words } from './kernel-memory.ts';
import { areFinite, gather, type Operand } from './kernels.ts';
import { meter } from './meter.ts';
import { isRoaming, referring, show } from './roaming-objects.ts';

export class Column {
  /** The numbers of the group below that last asked for them. */
  private below: Group | null = null;
  private belowNumbers: Doubles | null = null;

  constructor(
    private own: Doubles,
    private group: Group,
    /** Whether they are truth values, 0 and 1. */
    readonly isTruth: boolean,
    /** Whether all numbers are finite, once that is known. */
    private finite: boolean | null = null,
    isCounted = true,
  ) {
    if (isCounted) meter.operation(group.size);
  }

  /** Whether the numbers of the current group are all finite. */
  get isFinite(): boolean {
    this.finite ??= areFinite(this.own);
    return this.finite || areFinite(this.numbers);
  }

  /** The numbers of the current group, as kernels take them. */
  get numbers(): Doubles {
    const group = currentGroup();
    return group === this.group ? this.own : this.bring(group);
  }

  /** The numbers of the current group. Not to be changed. */
  get data(): Float64Array {
    return this.numbers.array;
  }

  private bring(group: Group): Doubles {
    const { passage } = this.group;
    if (passage !== null) {
      // Execution never goes back to a group that has a successor.
      if (passage.moves !== null) passage.moves.apply(this.own);
      else {
        const before = this.own;
        this.own = gather(before, passage.map);
        before.release();
      }
      this.belowNumbers?.release();
      if (this.finite === false) this.finite = null;
      this.group = passage.group;
      this.below = null;
      this.belowNumbers = null;
      if (group === this.group) return this.own;
    }
    if (this.below !== group) {
      this.belowNumbers?.release();
      this.belowNumbers = gather(this.own, group.placesIn(this.group));
      this.below = group;
    }
    return this.belowNumbers!;
  }

  /** JavaScript looks at a column where it makes text or a number of it. */
  [Symbol.toPrimitive](): unknown {
    return agreed(this);
  }

  toJSON(): never {
    throw new OneByOne('value', 'the program makes text of a value that differs');
  }
}

/** A column of the current group. */
export function column(numbers: Doubles): Column {
  return new Column(numbers, currentGroup(), false);
}

/** A column of numbers that were drawn. */
export function drawnColumn({ numbers, areFinite }: Drawn): Column {
  return new Column(numbers, currentGroup(), false, areFinite ? true : null);
}

/** A column of truth values, given as 0 and 1. */
export function truths(numbers: Doubles): Column {
  return new Column(numbers, currentGroup(), true);
}

/** A number, a truth value or a column, as kernels take them. */
export function operand(value: number | boolean | Column): Operand {
  return value instanceof Column ? value.numbers : Number(value);
}

export const isNumeric = (value: unknown): value is number | boolean | Column =>
  typeof value === 'number' || typeof value === 'boolean' || value instanceof Column;

/** Whether a number, truth value or column stands for truth values. */
export const isTruth = (value: number | boolean | Column): boolean =>
  value instanceof Column ? value.isTruth : typeof value === 'boolean';

/** Values, one for each execution, that are not all numbers or all truth values. */
export class Various implements Several {
  private below: Group | null = null;
  private belowValues: Coded | readonly unknown[] = [];

  constructor(
    private own: Coded | readonly unknown[],
    private group: Group,
    readonly kind: Kind,
    /** How executions that go on as copies of others get objects of their own, if these are changed. */
    private readonly copy?: (value: unknown) => unknown,
  ) {
    meter.operation(group.size);
  }

  /** The values of the current group, as a table if they are kept as one. */
  protected get here(): Coded | readonly unknown[] {
    const { passage } = this.group;
    if (passage !== null) {
      this.own = taken(this.own, passage.map.array);
      if (this.copy !== undefined) this.own = apart(this.own as unknown[], this.copy);
      this.group = passage.group;
    }
    const group = currentGroup();
    if (group === this.group) return this.own;
    if (this.below !== group) {
      this.belowValues = taken(this.own, group.placesIn(this.group).array);
      this.below = group;
    }
    return this.belowValues;
  }

  /** The value of each execution of the current group. */
  get lanes(): readonly unknown[] {
    const { here } = this;
    return here instanceof Coded ? here.values : here;
  }

  /** All values that executions of the current group have. */
  get values(): readonly unknown[] {
    const { here } = this;
    return here instanceof Coded ? here.table : here;
  }

  /** The table of the values of the current group, if there is one. */
  get table(): Coded | undefined {
    const { here } = this;
    return here instanceof Coded ? here : undefined;
  }

  derive(of: (value: unknown) => unknown): unknown {
    const { here } = this;
    if (here instanceof Coded) return fromTable(here.table.map(of), here.codes);
    return fromLanes(here.map((value) => of(value)));
  }

  agree(of: (value: unknown) => unknown): unknown {
    const { here } = this;
    if (!(here instanceof Coded)) return agreedAmong(here.map((value) => of(value)));
    const found = here.table.map(of);
    return found.every((one) => Object.is(one, found[0])) ? found[0] : part(expanded(found, here.codes));
  }

  field(key: PropertyKey): unknown {
    const { here, values } = this;
    if (isForeign(key, values)) return undefined;
    const read = (value: unknown): unknown => fieldOf(value, key);
    const fields = values.map(read);
    if (key === 'length' && !values.every((value) => typeof value === 'string')) return this.agree(read);
    if (fields.every((value) => value === undefined)) return undefined;
    return here instanceof Coded ? fromTable(fields, here.codes) : fromLanes(fields);
  }

  call(self: unknown, args: unknown[]): unknown {
    return calling.each(this, self, args);
  }
}

/** The values at these places. */
function taken(values: Coded | readonly unknown[], places: Int32Array): Coded | readonly unknown[] {
  if (values instanceof Coded) return values.at(places);
  meter.values(places.length);
  return expanded(values, places);
}

const known = new WeakMap<object, Various>();

/** Notes that a proxy stands for these values. */
export const stands = (proxy: object, several: Various): void => void known.set(proxy, several);

/** From now on an object stands for others, one for each execution of a group, which the executions may change. */
export function becomeSeveral(
  standing: object,
  values: readonly unknown[],
  group: Group,
  kind: Kind,
  copy: (value: unknown) => unknown,
): Several {
  const several = new Various(values, group, kind, copy);
  known.set(standing, several);
  return several;
}

/** The values of the current group that a proxy stands for; undefined for a column or a plain value. */
export function variousOf(value: unknown): readonly unknown[] | undefined {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return undefined;
  return known.get(value)?.lanes;
}

/** The table of the values that a proxy stands for; undefined if there is none. */
export function tableBehind(value: unknown): Coded | undefined {
  if (value instanceof Column) return codedNumbers(value.data, value.isTruth);
  return known.get(value as object)?.table;
}

/** True if the value itself differs. */
export function isDiffering(value: unknown): boolean {
  if (value instanceof Column) return true;
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return false;
  return value instanceof Differing || known.has(value);
}

/** Objects that stand for one of each execution's own, whatever is in them (`own-object.ts`). */
export const ownObjects = new WeakSet<object>();

/** True if the value, or something in it, differs. */
export function differs(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isDiffering(value);
  return isDiffering(value) || ownObjects.has(value) || somePart(value, differs);
}

/** The value of one execution, by its place in the current group. */
export function laneAt(value: unknown, lane: number, copies = new Copies()): unknown {
  if (value instanceof Column) return value.isTruth ? value.data[lane] !== 0 : value.data[lane];
  if (typeof value === 'function') return copies.same(variousOf(value)?.[lane] ?? value);
  if (typeof value !== 'object' || value === null) return value;
  show(value);
  const various = variousOf(value);
  if (various !== undefined) return copies.same(various[lane]);
  if (value instanceof Differing) return copies.of(value, sourceAt(value, lane), () => value.ownAt(lane));
  if (!differs(value)) return value;
  const source = sourceAt(value, lane);
  // An object in which nothing differs is the one that it was before sides were merged.
  if (source !== value && !differs(source)) return source;
  return copies.of(value, source, () => copied(value, (part) => laneAt(part, lane, copies)));
}

/** The object that an execution had before those of several sides were merged. */
export function sourceAt(value: object, lane: number): object {
  const origin = originOf(value);
  return (variousOf(origin)?.[lane] ?? origin) as object;
}

/** The values of all executions of the current group; several values that are read share `copies`. */
export function lanesOf(value: unknown, copies?: readonly Copies[]): unknown[] {
  const { size } = currentGroup();
  const result = new Array<unknown>(size);
  meter.values(size);
  if (value instanceof Column) {
    const { data } = value;
    if (value.isTruth) for (let i = 0; i < size; i++) result[i] = data[i] !== 0;
    else for (let i = 0; i < size; i++) result[i] = data[i];
    return result;
  }
  const various = variousOf(value);
  show(value);
  if (various !== undefined) return copies === undefined ? [...various] : various.map((one, i) => copies[i].same(one));
  if (copies === undefined && value instanceof Differing) {
    for (let i = 0; i < size; i++) result[i] = value.ownAt(i);
    return result;
  }
  const varies = differs(value);
  if (varies) meter.copies(size);
  for (let i = 0; i < size; i++) result[i] = varies ? laneAt(value, i, copies?.[i]) : value;
  return result;
}

/** Joins tensors (one for each execution, or those of a table) to one value. Set by `tensor-column.ts`. */
export const tensorLists: {
  join(values: readonly unknown[]): unknown;
  joinTable(table: readonly unknown[], codes: Int32Array): unknown;
} = { join: () => undefined, joinTable: () => undefined };

/** One value for the executions of the current group, from the value of each. */
export function fromLanes(values: readonly unknown[]): unknown {
  const [first] = values;
  if (typeof first === 'number') {
    const data = new Float64Array(values.length);
    let i = 0;
    for (; i < values.length && typeof values[i] === 'number'; i++) data[i] = values[i] as number;
    if (i === values.length) return column(Doubles.of(data));
  } else if (typeof first === 'boolean') {
    const data = new Float64Array(values.length);
    let i = 0;
    for (; i < values.length && typeof values[i] === 'boolean'; i++) data[i] = values[i] ? 1 : 0;
    if (i === values.length) return truths(Doubles.of(data));
  }
  if (values.every((value) => value === first)) return first;
  if (first instanceof Tensor) {
    const joined = tensorLists.join(values);
    if (joined !== undefined) return joined;
  }
  // JavaScript's own `??` and `?.` look at whether there is a value.
  if (values.some((value) => value === undefined || value === null)) {
    part(values.map((value) => (value === undefined || value === null ? value : 'there')));
  }
  return various(values);
}

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The same from a table, and the place in it of each. */
export function fromTable(table: readonly unknown[], codes: Int32Array): unknown {
  const [first] = table;
  const isOne = typeof first === 'number' || typeof first === 'boolean';
  if (isOne && table.every((value) => typeof value === typeof first)) {
    const numbers = gather(Doubles.of(Float64Array.from(table, Number)), Words.of(codes));
    return typeof first === 'number' ? column(numbers) : truths(numbers);
  }
  if (table.every((value) => value === first)) return first;
  if (table.some(isRoaming)) return referring.to(table, codes);
  const tensors = first instanceof Tensor ? tensorLists.joinTable(table, codes) : undefined;
  if (tensors !== undefined) return tensors;
  const isPlain = (value: unknown): boolean =>
    typeof value === 'string' || typeof value === 'function' || (isObject(value) && !(value instanceof Tensor));
  return table.every(isPlain) ? standing(inUse(table, codes)) : fromLanes(expanded(table, codes));
}

/** A list with a value for each, behind a proxy. */
export function various(values: readonly unknown[]): unknown {
  return standing(coded(values) ?? values);
}

function standing(values: Coded | readonly unknown[]): unknown {
  if (values instanceof Coded && values.table.some(isRoaming)) return referring.to(values.table, values.codes);
  const different = values instanceof Coded ? values.table : values;
  if (isRoaming(different[0])) throw new OneByOne('state', 'too many different objects are changed');
  const kind = different.every(Array.isArray) ? 'list' : different.every(isRecord) ? 'record' : 'other';
  const several = new Various(values, currentGroup(), kind);
  const proxy = standIn(several);
  known.set(proxy, several);
  return proxy;
}

/** Calls a function that differs. Set by `branch.ts`. */
export const calling: { each(functions: Several, self: unknown, args: unknown[]): unknown } = {
  each() {
    throw new OneByOne('value', 'a function that differs is called');
  },
};

/** The value that all executions of the current group have; they part if it is not the same. */
export function agreed(value: unknown): unknown {
  if (current.columns === null) throw new OneByOne('state', 'a value is used after the executions it belongs to');
  if (value instanceof Column) {
    const { data } = value;
    for (let i = 1; i < data.length; i++) if (data[i] !== data[0] && !bothNaN(data[i], data[0])) part(lanesOf(value));
    return value.isTruth ? data[0] !== 0 : data[0];
  }
  const values = variousOf(value);
  return values === undefined ? value : agreedAmong(values);
}

const bothNaN = (a: number, b: number): boolean => Number.isNaN(a) && Number.isNaN(b);

/** A property of the value that is the same for all executions of the current group. */
export function agreedOf(of: (value: unknown) => unknown, value: unknown): unknown {
  const several = known.get(value as object);
  return several === undefined ? of(value) : several.agree(of);
}

function agreedAmong(values: readonly unknown[]): unknown {
  for (let i = 1; i < values.length; i++) if (!Object.is(values[i], values[0])) part(values);
  return values[0];
}

/** The kind of values that it stands for; undefined of a plain value. */
export function kindOf(value: unknown): Kind | undefined {
  if (value instanceof Column) return 'number';
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return undefined;
  return value instanceof Differing ? 'other' : known.get(value)?.kind;
}
