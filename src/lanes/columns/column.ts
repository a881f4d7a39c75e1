/**
 * Values that differ between executions side by side. Numbers and truth values are columns. Everything else is a list
 * with a value for each, behind a proxy, so that programs read fields as ever: reading a field gives that of each.
 */
import type { Domain, Fn, Kind } from '../../algebra/domain.ts';
import { Copies, hasOrigin, originOf } from '../../algebra/identity.ts';
import { copied, somePart } from '../../algebra/parts.ts';
import { type Several, standIn } from '../../algebra/stand-in.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { isRecord } from '../../runtime/values.ts';
import { Tensor } from '../../tensor/tensor.ts';
import type { Drawn } from './draws.ts';
import { current, currentGroup, type Group, part } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import { areFinite, gather, type Operand } from './kernels.ts';
import { meter } from './meter.ts';

export class Column {
  /** The numbers of a group below, where they were asked for last. */
  private below: Group | null = null;
  private belowNumbers: Doubles | null = null;

  constructor(
    private own: Doubles,
    private group: Group,
    /** Whether they are truth values, 0 and 1. */
    readonly isTruth: boolean,
    /** Whether all numbers are finite, once that is known. */
    private finite: boolean | null = null,
  ) {
    meter.operation(group.size);
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

  /** Ordinary JavaScript that makes text or a number of it looks at it. */
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

/** Whether what is numeric is a truth value. */
export const isTruth = (value: number | boolean | Column): boolean =>
  value instanceof Column ? value.isTruth : typeof value === 'boolean';

/** A value for each execution that is neither a number nor a truth value everywhere. */
class Various implements Several {
  constructor(
    private own: readonly unknown[],
    private group: Group,
    readonly kind: Kind,
  ) {
    meter.operation(group.size);
  }

  /** The values of the current group. */
  get values(): readonly unknown[] {
    const { passage } = this.group;
    if (passage !== null) {
      this.own = Array.from(passage.map.array, (place) => this.own[place]);
      meter.values(this.own.length);
      this.group = passage.group;
    }
    const group = currentGroup();
    if (group === this.group) return this.own;
    meter.values(group.size);
    return Array.from(group.placesIn(this.group).array, (place) => this.own[place]);
  }

  derive(of: (value: unknown) => unknown): unknown {
    return fromLanes(this.values.map((value) => of(value)));
  }

  agree(of: (value: unknown) => unknown): unknown {
    return agreedAmong(this.values.map((value) => of(value)));
  }

  field(key: PropertyKey): unknown {
    const { values } = this;
    if (key === Symbol.toPrimitive) return () => agreedAmong(values);
    if (typeof key === 'symbol') return undefined;
    const fields = values.map((value) => (value as Record<PropertyKey, unknown>)[key]);
    if (key === 'length' && !values.every((value) => typeof value === 'string')) return agreedAmong(fields);
    return fields.every((value) => value === undefined) ? undefined : fromLanes(fields);
  }

  call(self: unknown, args: unknown[]): unknown {
    return calling.each(this, self, args);
  }
}

const known = new WeakMap<object, Various>();

/** The values behind one that differs and is no column, for the current group; undefined for all others. */
export function variousOf(value: unknown): readonly unknown[] | undefined {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return undefined;
  return known.get(value)?.values;
}

/** What differs as a whole, such as a distribution or a tensor: `at` gives that of one execution. */
export abstract class Differing {
  abstract at(lane: number): object;

  /** The same, for a program that may compare it with others. */
  ownAt(lane: number): object {
    return this.at(lane);
  }
}

/** True if the value itself differs. */
export function isDiffering(value: unknown): boolean {
  if (value instanceof Column) return true;
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return false;
  return value instanceof Differing || known.has(value);
}

/** Objects that each execution has one of its own of, whatever is in them (`own-object.ts`). */
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
  const various = variousOf(value);
  if (various !== undefined) return copies.same(various[lane]);
  if (value instanceof Differing) return copies.of(value, sourceAt(value, lane), () => value.ownAt(lane));
  if (!differs(value)) return value;
  const source = sourceAt(value, lane);
  // An object in which nothing differs is what it was before sides were merged.
  if (source !== value && !differs(source)) return source;
  return copies.of(value, source, () => copied(value, (part) => laneAt(part, lane, copies)));
}

/** The object that an execution had before those of several sides were merged. */
export function sourceAt(value: object, lane: number): object {
  const origin = originOf(value);
  return (variousOf(origin)?.[lane] ?? origin) as object;
}

/** The values of all executions of the current group; `copies` of each, where several values are taken apart. */
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

/** How tensors, one for each execution, are joined to one value; `tensor-column.ts` says. */
export const tensorLists: { join(values: readonly unknown[]): unknown } = { join: () => undefined };

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

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A list with a value for each, behind a proxy. */
export function various(values: readonly unknown[]): unknown {
  const kind = values.every(Array.isArray) ? 'list' : values.every(isRecord) ? 'record' : 'other';
  const several = new Various(values, currentGroup(), kind);
  const proxy = standIn(several);
  known.set(proxy, several);
  return proxy;
}

/** How a function that differs is called; `branch.ts` says. */
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

/** What is so of all executions of the current group. */
export function agreedOf(of: (value: unknown) => unknown, value: unknown): unknown {
  const several = known.get(value as object);
  return several === undefined ? of(value) : several.agree(of);
}

function agreedAmong(values: readonly unknown[]): unknown {
  for (let i = 1; i < values.length; i++) if (!Object.is(values[i], values[0])) part(values);
  return values[0];
}

/**
 * The values of all executions for a function to which it does not matter which objects it is given: those in which something
 * differs are made anew wherever they are met. Undefined if the value is the same for all.
 */
function plainLanes(value: unknown): readonly unknown[] | undefined {
  if (!differs(value)) return undefined;
  const isList = Array.isArray(value);
  if (isDiffering(value) || !(isList || isRecord(value))) return lanesOf(value);
  const { size } = currentGroup();
  const keys = isList ? [] : Object.keys(value as object);
  const parts = isList ? Array.from(value) : keys.map((key) => (value as Record<string, unknown>)[key]);
  const lanes = parts.map(plainLanes);
  meter.values(size * parts.length);
  return Array.from({ length: size }, (_, lane) => {
    const part = (k: number): unknown => (lanes[k] === undefined ? parts[k] : lanes[k]![lane]);
    return isList ? parts.map((_part, k) => part(k)) : Object.fromEntries(keys.map((key, k) => [key, part(k)]));
  });
}

/** What a function calculates for each execution; undefined where it gives objects, which may be those it was given. */
function calculated(fn: Fn, args: readonly unknown[]): unknown {
  const { size } = currentGroup();
  const lanes = args.map(plainLanes);
  const results = new Array<unknown>(size);
  for (let lane = 0; lane < size; lane++) {
    const result = fn(...args.map((argument, k) => (lanes[k] === undefined ? argument : lanes[k]![lane])));
    if (isObject(result) && !(result instanceof Tensor) && !isDistribution(result)) return undefined;
    results[lane] = result;
  }
  return fromLanes(results);
}

/**
 * What a function gives for each execution, of arguments that may differ. `calculates`: it is one to which it does not matter which
 * objects it is given, and which may be called again.
 */
export function inEachLane(fn: Fn, args: readonly unknown[], self?: unknown, calculates = false): unknown {
  const { size } = currentGroup();
  if (calculates && args.some(isCopied)) {
    const found = calculated(fn, args);
    if (found !== undefined) return found;
  }
  current.columns!.noteApart();
  const copies = args.some(isCopied) || isCopied(self) ? Array.from({ length: size }, () => new Copies()) : undefined;
  const columns = args.map((argument) => (differs(argument) ? lanesOf(argument, copies) : undefined));
  const selves = differs(self) ? lanesOf(self, copies) : undefined;
  const results = new Array<unknown>(size);
  meter.values(size);
  const given = [...args];
  for (let lane = 0; lane < size; lane++) {
    for (let k = 0; k < given.length; k++) if (columns[k] !== undefined) given[k] = columns[k]![lane];
    results[lane] = fn.apply(selves === undefined ? self : selves[lane], [...given]);
  }
  return (copies && copiedFrom(results, copies)) ?? fromLanes(results);
}

/** The object in which something differs of which these are the copies that executions have, if they are that. */
function copiedFrom(results: readonly unknown[], copies: readonly Copies[]): object | undefined {
  const [source, ...others] = results.map((result, lane) => copies[lane].restored(result));
  return source !== results[0] && others.every((other) => other === source) ? (source as object) : undefined;
}

/** True of objects in which something differs, which each execution is given a copy of, and where such copies were picked. */
const isCopied = (value: unknown): boolean => {
  if (!isObject(value) || value instanceof Column) return false;
  return variousOf(value)?.some(hasOrigin) ?? (!isDiffering(value) && differs(value));
};

function kindOf(value: unknown): Kind | undefined {
  if (value instanceof Column) return 'number';
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return undefined;
  return value instanceof Differing ? 'other' : known.get(value)?.kind;
}

/** Executions side by side, as what is written for all ways of running sees them. */
export const columnDomain: Domain = {
  isActive: () => current.columns !== null,
  isShared: () => current.columns !== null,
  isDifferentiable: false,
  isMine: isDiffering,
  kindOf,
  holds: differs,
  look(value) {
    const plain = agreed(value);
    if (isDiffering(plain)) throw new OneByOne('family', 'the program looks at a distribution that differs');
    return plain;
  },
  each: (fn, args, of) => inEachLane(fn, args, undefined, of !== undefined),
};
