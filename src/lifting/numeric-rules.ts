/**
 * The meaning on nodes of host functions that calculate, JavaScript's own and lodash's. A function without a rule
 * here is given plain numbers, and gradients end there (`lost-gradients.ts`).
 */

import { vectorOfResults } from '../lanes/results.ts';
import { holdsNode, vectorInLanes } from '../lanes/value.ts';
import { variedOf } from '../lanes/varied.ts';
import { settled } from '../runtime/force.ts';
import { isNumeric, Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { not, truth } from './conditions.ts';
import { graphDomain } from './graph-domain.ts';
import { addConstant } from './lost-gradients.ts';
import { listMean, sum } from './numbers.ts';
import { operators } from './operators.ts';

type Fn = (...args: unknown[]) => unknown;
type Lodash = Readonly<Record<string, Fn>>;

/** A way to do it in the graph, for the arguments it is right for. */
interface Rule {
  applies(args: readonly unknown[]): boolean;
  readonly record: Fn;
}

const rules = new WeakMap<Fn, Rule>();

/** The function on these arguments, in the graph; undefined if it is to be called with plain values. */
export function ruleFor(fn: unknown, args: readonly unknown[]): Fn | undefined {
  const rule = typeof fn === 'function' ? rules.get(fn as Fn) : undefined;
  return rule?.applies(args) ? rule.record : undefined;
}

const isNode = (value: unknown): value is Node => value instanceof Node;
const isNumber = (value: unknown): boolean => isNumeric(value) && (!isNode(value) || value.shape.length === 0);

const someNodes = (args: readonly unknown[]): boolean => args.some(isNode) && args.every(isNumber);

/** Whether the first argument is a list in which there are nodes. */
const listWithNodes = ([list]: readonly unknown[]): boolean =>
  Array.isArray(list) &&
  (vectorInLanes(list) !== undefined ||
    vectorOfResults(list) !== undefined ||
    (variedOf(list) === undefined && list.some((item) => isNode(item) || holdsFields(item))));

const holdsFields = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && variedOf(item) === undefined && Object.values(item).some(isNode);

const numbersWithNodes = (args: readonly unknown[]): boolean =>
  listWithNodes(args) && (args[0] as readonly unknown[]).every(isNumber);

/** The same, or a function whose answers may be nodes. */
const listOrFunction = ([list, iteratee]: readonly unknown[]): boolean =>
  listWithNodes([list]) || (Array.isArray(list) && typeof iteratee === 'function');

function rule(fn: unknown, applies: Rule['applies'], record: Fn): void {
  rules.set(fn as Fn, { applies, record });
}

const fold = (record: (a: Value, b: Value) => Value): Fn =>
  ((list: readonly Value[]) => Array.from(list).reduce((a, b) => record(a, b))) as Fn;

/** The numbers that a function gives for items: in the graph if one of them is a node, otherwise computed by lodash. */
const byNumbers =
  (lodash: Lodash, name: string, inGraph: (numbers: readonly unknown[], items: readonly unknown[]) => unknown): Fn =>
  (list, iteratee) => {
    const items = Array.from(list as readonly unknown[]);
    const numbers = items.map(lodash.iteratee(iteratee) as (item: unknown) => unknown);
    if (numbers.some((one) => isNode(one) || variedOf(one) !== undefined)) return inGraph(numbers, items);
    const places = items.map((_, i) => i);
    const found = lodash[name](places, (i: unknown) => numbers[i as number]);
    return name.startsWith('m') && name !== 'meanBy' ? items[found as number] : found;
  };

/** The item with the largest or smallest number. Which one that is, is decided by plain values. */
const best =
  (better: 'gt' | 'lt') =>
  (keys: readonly unknown[], items: readonly unknown[]): unknown => {
    let place = 0;
    for (let i = 1; i < keys.length; i++) if (truth(operators[better](keys[i], keys[place]))) place = i;
    return items[place];
  };

/** Lists in the order of functions of their items, which are looked at. */
const inOrder =
  (lodash: Lodash): Fn =>
  (list, iteratees, orders) => {
    const items = Array.from(list as readonly unknown[]);
    const given = iteratees === undefined ? [undefined] : Array.isArray(iteratees) ? iteratees : [iteratees];
    const keys = given.map((one) => lodash.iteratee(one) as Fn);
    const looked = keys.map((key) => items.map((item) => settled(key(item))));
    const places = lodash.orderBy(
      items.map((_, i) => i),
      looked.map((of) => (i: unknown) => of[i as number]),
      orders,
    ) as number[];
    return places.map((place) => items[place]);
  };

/** lodash's order of bounds: with one, it is the upper one. */
function clamp(x: unknown, first: unknown, second?: unknown): unknown {
  const [lower, upper] = second === undefined ? [undefined, first] : [first, second];
  const below = ops.min(x as Value, upper as Value);
  return lower === undefined ? below : ops.max(below, lower as Value);
}

const JUMPING_LODASH = [
  ...['floor', 'ceil', 'round', 'toInteger', 'toSafeInteger', 'toLength', 'inRange', 'indexOf', 'lastIndexOf'],
  ...['isFinite', 'isInteger', 'isNaN', 'isNumber', 'isEqual', 'eq', 'gt', 'gte', 'lt', 'lte', 'sortedIndex', 'size'],
  ...['toString', 'padStart', 'padEnd', 'range', 'rangeRight', 'chunk', 'includes', 'sortedLastIndex', 'isSafeInteger'],
];

const known = new WeakSet<object>();

/** lodash's functions, when a program first uses it. */
export function addLodash(given: unknown): void {
  if (typeof given !== 'function' || known.has(given)) return;
  known.add(given);
  const lodash = given as unknown as Lodash;
  rule(lodash.add, someNodes, operators.add as Fn);
  rule(lodash.subtract, someNodes, operators.sub as Fn);
  rule(lodash.multiply, someNodes, operators.mul as Fn);
  rule(lodash.divide, someNodes, operators.div as Fn);
  rule(lodash.sum, numbersWithNodes, sum as Fn);
  rule(lodash.mean, numbersWithNodes, listMean as Fn);
  rule(lodash.sumBy, listOrFunction, byNumbers(lodash, 'sumBy', sum as Fn));
  rule(lodash.meanBy, listOrFunction, byNumbers(lodash, 'meanBy', listMean as Fn));
  rule(lodash.max, numbersWithNodes, fold(ops.max));
  rule(lodash.min, numbersWithNodes, fold(ops.min));
  rule(lodash.maxBy, listOrFunction, byNumbers(lodash, 'maxBy', best('gt')));
  rule(lodash.minBy, listOrFunction, byNumbers(lodash, 'minBy', best('lt')));
  rule(lodash.orderBy, listWithNodes, inOrder(lodash));
  rule(lodash.sortBy, listWithNodes, (list, ...iteratees) =>
    inOrder(lodash)(list, iteratees.length === 0 ? undefined : iteratees.flat()),
  );
  rule(lodash.clamp, someNodes, clamp);
  for (const name of ['toNumber', 'toFinite']) rule(lodash[name], ([x]) => isNode(x), operators.number as Fn);
  for (const name of JUMPING_LODASH) addConstant(lodash[name]);
}

// (`+x` of a whole number of any size is an error, unlike `Number(x)`.)
rule(
  Number,
  ([x]) => isNode(x) || variedOf(x) !== undefined,
  (x) => (isNode(x) ? operators.number(x) : graphDomain.each(Number as Fn, [x])),
);
rule(
  Boolean,
  ([x]) => isNode(x) && x.shape.length === 0,
  (x) => not(not(x)),
);
rule(Reflect.get, ([object]) => holdsNode(object), Reflect.get as Fn);
rule(Number.parseFloat, ([x]) => isNode(x), operators.number as Fn);

[
  ...[Number.parseInt, Number.isInteger, Number.isFinite, Number.isNaN, Number.isSafeInteger],
  // biome-ignore lint/suspicious/noGlobalIsNan lint/suspicious/noGlobalIsFinite: programs call them
  ...[globalThis.isNaN, globalThis.isFinite, String, Boolean, JSON.stringify, BigInt],
].forEach(addConstant);
