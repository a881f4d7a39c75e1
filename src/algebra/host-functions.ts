/** Functions that are not the program's: JavaScript's own, and those of modules that are not compiled. */
import { HOST_GLOBALS } from '../compiler/analyse/hosts.ts';
import { isObject } from '../runtime/values.ts';

const functions = new WeakSet<object>();
let listed = false;

/** Adds the functions that an object has as fields. */
export function addHostFunctions(object: object): void {
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(object))) {
    if (typeof value === 'function') functions.add(value);
  }
}

/** A function of lodash: the lodash object, and the function's name in it. */
interface OfLodash {
  readonly owner: object;
  readonly name: string;
}

const ofLodash = new WeakMap<object, OfLodash>();

/** Adds what a program may take out of lodash; of several names for a function the one that has a rule counts. */
export function addLodash(owner: object, hasRule: (name: string) => boolean): void {
  if (ofLodash.has(owner)) return;
  ofLodash.set(owner, { owner, name: '_' });
  addHostFunctions(owner);
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
    if (typeof value === 'function' && (!ofLodash.has(value) || hasRule(name))) ofLodash.set(value, { owner, name });
  }
}

/** A lodash whose functions have not been listed yet. */
let unlisted: (() => void) | null = null;

export function addLodashLater(owner: object, hasRule: (name: string) => boolean): void {
  if (ofLodash.has(owner)) return;
  listLater();
  unlisted = () => addLodash(owner, hasRule);
}

function listLater(): void {
  unlisted?.();
  unlisted = null;
}

/** What lodash calls a function, if it is lodash's. */
export function lodashNameOf(fn: object): OfLodash | undefined {
  if (unlisted !== null) listLater();
  return ofLodash.get(fn);
}

/** Gives a value of a module; one that is not there yet throws. */
type Given = () => unknown;

/** What modules of an app have registered; read when it is first needed. */
let said: { readonly hosts: readonly Given[]; readonly own: readonly Given[] }[] = [];
/** Functions of modules of an app that are not compiled. */
const ofApps = new WeakSet<object>();
/** Functions that are compiled. */
const compiled = new WeakSet<object>();

/** A compiled module says which functions it may call that are not compiled, and which of its own are. */
export function addFunctions(hosts: readonly Given[], own: readonly Given[]): void {
  said.push({ hosts, own });
}

/** The value, or undefined before it is initialised: a module may ask while it is still being evaluated. */
export function thereNow(given: Given): { readonly value: unknown } | undefined {
  try {
    return { value: given() };
  } catch (thrown) {
    if (thrown instanceof ReferenceError) return undefined;
    throw thrown;
  }
}

function listSaid(): void {
  const left = said.map(({ own, hosts }) => {
    const notThere = own.filter((given) => {
      const there = thereNow(given);
      if (isObject(there?.value)) compiled.add(there.value);
      return there === undefined;
    });
    return { own: notThere, hosts };
  });
  // Compiled functions are registered first, so that none is taken for host code.
  said = left
    .map(({ own, hosts }) => ({ own, hosts: hosts.filter((given) => !listHost(thereNow(given))) }))
    .filter(({ own, hosts }) => own.length + hosts.length > 0);
}

function listHost(there: { readonly value: unknown } | undefined): boolean {
  const value = there?.value;
  if (typeof value === 'function' && !compiled.has(value)) ofApps.add(value);
  return there !== undefined;
}

function listOwn(): void {
  listed = true;
  for (const name of HOST_GLOBALS) {
    const value = (globalThis as Record<string, unknown>)[name];
    if (!isObject(value) || value === globalThis || name === 'process') continue;
    if (typeof value === 'function') functions.add(value);
    addHostFunctions(value);
    const { prototype } = value as { prototype?: unknown };
    if (isObject(prototype)) addHostFunctions(prototype);
  }
}

export function isHostFunction(value: object): boolean {
  if (said.length > 0) listSaid();
  return isBuiltIn(value) || ofApps.has(value);
}

/** True of functions of JavaScript and of packages that Waymark itself knows. */
export function isBuiltIn(value: object): boolean {
  if (!listed) listOwn();
  if (unlisted !== null) listLater();
  return functions.has(value);
}
