/** Functions that are not the program's: JavaScript's own, and those of modules that are not compiled. */
import { HOST_GLOBALS } from '../compiler/analyse/hosts.ts';

const functions = new WeakSet<object>();
let listed = false;

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Adds the functions that an object has as fields. */
export function addHostFunctions(object: object): void {
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(object))) {
    if (typeof value === 'function') functions.add(value);
  }
}

type List = () => readonly unknown[];

/** What modules of an app have said, which is looked at when all of them have been run. */
const said: { readonly hosts: List; readonly own: List }[] = [];
/** Functions that are compiled. */
const compiled = new WeakSet<object>();

/** A compiled module says which functions it may call that are not compiled, and which of its own are. */
export function addFunctions(hosts: List, own: List): void {
  said.push({ hosts, own });
}

function listSaid(): void {
  const news = said.splice(0);
  for (const { own } of news) for (const value of own()) if (isObject(value)) compiled.add(value);
  for (const { hosts } of news) {
    for (const value of hosts()) if (typeof value === 'function' && !compiled.has(value)) functions.add(value);
  }
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
  if (!listed) listOwn();
  if (said.length > 0) listSaid();
  return functions.has(value);
}
