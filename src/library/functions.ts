/** Functions made of functions, and small functions that programs pass to others. */
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { machine } from '../runtime/machine.ts';
import { arrayOf, checkFunction, checkObject, type List } from './arguments.ts';

/** `x ↦ f(g(x))`. */
export function compose<A, B, C>(f: (b: B) => C, g: (a: A) => B): (a: A) => C {
  checkFunction('compose(f, g)', f);
  checkFunction('compose(f, g)', g);
  return (a) => {
    const own = machine.address;
    machine.address = own.index(0);
    const inner = g(a);
    machine.address = own.index(1);
    const outer = f(inner);
    machine.address = own;
    return outer;
  };
}

/** All functions one after the other, the last of the list first. */
export function stack<A>(fns: List<(x: A) => A>): (x: A) => A {
  const functions = arrayOf('stack(functions)', fns);
  for (const fn of functions) checkFunction('stack(functions)', fn);
  return (x) => {
    const own = machine.address;
    let value = x;
    for (let i = functions.length - 1; i >= 0; i--) {
      machine.address = own.index(i);
      value = functions[i](value);
    }
    machine.address = own;
    return value;
  };
}

/** a < b, for `sort(list, lt)`. */
export function lt<A>(a: A, b: A): boolean {
  return a < b;
}

/** a > b, for `sort(list, gt)`. */
export function gt<A>(a: A, b: A): boolean {
  return a > b;
}

/** A new object with the fields of all of them; of fields in several, the last counts. Items of an array are fields. */
export function extend<A extends object>(first: A): A;
export function extend<A extends object, B extends object>(first: A, second: B): Omit<A, keyof B> & B;
export function extend(...objects: object[]): Record<string, unknown>;
export function extend(...objects: object[]): object {
  for (const object of objects) {
    if (object === undefined || object === null || Array.isArray(object)) continue;
    checkObject('extend(object1, object2, …)', object);
  }
  // Not by assignment, which takes the name __proto__ for something else.
  return Object.fromEntries(objects.flatMap((object) => Object.entries(object ?? {})));
}

/** Stops the program with a message. */
export function error(message: unknown): never {
  throw new WaymarkError(typeof message === 'string' ? message : `error was called with ${describe(message)}.`);
}
