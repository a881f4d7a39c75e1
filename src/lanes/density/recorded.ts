/** Values that depend on choices, in an execution that is being recorded. */
import type { Domain, Fn } from '../../algebra/domain.ts';
import { somePart } from '../../algebra/parts.ts';
import { machine } from '../../runtime/machine.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { isRecord } from '../../runtime/values.ts';
import { type Kind, type Rebuilt, type Template, templateOf } from '../recordings/template.ts';
import { Remembered } from './remembering.ts';
import type { Table } from './tables.ts';
import type { Operation, Tape } from './tape.ts';

/** The recording under way in this thread. */
export const recording = {
  get tape(): Tape | null {
    return machine.tape as Tape | null;
  },
};

export function tape(): Tape {
  if (recording.tape === null) throw new OneByOne('state', 'a recorded value is used after its execution');
  return recording.tape;
}

/** A number or truth value that would be another if choices had other values. */
export class Recorded {
  constructor(
    readonly node: number,
    readonly isTruth: boolean,
  ) {}

  /** JavaScript looks at a recorded value where it makes text or a number of it. */
  [Symbol.toPrimitive](): unknown {
    return looked(this);
  }

  toJSON(): never {
    throw new OneByOne('value', 'the program makes text of a value that depends on choices');
  }
}

/** Values that can become a number of the recording. */
export type Numeric = number | boolean | Recorded;

export function isNumeric(value: unknown): value is Numeric {
  return typeof value === 'number' || typeof value === 'boolean' || value instanceof Recorded;
}

export function isTruth(value: Numeric): boolean {
  return value instanceof Recorded ? value.isTruth : typeof value === 'boolean';
}

export function nodeOf(value: Numeric): number {
  return value instanceof Recorded ? value.node : tape().constant(Number(value));
}

/** A node as a value of the program: plain if it depends on nothing. */
export function fromNode(node: number, asTruth: boolean): Numeric {
  const recorder = tape();
  if (!recorder.isConstant(node)) return new Recorded(node, asTruth);
  const value = recorder.values[node];
  return asTruth ? value !== 0 : value;
}

export function operate(name: Operation, asTruth: boolean, ...operands: readonly Numeric[]): Numeric {
  return fromNode(tape().operate(name, ...operands.map(nodeOf)), asTruth);
}

/** Looks at the value: it becomes a guard of the recording. */
export function looked(value: unknown): unknown {
  const table = tableOf(value);
  if (table !== undefined) return looked(table.agree((one) => one));
  const later = laterOf(value);
  // (An object that is made again is another one.)
  if (later !== undefined) return Object(later.now) === later.now ? value : agreeing(itself, value, later.now);
  if (!(value instanceof Recorded)) return value;
  const recorder = tape();
  const now = recorder.values[value.node];
  if (Number.isNaN(now)) throw new OneByOne('weights', 'the program looks at a value that is not a number');
  recorder.check(recorder.same(value.node, now));
  return value.isTruth ? now !== 0 : now;
}

/** Whether the value counts as true; the answer becomes a guard. */
export function truth(value: unknown): boolean {
  const table = tableOf(value);
  if (table !== undefined) return table.agree(Boolean) === true;
  if (laterOf(value) !== undefined) return truth(opaque(Boolean, [value]));
  if (!(value instanceof Recorded)) return Boolean(value);
  const recorder = tape();
  const node = value.isTruth ? value.node : recorder.truthy(value.node);
  const holds = recorder.values[node] !== 0;
  recorder.check(holds ? node : recorder.operate('not', node));
  return holds;
}

const rebuilt = new WeakSet<object>();
/** Objects and functions that stand for the values of a table (`tables.ts`). */
const tables = new WeakMap<object, Table>();

/** How a value out of a table is made again, and what a function gives for such values. Set by `tables.ts`. */
export const behind: {
  rebuilt(table: Table): Rebuilt;
  each(fn: Fn, args: readonly unknown[]): { readonly value: unknown } | undefined;
} = {
  rebuilt() {
    throw new OneByOne('value', 'a value depends on choices');
  },
  each: () => undefined,
};

/** What stands for a value that is no number, and of which no list is known (`later-values.ts`). */
export interface LaterValue extends Rebuilt {
  /** The number that stands for it, and what it is in the execution that is recorded. */
  readonly node: number;
  readonly now: unknown;
}

const laters = new WeakMap<object, LaterValue>();

/** Notes what stands for such a value. */
export function standsLater(proxy: object, value: LaterValue): void {
  laters.set(proxy, value);
}

export function laterOf(value: unknown): LaterValue | undefined {
  return typeof value === 'object' && value !== null ? laters.get(value) : undefined;
}

/** Stands for what a function without effects gives, where that is no number, and for the value behind a number. Set by `later-values.ts`. */
export const making: { later(called: Called): unknown; standing(node: number, now: unknown): unknown } = {
  later() {
    throw notANumber();
  },
  standing() {
    throw notANumber();
  },
};

const notANumber = (): OneByOne =>
  new OneByOne('host', 'a function that is not compiled is given values that depend on choices');

/** Notes what stands for the values of a table. */
export function stands(proxy: object, table: Table): void {
  tables.set(proxy, table);
}

/** The values that one stands for, and its place among them; undefined of another value. */
export function tableOf(value: unknown): Table | undefined {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return undefined;
  return tables.get(value);
}

function rebuiltOf(value: unknown): Rebuilt | undefined {
  const table = tableOf(value);
  if (table !== undefined) return behind.rebuilt(table);
  const later = laterOf(value);
  if (later !== undefined) return later;
  return typeof value === 'object' && value !== null && rebuilt.has(value) ? (value as Rebuilt) : undefined;
}

export function markRebuilt<R extends Rebuilt & object>(made: R): R {
  rebuilt.add(made);
  return made;
}

/** The values that one stands for, as far as they are known; undefined of a plain value. */
export function valuesAmong(value: unknown): readonly unknown[] | undefined {
  return tableOf(value)?.values ?? (laterOf(value) === undefined ? undefined : []);
}

/** Whether the value, or something in it, is recorded. */
export function holdsRecorded(value: unknown): boolean {
  if (tableOf(value) !== undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof Recorded || rebuilt.has(value) || laters.has(value) || somePart(value, holdsRecorded);
}

/** Objects that a function of the program makes, changes and keeps to itself: what is recorded needs them as they are when it is. */
const changeable = new WeakSet<object>();

export function mayBeChanged<T>(made: T): T {
  if (typeof made === 'object' && made !== null) {
    changeable.add(made);
    recording.tape?.owned.push(made);
  }
  return made;
}

/** An object that is about to be changed, if the execution that is recorded made it; `method` is that by which it is. */
export function ownAlone(object: unknown, method?: string): unknown {
  const isOwn = typeof object === 'object' && object !== null && changeable.has(object);
  const isProgram = method !== undefined && isRecord(object) && Object.hasOwn(object, method);
  if (isOwn || isProgram) return object;
  throw new OneByOne('state', 'functions of the program change what others see');
}

/** Whether the value, or something in it, may be changed later. */
export function holdsChangeable(value: unknown): boolean {
  const table = tableOf(value);
  if (table !== undefined) return table.values.some(holdsChangeable);
  if (typeof value !== 'object' || value === null) return false;
  return changeable.has(value) || somePart(value, holdsChangeable);
}

const KIND: Kind<number> = {
  leaf(value) {
    if (!(value instanceof Recorded)) return undefined;
    const { node, isTruth } = value;
    return { node, make: isTruth ? (number) => number !== 0 : (number) => number };
  },
  holds: holdsRecorded,
  mayChange: holdsChangeable,
  rebuiltOf,
};

/** How to make the value from the numbers of its recorded parts, which are added to `leaves`. */
export const recordedTemplate = (value: unknown, leaves: number[]): Template => templateOf(value, KIND, leaves);

/** Functions whose calls may fail. */
export const fallible = new WeakSet<object>();

/** As many as a function of the recording may take. */
const MOST_LEAVES = 100;

const isNumber = (value: unknown): value is number | boolean => typeof value === 'number' || typeof value === 'boolean';

/** What a function without effects gives in the execution at hand, and how to call it again. */
export interface Called {
  readonly now: unknown;
  /** The numbers that it depends on. */
  readonly leaves: readonly number[];
  again(numbers: readonly number[]): unknown;
}

export function calledNow(fn: Fn, args: readonly unknown[]): Called {
  const leaves: number[] = [];
  const parts = args.map((argument) => recordedTemplate(argument, leaves));
  if (leaves.length > MOST_LEAVES) throw new OneByOne('host', 'a function that is not compiled takes too many numbers');
  // An object may be in several arguments.
  const areSeveral = args.filter((argument) => typeof argument === 'object').length > 1;
  const again = (numbers: readonly number[]): unknown => {
    const made = areSeveral ? new Map<object, unknown>() : undefined;
    return fn(...parts.map((part) => part(numbers, made)));
  };
  const { values } = tape();
  return { leaves, again, now: again(leaves.map((node) => values[node])) };
}

/** A number of the recording that a function gives; `numberOf` makes one of its result, or null. */
export function callLater({ leaves, again }: Called, numberOf: (value: unknown) => number | null): number {
  const remembered = new Remembered((numbers) => {
    try {
      return numberOf(again(numbers));
    } catch {
      // One by one, the execution throws the error in its own words.
      return null;
    }
  }, leaves.length);
  fallible.add(remembered.call);
  tape().remembered.push(remembered);
  return tape().call(remembered.call, ...leaves);
}

function numberLater(called: Called): Numeric {
  const kind = typeof called.now;
  const node = callLater(called, (value) => (typeof value === kind ? Number(value) : null));
  return fromNode(node, kind === 'boolean');
}

/** The result of a function without effects for values that may be recorded, which is a number or a truth value. */
export function opaque(fn: Fn, args: readonly unknown[]): Numeric {
  const called = calledNow(fn, args);
  if (!isNumber(called.now)) throw notANumber();
  return numberLater(called);
}

/** The same of any result. */
function computed(fn: Fn, args: readonly unknown[]): unknown {
  const called = calledNow(fn, args);
  return isNumber(called.now) ? numberLater(called) : making.later(called);
}

/** What `of` says of a value, which becomes a guard. */
export function agreeing<V>(of: Fn, value: unknown, now: V): V {
  truth(opaque((one) => Object.is(of(one), now), [value]));
  return now;
}

const itself: Fn = (value) => value;

/** Tapes as a domain of `src/algebra/`. */
export const recordedDomain: Domain = {
  isActive: () => recording.tape !== null,
  isShared: () => recording.tape !== null,
  isDifferentiable: false,
  isMine: (value) => value instanceof Recorded || tableOf(value) !== undefined || rebuiltOf(value) !== undefined,
  kindOf: (value) => {
    if (value instanceof Recorded) return 'number';
    return tableOf(value)?.kind ?? (rebuiltOf(value) === undefined ? undefined : 'other');
  },
  holds: holdsRecorded,
  mayChange: holdsChangeable,
  look(value) {
    const plain = looked(value);
    if (rebuiltOf(plain) !== undefined) throw new OneByOne('host', 'host code is given values that depend on choices');
    return plain;
  },
  each(fn, args) {
    const found = behind.each(fn, args);
    return found === undefined ? computed(fn, args) : found.value;
  },
};
