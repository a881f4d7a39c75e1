/**
 * Options of inference algorithms: each algorithm declares a table of them, and `readOptions` checks what a program
 * gave against it. A misspelt option is an error that names the nearest known one.
 */
import { describe } from '../runtime/describe.ts';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import { machine } from '../runtime/machine.ts';

/** What an option takes. */
export interface Option<T> {
  /** Completes "… must be". */
  readonly expected: string;
  /** The names that a value may be, or have as its only field. */
  readonly names?: readonly string[];
  /** Used when the option is left out; an option without one is required. */
  readonly standard?: { readonly value: T };
  /** The value to use, or undefined if the given one will not do. */
  read(value: unknown): { readonly value: T } | undefined;
}

/** The options of an algorithm: one of each name. */
export type OptionTable<O> = { readonly [K in keyof O]-?: Option<O[K]> };

function option<T>(expected: string, holds: (value: unknown) => boolean): Option<T> {
  return { expected, read: (value) => (holds(value) ? { value: value as T } : undefined) };
}

/** The same option with a default. */
export function withDefault<T>(given: Option<T>, value: T): Option<T> {
  return { ...given, standard: { value } };
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value);

/** An integer of at least `least`. */
export const count = (least: number): Option<number> =>
  option(`an integer of at least ${least}`, (value) => Number.isInteger(value) && (value as number) >= least);

/** An integer of at least `least`, or Infinity. */
export const limit = (least: number): Option<number> =>
  option(
    `an integer of at least ${least}, or Infinity`,
    (value) => value === Infinity || (Number.isInteger(value) && (value as number) >= least),
  );

/** Any number. */
export const number: Option<number> = option('a number', isNumber);
/** A number greater than 0. */
export const positiveNumber: Option<number> = option(
  'a number greater than 0',
  (value) => isNumber(value) && value > 0,
);
/** A number of at least 0 and less than 1. */
export const fraction: Option<number> = option(
  'a number from 0 up to, but not including, 1',
  (value) => isNumber(value) && value >= 0 && value < 1,
);
/** True or false. */
export const flag: Option<boolean> = option('true or false', (value) => typeof value === 'boolean');

const listOf = (names: readonly string[]): string => `one of ${names.map((name) => `'${name}'`).join(', ')}`;

/** One of some names. */
export const oneOf = <N extends string>(...names: N[]): Option<N> => ({
  ...option<N>(listOf(names), (value) => names.includes(value as N)),
  names,
});

/** The name of a file. */
export const fileName: Option<string> = option(
  'the name of a file',
  (value) => typeof value === 'string' && value !== '',
);

/** A function of the program, or a host function. */
export const callback = <F>(signature: string): Option<F> =>
  option(`a function ${signature}`, (value) => typeof value === 'function');

/** An array whose elements the algorithm checks itself. */
export const arrayOf = <T>(what: string): Option<T[]> => option(`an array of ${what}`, Array.isArray);

/** A name, or `{name: options}`: kernels, estimators, optimisers. Reads to the name and its checked options. */
export function variant<N extends string>(
  owner: string,
  tables: { readonly [K in N]: OptionTable<object> },
): Option<{ name: N; options: object }> {
  const names = Object.keys(tables) as N[];
  return {
    expected: `${listOf(names)}, or an object such as {${names[0]}: {…}} with its options`,
    names,
    read(value) {
      const [name, given] = namedBy(value);
      if (name === undefined || !names.includes(name as N)) return undefined;
      return { value: { name: name as N, options: readOptions(`${owner} ${name}`, given, tables[name as N]) } };
    },
  };
}

/** The name that an option is given by, and what comes with it. */
function namedBy(value: unknown): [string | undefined, unknown] {
  if (typeof value === 'string') return [value, {}];
  if (typeof value !== 'object' || value === null) return [undefined, undefined];
  const entries = Object.entries(value);
  return entries.length === 1 ? entries[0] : [undefined, undefined];
}

/** What a table says of options left out. */
interface Standards<O> {
  readonly values: Partial<O>;
  readonly required: readonly (keyof O & string)[];
}

/** Kept per table, because small inferences are run in great numbers inside others. */
const standards = new WeakMap<object, Standards<object>>();

function standardsOf<O extends object>(table: OptionTable<O>): Standards<O> {
  let known = standards.get(table) as Standards<O> | undefined;
  if (known === undefined) {
    const values: Partial<O> = {};
    const required: (keyof O & string)[] = [];
    for (const name in table) {
      const { standard } = table[name];
      if (standard === undefined) required.push(name);
      values[name] = standard?.value;
    }
    known = { values, required };
    standards.set(table, known as Standards<object>);
  }
  return known;
}

/** What `readOptions` may be told about options that are not the algorithm's own. */
export interface OptionContext {
  /** Names that are read elsewhere, such as `model` and `method` for `Infer`. */
  readonly apart?: readonly string[];
  /** Which other functions have an option of this name: then it is merely misplaced. */
  ownersOf?(name: string): readonly string[];
}

const NO_CONTEXT: OptionContext = {};

/**
 * Checks the given options against the table and fills in the defaults. `owner` is named in errors. The result is
 * to be read only: if nothing is given it is the table's own.
 */
export function readOptions<O extends object>(
  owner: string,
  given: unknown,
  table: OptionTable<O>,
  context: OptionContext = NO_CONTEXT,
): O {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new WaymarkError(`${owner} takes its options as an object, got ${describe(given)}.`);
  }
  const { values, required } = standardsOf(table);
  let result = values;
  for (const name in given) {
    if (Object.hasOwn(table, name)) {
      const value = (given as Partial<O>)[name as keyof O];
      if (value === undefined) continue;
      if (result === values) result = { ...values };
      result[name as keyof O] = readOption(owner, name, value, table[name as keyof O]);
    } else if (!context.apart?.includes(name)) {
      refuse(owner, name, Object.keys(table), context);
    }
  }
  for (const name of required) {
    if (result[name] === undefined) {
      throw new WaymarkError(`${owner} needs the option '${name}': ${table[name].expected}.`);
    }
  }
  return result as O;
}

/** WebPPL ignores what it does not know. A misspelt option is an error, one left over from another method a warning. */
function refuse(owner: string, name: string, names: readonly string[], context: OptionContext): void {
  const others = context.ownersOf?.(name) ?? [];
  const known = names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}`;
  if (others.length === 0) {
    throw new WaymarkError(
      `${owner} has no option '${name}'; ${known}.${didYouMean(name, [...names, ...(context.apart ?? [])])}`,
    );
  }
  machine.run.warn(`${owner} has no option '${name}' and ignores it; ${known}. ${name} is for ${others.join(', ')}.`);
}

function readOption<T>(owner: string, name: string, value: unknown, option: Option<T>): T {
  const read = option.read(value);
  if (read === undefined) {
    const [named] = namedBy(value);
    const hint = named === undefined ? '' : didYouMean(named, option.names ?? []);
    throw new WaymarkError(`${owner}: ${name} must be ${option.expected}, got ${describe(value)}.${hint}`);
  }
  return read.value;
}
