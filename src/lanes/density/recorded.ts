/** Values that depend on choices, in an execution that is being recorded. */
import type { Domain, Fn } from '../../algebra/domain.ts';
import { somePart } from '../../algebra/parts.ts';
import { machine } from '../../runtime/machine.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { isRecord } from '../../runtime/values.ts';
import { type Kind, type Rebuilt, type Template, templateOf } from '../recordings/template.ts';
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
  return typeof value === 'object' && value !== null && rebuilt.has(value) ? (value as Rebuilt) : undefined;
}

export function markRebuilt<R extends Rebuilt & object>(made: R): R {
  rebuilt.add(made);
  return made;
}

/** Whether the value, or something in it, is recorded. */
export function holdsRecorded(value: unknown): boolean {
  if (tableOf(value) !== undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof Recorded || rebuilt.has(value) || somePart(value, holdsRecorded);
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

/** Notes calls that failed since it was last cleared. */
export const failures = { count: 0 };

/** Functions whose calls may fail. */
export const fallible = new WeakSet<object>();

/** As many as a function of the recording may take. */
const MOST_LEAVES = 100;

/** The result of a function without effects for values that may be recorded, if it is a number or a truth value. */
export function opaque(fn: (...args: unknown[]) => unknown, args: readonly unknown[]): Numeric {
  const leaves: number[] = [];
  const rebuild = recordedTemplate(args, leaves);
  if (leaves.length > MOST_LEAVES) throw new OneByOne('host', 'a function that is not compiled takes too many numbers');
  const recorder = tape();
  const now = fn(...(rebuild(leaves.map((node) => recorder.values[node])) as unknown[]));
  if (typeof now !== 'number' && typeof now !== 'boolean') {
    throw new OneByOne('host', 'a function that is not compiled is given values that depend on choices');
  }
  const kind = typeof now;
  const call = (...numbers: number[]): number => {
    try {
      const value = fn(...(rebuild(numbers) as unknown[]));
      if (typeof value === kind) return Number(value);
    } catch {
      // One by one, the execution throws the error in its own words.
    }
    failures.count++;
    return Number.NaN;
  };
  fallible.add(call);
  return fromNode(recorder.call(call, ...leaves), kind === 'boolean');
}

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
    return found === undefined ? opaque(fn, args) : found.value;
  },
};
