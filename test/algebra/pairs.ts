/** The smallest domain there is: a value that stands for two. What is written once over domains is held to it. */
import { conditionsOver } from '../../src/algebra/conditions.ts';
import type { Fn, Kind } from '../../src/algebra/domain.ts';
import { keepOrigin } from '../../src/algebra/identity.ts';
import { merged } from '../../src/algebra/merging.ts';
import { type OperatorDomain, operatorsOver } from '../../src/algebra/operators.ts';
import { somePart } from '../../src/algebra/parts.ts';
import { isRecord } from '../../src/runtime/values.ts';

export class Pair {
  constructor(
    readonly first: unknown,
    readonly second: unknown,
  ) {}
}

/** Thrown where the two do not agree. */
export class Parted extends Error {}

const both = (value: unknown): readonly unknown[] =>
  value instanceof Pair ? [value.first, value.second] : [value, value];

/** The value of one of the two. */
export const ownOf = (value: unknown, which: number): unknown => {
  if (value instanceof Pair) return both(value)[which];
  return Array.isArray(value) ? value.map((item) => ownOf(item, which)) : value;
};

const pairOf = (first: unknown, second: unknown): unknown =>
  Object.is(first, second) ? first : new Pair(first, second);

const each = (fn: Fn, args: readonly unknown[]): unknown =>
  pairOf(fn(...args.map((one) => ownOf(one, 0))), fn(...args.map((one) => ownOf(one, 1))));

function agree(of: (value: unknown) => unknown, value: unknown): unknown {
  const [a, b] = both(value).map(of);
  if (!Object.is(a, b)) throw new Parted('the two do not agree');
  return a;
}

const areAll = (value: unknown, is: (one: unknown) => boolean): boolean => both(value).every(is);
const isTruth = (value: unknown): boolean => areAll(value, (one) => typeof one === 'boolean');
const isPlainNumber = (value: unknown): boolean => areAll(value, (one) => typeof one === 'number');

function kindOf(value: unknown): Kind | undefined {
  if (!(value instanceof Pair)) return undefined;
  if (isTruth(value) || isPlainNumber(value)) return 'number';
  return areAll(value, Array.isArray) ? 'list' : areAll(value, isRecord) ? 'record' : 'other';
}

const holds = (value: unknown): boolean =>
  value instanceof Pair || (typeof value === 'object' && value !== null && somePart(value, holds));

const binary =
  (of: (a: number, b: number) => unknown) =>
  (a: unknown, b: unknown): unknown =>
    each(of as Fn, [a, b]);

export const pairs: OperatorDomain = {
  isActive: () => true,
  isShared: () => true,
  isDifferentiable: false,
  isMine: (value) => value instanceof Pair,
  holds,
  kindOf,
  look: (value) => agree((one) => one, value),
  each,
  asTruth: (value) => each(Boolean, [value]),
  not: (value) => each((one) => !one, [value]),
  truth: (value) => agree(Boolean, value) === true,
  select: (truth, a, b) =>
    isTruth(a) === isTruth(b) && isPlainNumber(a) === isPlainNumber(b)
      ? each((which, x, y) => (which ? x : y), [truth, a, b])
      : undefined,
  decide(condition, then, otherwise) {
    const [yes, no] = both(condition);
    if (Boolean(yes) === Boolean(no)) return yes ? then() : otherwise();
    const [a, b] = [then(), otherwise()];
    return merged(groups, yes ? [a, b] : [b, a]);
  },
  caught() {
    throw new Parted('perhaps only one of the two has met it');
  },
  isNumber: (value) => kindOf(value) === 'number',
  isNumeric: (value) => isTruth(value) || isPlainNumber(value),
  isTruth,
  operations: {
    add: binary((a, b) => a + b),
    sub: binary((a, b) => a - b),
    mul: binary((a, b) => a * b),
    div: binary((a, b) => a / b),
    lt: binary((a, b) => a < b),
    le: binary((a, b) => a <= b),
    gt: binary((a, b) => a > b),
    ge: binary((a, b) => a >= b),
    // What is compared are numbers, or truth values as numbers.
    eq: binary((a, b) => Number(a) === Number(b)),
    neg: (a) => each((one) => -(one as number), [a]),
    number: (a) => each(Number, [a]),
  },
  compare: (is, a, b) => each(is as Fn, [a, b]),
  agree,
};

const groups = {
  isMine: pairs.isMine,
  holds,
  isNumeric: pairs.isNumeric,
  join: ([a, b]: readonly unknown[]) => (isTruth(a) === isTruth(b) ? pairOf(ownOf(a, 0), ownOf(b, 1)) : undefined),
  itemsOf: (list: readonly unknown[]) => list,
  originals: ([a, b]: readonly object[]) => pairOf(a, b),
  knownBy: (made: object, [a, b]: readonly object[]) => keepOrigin(made, pairOf(a, b)),
  others: ([a, b]: readonly unknown[]) => pairOf(ownOf(a, 0), ownOf(b, 1)),
};

export const conditions = conditionsOver(pairs);
export const operators = operatorsOver(pairs, conditions);
