/** Keys of lists of arguments, for the tables of `mem` and `cache`. */
import { settled } from '../runtime/force.ts';
import { lifting } from '../runtime/lifting.ts';
import { machine } from '../runtime/machine.ts';
import { valueKey } from '../runtime/values.ts';

/** In front of the key of an argument list, where it cannot be mistaken for that of a single argument. */
const SEVERAL = '\u0001,';

/** A lone number, string, boolean or function is its own key; everything else is a text. */
export function argumentsKey(given: readonly unknown[]): unknown {
  const lanes = machine.lifted ? lifting.current : null;
  const agreed = lanes === null ? given : given.map((value) => lanes.agreed(value));
  const args = machine.lifted ? (settled(agreed) as readonly unknown[]) : agreed;
  return args.length === 1 ? valueKey(args[0]) : SEVERAL + (valueKey(args) as string);
}

/** A key as a text that keeps keys of different types apart, for addresses and names of streams. */
export function keyText(key: unknown): string {
  if (typeof key === 'string') return `"${key}`;
  if (typeof key === 'function') return valueKey([key]) as string;
  return String(key);
}
