/**
 * Values other than numbers of which executions have few different ones: text, objects out of a table, functions,
 * distributions. They are kept as a table, with a place in it for each execution, so that a function is called once
 * for each value of the table.
 */

/** More different values than this are not looked for. */
const MOST = 64;
/** From this number of executions on, a table pays. */
const WORTH_A_TABLE = 16;
/** The least number of executions for each value of a table. */
const SHARE = 4;
/** A list as short as this is searched sooner than a Map. */
const SHORT = 8;
/** Whole numbers in a range as small as this are places in a table too. */
const RANGE = 64;

export class Coded {
  private listed: readonly unknown[] | null = null;

  constructor(
    readonly table: readonly unknown[],
    /** For each execution, its place in the table. Each value of the table belongs to some execution. */
    readonly codes: Int32Array,
  ) {}

  /** The value of each execution. */
  get values(): readonly unknown[] {
    if (this.listed === null) {
      this.listed = expanded(this.table, this.codes);
      tables.set(this.listed, this);
    }
    return this.listed;
  }

  /** The values of the executions at these places. */
  at(places: Int32Array): Coded {
    return inUse(this.table, picked(this.codes, places));
  }
}

/** Lists with a value for each execution, of which the table is known. */
const tables = new WeakMap<readonly unknown[], Coded>();

/** The table of a list of values, if it is known. */
export const tableOf = (list: readonly unknown[]): Coded | undefined => tables.get(list);

// Loops are functions by themselves: V8 takes longer to optimise what is around them than they take.

/** The words at these places. */
function picked(words: Int32Array, places: Int32Array): Int32Array {
  const found = new Int32Array(places.length);
  for (let i = 0; i < found.length; i++) found[i] = words[places[i]];
  return found;
}

function mark(marks: Uint8Array, codes: Int32Array): void {
  for (let i = 0; i < codes.length; i++) marks[codes[i]] = 1;
}

function addMultiples(sums: Int32Array, factor: number, codes: Int32Array): void {
  for (let i = 0; i < sums.length; i++) sums[i] += factor * codes[i];
}

/** Numbers the words in the order in which they are met; gives the place where each was met first. */
function numbered(words: Int32Array, different: number): number[] {
  const numbers = new Int32Array(different).fill(-1);
  const firsts: number[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (numbers[word] < 0) {
      numbers[word] = firsts.length;
      firsts.push(i);
    }
    words[i] = numbers[word];
  }
  return firsts;
}

export function expanded(table: readonly unknown[], codes: Int32Array): unknown[] {
  const values = new Array<unknown>(codes.length);
  for (let i = 0; i < codes.length; i++) values[i] = table[codes[i]];
  return values;
}

/** A table without values that no execution has, and with each value once. */
export function inUse(table: readonly unknown[], codes: Int32Array): Coded {
  const isUsed = new Uint8Array(table.length);
  mark(isUsed, codes);
  const places = new Map<unknown, number>();
  const kept: unknown[] = [];
  const now = new Int32Array(table.length);
  table.forEach((value, code) => {
    if (isUsed[code] === 0) return;
    const known = places.get(value);
    now[code] = known ?? kept.length;
    if (known === undefined) {
      places.set(value, kept.length);
      kept.push(value);
    }
  });
  if (kept.length === table.length) return new Coded(table, codes);
  return new Coded(kept, picked(now, codes));
}

/** Values as a table, if there are few different ones among them and none of them is a number. */
export function coded(values: readonly unknown[]): Coded | undefined {
  const size = values.length;
  if (size < WORTH_A_TABLE) return undefined;
  const table: unknown[] = [];
  const codes = new Int32Array(size);
  let places: Map<unknown, number> | null = null;
  for (let i = 0; i < size; i++) {
    const value = values[i];
    let code = places === null ? table.indexOf(value) : (places.get(value) ?? -1);
    if (code < 0) {
      // (0 and −0 are different numbers, and a table would take them for one.)
      if (typeof value === 'number' || table.length === MOST) return undefined;
      if (table.length > SHORT && table.length * SHARE > i) return undefined;
      code = table.length;
      table.push(value);
      places?.set(value, code);
      if (places === null && table.length > SHORT) places = new Map(table.map((one, k) => [one, k]));
    }
    codes[i] = code;
  }
  return new Coded(table, codes);
}

/** Truth values, and whole numbers in a small range, as a table. */
export function codedNumbers(numbers: Float64Array, areTruths: boolean): Coded | undefined {
  const size = numbers.length;
  if (size < WORTH_A_TABLE) return undefined;
  const codes = new Int32Array(size);
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < size; i++) {
    const x = numbers[i];
    const whole = x | 0;
    if (whole !== x || (x === 0 && 1 / x < 0)) return undefined;
    if (x < least) least = x;
    if (x > most) most = x;
    if (most - least >= RANGE) return undefined;
    codes[i] = whole;
  }
  const table = Array.from({ length: most - least + 1 }, (_, k) => (areTruths ? k + least !== 0 : k + least));
  return inUse(table, least === 0 ? codes : codes.map((code) => code - least));
}

/** The results of a function whose arguments are tables, or the same for all; undefined if there are too many combinations. */
export function ofCombinations(
  fn: (args: unknown[]) => unknown,
  args: readonly unknown[],
  tables: readonly (Coded | undefined)[],
  size: number,
): { readonly results: readonly unknown[]; readonly codes: Int32Array } | undefined {
  let count = 1;
  for (const one of tables) count *= one?.table.length ?? 1;
  if (count > MOST * SHARE || count * SHARE > size) return undefined;
  const combination = new Int32Array(size);
  let stride = 1;
  for (const one of tables) {
    if (one === undefined) continue;
    const { codes, table } = one;
    addMultiples(combination, stride, codes);
    stride *= table.length;
  }
  const results = numbered(combination, count).map((i) =>
    fn(
      args.map((argument, k) => {
        const own = tables[k];
        return own === undefined ? argument : own.table[own.codes[i]];
      }),
    ),
  );
  return { results, codes: combination };
}

/** The values with each object once: where one comes again, a copy takes its place. */
export function apart(values: readonly unknown[], copy: (value: unknown) => unknown): readonly unknown[] {
  const met = new Set<unknown>();
  return values.map((value) => {
    if (!met.has(value)) {
      met.add(value);
      return value;
    }
    return copy(value);
  });
}
