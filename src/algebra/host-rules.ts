/**
 * What functions of JavaScript and of lodash do with their arguments. A function that is not listed here is never given a
 * value that stands for others: it is called with each one's own plain values, or with those that all agree on.
 */
import type { Fn } from './domain.ts';
import { FLATTENING } from './flattening.ts';

/**
 * - `moves`: passes values on without looking at them, and likewise what its callbacks return.
 * - `asks`: the same, but decides by what its callbacks return.
 * - `compares`: tells values apart by what they are, functions too, and calls nothing back.
 * - `orders`: compares numbers and text by `<` and `>`, which looks at them, and passes some of them on; decides by what its
 *   callbacks return.
 */
export interface Rule {
  readonly kind: 'moves' | 'asks' | 'orders' | 'compares';
  /** Places of arguments that are looked at: positions, counts, keys. Negative: all from there on. */
  readonly looks: readonly number[];
  /** Whether it changes its first argument, of which each one is given a copy of its own. */
  readonly changesFirst: boolean;
  /** Whether an argument in place of a callback, as lodash allows, is the name of a field. */
  readonly applies: boolean;
  /** Whether its first argument may be a number. */
  readonly takesNumbers: boolean;
  /** Whether it is no method, and reads the fields of its first argument. */
  readonly readsFields: boolean;
  /** How deep it asks of items, or of what a callback returns, whether they are lists; given its arguments. */
  readonly flattens?: (args: readonly unknown[]) => number;
}

type Named = readonly [name: string, rule: Rule];

/**
 * Names, each perhaps with the places of arguments that are looked at: `slice:0,1`; `pick:1+` is all from the second on. A name
 * with `!` applies its second argument, one with `~` may be given a number first, one with `.` reads the fields of its first argument.
 */
function rules(kind: Rule['kind'], text: string, changesFirst = false): Named[] {
  return text
    .trim()
    .split(/\s+/)
    .map((word) => {
      const [named, places = ''] = word.split(':');
      const name = named.replace(/[!~.]/, '');
      const looks =
        places === '' ? [] : places.split(',').map((at) => (at.endsWith('+') ? -1 - parseInt(at, 10) : +at));
      return [
        name,
        {
          kind,
          looks,
          changesFirst,
          applies: named.endsWith('!'),
          takesNumbers: named.endsWith('~'),
          readsFields: named.endsWith('.'),
          flattens: FLATTENING[name],
        },
      ] as const;
    });
}

const arrayMethods = (): readonly Named[] => [
  ...rules(
    'moves',
    `concat slice:0,1 at:0 flat:0 with:0 map flatMap forEach reduce reduceRight entries keys values push pop shift unshift
     splice:0,1 toSpliced:0,1 reverse toReversed fill:1,2 copyWithin:0,1,2`,
  ),
  ...rules('asks', 'filter some every find findIndex findLast findLastIndex'),
  ...rules('orders', 'sort toSorted'),
  ...rules('compares', 'indexOf lastIndexOf includes'),
];

const arrayFunctions = (): readonly Named[] => rules('moves', 'of');

const objectFunctions = (): readonly Named[] => [
  ...rules('moves', 'keys. values. entries. isFrozen. hasOwn.:1 getOwnPropertyNames. create.'),
  ...rules('compares', 'is'),
  ...rules('moves', 'assign', true),
];

const mapMethods = (): readonly Named[] =>
  rules('moves', 'get:0 set:0 has:0 delete:0 keys values entries forEach clear');
const setMethods = (): readonly Named[] => rules('moves', 'add:0 has:0 delete:0 keys values entries forEach clear');

const lodashFunctions = (): readonly Named[] => [
  ...rules(
    'moves',
    `map! flatMap! forEach each eachRight forEachRight reduce reduceRight transform mapValues! zip zipWith zipObject:0 unzip
     toPairs entries keys keysIn values head first last tail initial nth:1 take:1 takeRight:1 drop:1 dropRight:1
     chunk:1 flatten flattenDeep flattenDepth:1 reverse slice:1,2 concat~ castArray~ toArray pick:1+ omit:1+ get:1 has:1
     at:1+ times:0 range:0,1,2 rangeRight:0,1,2 fill:2,3 thru~ tap~ result:1 identity~ constant~ partial partialRight
     curry:1 curryRight:1 flow flowRight flip ary:1 unary spread rearg over`,
  ),
  ...rules('moves', 'assign assignIn extend defaults merge defaultsDeep', true),
  ...rules('moves', 'set:1 unset:1 update:1'),
  ...rules(
    'asks',
    `filter reject find findLast findIndex findLastIndex findKey some every partition takeWhile dropWhile takeRightWhile
     dropRightWhile pickBy omitBy mapKeys keyBy groupBy countBy uniqBy`,
  ),
  ...rules('orders', 'sortBy! orderBy!:2 maxBy! minBy! max min'),
  ...rules('compares', 'isEqual eq includes indexOf lastIndexOf without isFunction'),
];

// Read from their texts when one is first asked for: few programs need them.
const tables: readonly (readonly [object, () => readonly Named[]])[] = [
  [Array.prototype, arrayMethods],
  [Array, arrayFunctions],
  [Object, objectFunctions],
  [Map.prototype, mapMethods],
  [Set.prototype, setMethods],
];

let byFunction: Map<unknown, Rule> | undefined;

/** The rule of a function of JavaScript. */
export function ruleOf(fn: Fn): Rule | undefined {
  byFunction ??= new Map(
    tables.flatMap(([owner, table]) =>
      table().map(([name, rule]) => [(owner as Record<string, unknown>)[name], rule] as const),
    ),
  );
  return byFunction.get(fn);
}

let ofLodash: Map<string, Rule> | undefined;

/** The rule of a function of lodash, by its name. */
export function lodashRuleOf(name: string): Rule | undefined {
  ofLodash ??= new Map(lodashFunctions());
  return ofLodash.get(name);
}

/** True of lodash itself. */
export function isLodash(object: unknown): boolean {
  return typeof object === 'function' && 'VERSION' in object && 'cloneDeep' in object && 'chain' in object;
}

/** The arguments with those looked at that the rule says. */
export function lookedAt(rule: Rule, args: readonly unknown[], look: (value: unknown) => unknown): unknown[] {
  return args.map((argument, i) =>
    rule.looks.some((at) => (at < 0 ? i >= -1 - at : at === i)) ? look(argument) : argument,
  );
}
