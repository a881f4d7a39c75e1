/**
 * What programs of one thread have in common: the language's own objects, globals, the library. A program that changes any of
 * them would change what later programs give, so that they are compared with what they were, and where they differ the
 * thread is not used again. Copies of them for each program would be safer still, but arrays and errors of another realm are
 * none for the library. This is about accidents: a program that wants to deceive can.
 */

import { lodashModule } from '../host/modules.ts';
import { hostModules } from '../program/host-module.ts';
import { loadWithHostRandom } from '../program/host-random.ts';
import { machine } from '../runtime/machine.ts';
import { isObject } from '../runtime/values.ts';
import * as api from '../scope.ts';

// Taken here, since a program may change them.
const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

/** An object with its properties as they were. */
interface Known {
  readonly object: object;
  readonly prototype: object | null;
  readonly keys: readonly PropertyKey[];
  /** Values of data properties; getters of others. */
  readonly values: readonly unknown[];
  /** Which are other than data. */
  readonly accessors: readonly boolean[];
}

const isClass = (value: unknown): value is { prototype: object } =>
  typeof value === 'function' && isObject(value.prototype);

/** Intrinsic objects that no global names. */
const UNNAMED: readonly object[] = [
  getPrototypeOf(Int8Array)!,
  getPrototypeOf([][Symbol.iterator]())!,
  getPrototypeOf(new Map()[Symbol.iterator]())!,
  getPrototypeOf(new Set()[Symbol.iterator]())!,
  getPrototypeOf(''[Symbol.iterator]())!,
  getPrototypeOf(getPrototypeOf([][Symbol.iterator]())!)!,
  getPrototypeOf(function* () {})!,
  getPrototypeOf(async () => {})!,
];

/** Objects of the language; those of the platform are compared as globals alone. */
const LANGUAGE = [
  ...['Object', 'Function', 'Array', 'Number', 'Boolean', 'String', 'Symbol', 'BigInt', 'Date', 'RegExp', 'Promise'],
  ...['Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'],
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'FinalizationRegistry', 'Proxy', 'Reflect', 'Math', 'JSON'],
  ...['ArrayBuffer', 'SharedArrayBuffer', 'DataView', 'Atomics', 'Intl', 'WebAssembly', 'Iterator', 'console'],
  ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array'],
  ...['Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array'],
];

/** These give what the current run has. */
const BY_RUN = new Set(['argv', 'globalStore']);

export class Surroundings {
  private readonly known: readonly Known[];

  constructor() {
    const objects = new Set<object>();
    const add = (value: unknown): void => {
      if (!isObject(value)) return;
      objects.add(value);
      const prototype: unknown = getOwnPropertyDescriptor(value, 'prototype')?.value;
      if (isObject(prototype)) objects.add(prototype);
    };
    const addLibrary = (name: string, value: unknown): void => {
      if (BY_RUN.has(name)) return;
      if (isClass(value)) objects.add(value.prototype);
      if (typeof value !== 'object' || value === null) return;
      objects.add(value);
      // As `ad.scalar` is in `ad`.
      for (const field of Object.values(value)) if (typeof field === 'object' && field !== null) objects.add(field);
    };
    add(globalThis);
    for (const name of LANGUAGE) add(getOwnPropertyDescriptor(globalThis, name)?.value);
    for (const object of UNNAMED) add(object);
    // Its methods are in reach of every program; functions of the library have nothing that could be changed.
    objects.add(loadWithHostRandom(lodashModule) as object);
    for (const [name, value] of Object.entries(api)) addLibrary(name, value);
    this.known = [...objects].map(asKnown);
  }

  /** Whether anything is other than it was, or goes on after a program has ended. */
  areSpoilt(): boolean {
    // Host modules may keep any state.
    if (hostModules.used > 0 || goesOn()) return true;
    // A program whose text writes to nothing has changed nothing, and there is much to compare.
    if (machine.program.stateless) return false;
    for (let i = 0; i < this.known.length; i++) if (differs(this.known[i])) return true;
    return false;
  }
}

/** What keeps a thread busy, and was not started by Waymark. */
const BUSY = /^(Timeout|Immediate|TCP|UDP|TLS|HTTP|Pipe|Process|FSEvent|Signal)/;

/** Whether something that a program has begun goes on after its end. */
function goesOn(): boolean {
  return process.getActiveResourcesInfo().some((name) => BUSY.test(name));
}

function asKnown(object: object): Known {
  const keys = ownKeys(object);
  const descriptors = keys.map((key) => getOwnPropertyDescriptor(object, key) as PropertyDescriptor);
  return {
    object,
    prototype: getPrototypeOf(object),
    keys,
    values: descriptors.map(({ get, value }) => get ?? value),
    accessors: descriptors.map((descriptor) => !('value' in descriptor)),
  };
}

function differs({ object, prototype, keys, values, accessors }: Known): boolean {
  const now = ownKeys(object);
  if (now.length !== keys.length || getPrototypeOf(object) !== prototype) return true;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (now[i] !== key) return true;
    const value = accessors[i]
      ? getOwnPropertyDescriptor(object, key)?.get
      : (object as Record<PropertyKey, unknown>)[key];
    if (!Object.is(value, values[i])) return true;
  }
  return false;
}
