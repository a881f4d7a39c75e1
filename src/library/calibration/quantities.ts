/** Quantities that are ranked: a number for every value that a model may return. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { machine } from '../../runtime/machine.ts';
import { isRecord } from '../../runtime/values.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { inlineText } from '../show/inline.ts';

/** A number of a value, given the data that the value was inferred from. Values that lack it have −∞, so that all can be ordered. */
export interface Quantity {
  readonly name: string;
  of(value: unknown, data: unknown): number;
}

/** A test quantity as programs give it. */
export type TestQuantity<T, D> = (value: T, data: D) => number | boolean;

/** Quantities of one result beyond this many are left out: they would cost more than they tell. */
const MOST = 24;

/** Names that are told apart in what is neither a number nor a Boolean. */
const NAMES = 6;

type Plain = number | boolean | string;

/** The plain parts of a value by the names a program would use, and the lengths of its lists. */
function partsOf(value: unknown): Map<string, Plain> {
  const parts = new Map<string, Plain>();
  const collect = (part: unknown, name: string, depth: number): void => {
    if (typeof part === 'number' || typeof part === 'boolean' || typeof part === 'string') parts.set(name, part);
    else if (part instanceof Tensor) {
      part.data.forEach((item, i) => void parts.set(`${name}[${i}]`, item));
    } else if (Array.isArray(part)) {
      parts.set(`${name}.length`, part.length);
      if (depth < DEPTH) part.forEach((item, i) => void collect(item, `${name}[${i}]`, depth + 1));
    } else if (isRecord(part)) {
      if (depth === DEPTH) return;
      for (const [key, item] of Object.entries(part)) collect(item, name === '' ? key : `${name}.${key}`, depth + 1);
    } else if (part !== undefined && typeof part !== 'function') parts.set(name, inlineText(part));
  };
  collect(value, '', 0);
  return parts;
}

/** Recursive values may have any depth. Parts that lie deeper than this are not looked at. */
const DEPTH = 8;

/** The parts of the value asked for last: all quantities ask for those of the same value in turn. */
class LastParts {
  private value: unknown;
  private parts = new Map<string, Plain>();
  private known = false;

  of(value: unknown): ReadonlyMap<string, Plain> {
    if (!this.known || !Object.is(value, this.value)) {
      this.value = value;
      this.parts = partsOf(value);
      this.known = true;
    }
    return this.parts;
  }
}

/** Numbers, Booleans, names and lengths in the values that a model returned; and how many of these were left out. */
export function quantitiesIn(values: readonly unknown[]): { quantities: Quantity[]; leftOut: number } {
  const seen = new Map<string, Plain[]>();
  for (const value of values) {
    for (const [name, part] of partsOf(value)) {
      const all = seen.get(name);
      if (all === undefined) seen.set(name, [part]);
      else all.push(part);
    }
  }
  const last = new LastParts();
  const found = [...seen].flatMap(([name, parts]) => quantitiesOf(name, parts, values.length, last));
  if (found.length <= MOST) return { quantities: found, leftOut: 0 };
  const quantities = Array.from({ length: MOST }, (_, i) => found[Math.floor((i * found.length) / MOST)]);
  return { quantities, leftOut: found.length - MOST };
}

/** A part that is always the same has no quantity. */
function quantitiesOf(name: string, parts: readonly Plain[], total: number, last: LastParts): Quantity[] {
  const counts = new Map<Plain, number>();
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  if (counts.size === 1 && parts.length === total) return [];
  const shown = name === '' ? 'value' : name.replace(/^\./, '');
  if (parts.every((part) => typeof part !== 'string')) {
    return [{ name: shown, of: (value) => Number(last.of(value).get(name) ?? -Infinity) }];
  }
  const names = [...counts].sort((a, b) => b[1] - a[1]).map(([part]) => part);
  // With two names, one quantity says it all.
  const told = names.slice(0, names.length === 2 && parts.length === total ? 1 : NAMES);
  return told.map((one) => ({
    name: `${shown} = ${typeof one === 'string' ? one : String(one)}`,
    of: (value) => (last.of(value).get(name) === one ? 1 : 0),
  }));
}

/** Quantities as a program gives them, by name. */
export function quantitiesGiven(given: Readonly<Record<string, unknown>>): Quantity[] {
  const entries = Object.entries(given);
  if (entries.length === 0) throw new WaymarkError('calibrate: quantities must hold at least one function.');
  return entries.map(([name, quantity]) => {
    if (typeof quantity !== 'function') {
      throw new WaymarkError(
        `calibrate: quantities must be functions, as in {quantities: {size: (value, data) => value.length}}; ${name} is ${describe(quantity)}.`,
      );
    }
    return {
      name,
      of: (value, data) => numberOf(name, callFrom(quantity as TestQuantity<unknown, unknown>, value, data)),
    };
  });
}

/** Calls the function of the program, and puts back the address that it leaves behind. */
function callFrom(quantity: TestQuantity<unknown, unknown>, value: unknown, data: unknown): unknown {
  const { address } = machine;
  try {
    return quantity(value, data);
  } finally {
    machine.address = address;
  }
}

function numberOf(name: string, result: unknown): number {
  if (typeof result === 'boolean') return result ? 1 : 0;
  if (typeof result === 'number' && !Number.isNaN(result)) return result;
  throw new WaymarkError(
    `calibrate: the quantity ${name} must give a number, true or false; it gave ${describe(result)}.`,
  );
}
