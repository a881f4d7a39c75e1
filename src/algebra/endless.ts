/**
 * Values of the program that are gone through by functions which call themselves. One that contains itself has no end: that is
 * found out before the stack overflows, while it is still known where in the program that is.
 */
import { EndlessValue } from '../runtime/signals.ts';

/** So deep it is asked whether there is an end. (A chain of that many objects may have one.) */
const DEEP = 400;

let depth = 0;

/** Goes into a value, whose parts are gone through next; `goOut` follows. */
export function goInto(value: object): void {
  depth++;
  if (depth === DEEP && containsItself(value)) throw new EndlessValue();
}

export function goOut(): void {
  depth--;
}

const partsOf = (value: object): Iterator<unknown> =>
  value instanceof Map ? [...value].flat().values() : Object.values(value instanceof Set ? [...value] : value).values();

/** Whether a way through the parts of the value comes back to where it was. */
function containsItself(given: unknown): boolean {
  const done = new Set<unknown>();
  const above = new Set<unknown>();
  const way: { readonly value: unknown; readonly parts: Iterator<unknown> }[] = [];
  const enter = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || done.has(value)) return;
    above.add(value);
    way.push({ value, parts: partsOf(value) });
  };
  enter(given);
  while (way.length > 0) {
    const { value, parts } = way.at(-1)!;
    const next = parts.next();
    if (next.done !== true) {
      if (above.has(next.value)) return true;
      enter(next.value);
      continue;
    }
    way.pop();
    above.delete(value);
    done.add(value);
  }
  return false;
}
