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
  return functions.has(value);
}
