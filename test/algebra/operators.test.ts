/** What operators and conditions mean on values that stand for others is what JavaScript means for each of them. */
import { describe, expect, test } from 'vitest';
import { conditions, operators, ownOf, Pair, Parted } from './pairs.ts';

type Row = (a: never, b: never) => unknown;

const object = { n: 1 };
const VALUES = [0, -0, 1, 2.5, Number.NaN, true, false, '', '2', 'b', null, undefined, object, [2]];

/** By their names in emitted text. */
const BINARY: Readonly<Record<string, Row>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  mod: (a, b) => a % b,
  pow: (a, b) => a ** b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  // biome-ignore lint/suspicious/noDoubleEquals: this is what programs write
  looseEq: (a, b) => a == b,
  // biome-ignore lint/suspicious/noDoubleEquals: this is what programs write
  looseNe: (a, b) => a != b,
  bitOr: (a, b) => a | b,
  bitAnd: (a, b) => a & b,
  bitXor: (a, b) => a ^ b,
  shiftLeft: (a, b) => a << b,
  shiftRight: (a, b) => a >> b,
  shiftRightUnsigned: (a, b) => a >>> b,
};

const UNARY: Readonly<Record<string, (a: never) => unknown>> = {
  neg: (a) => -a,
  not: (a) => !a,
  bitNot: (a) => ~a,
  number: (a) => +a,
  inc: (a) => Number(a) + 1,
  dec: (a) => Number(a) - 1,
  numeric: (a) => Number(a),
};

type Operator = (...operands: unknown[]) => unknown;
const operatorNamed = (name: string): Operator => (operators as unknown as Record<string, Operator>)[name];

/** Where one of the two would fail, both may. */
function outcome(of: () => unknown): unknown {
  try {
    return of();
  } catch (thrown) {
    return thrown instanceof Parted ? 'part' : 'fails';
  }
}

describe('operators', () => {
  test.each(Object.keys(BINARY))('%s', (name) => {
    const wrong: string[] = [];
    for (const a of VALUES)
      for (const other of VALUES)
        for (const b of [0, -0, 1, true, '2', null, undefined, object]) {
          const pair = new Pair(a, other);
          const left = operatorNamed(name)(pair, b);
          const right = operatorNamed(name)(b, pair);
          [a, other].forEach((one, which) => {
            if (!Object.is(ownOf(left, which), BINARY[name](one as never, b as never)))
              wrong.push(`${String(one)} with ${String(b)}`);
            if (!Object.is(ownOf(right, which), BINARY[name](b as never, one as never)))
              wrong.push(`${String(b)} with ${String(one)}`);
          });
        }
    expect(wrong).toEqual([]);
  });

  test.each(Object.keys(UNARY))('%s', (name) => {
    for (const a of VALUES)
      for (const b of VALUES) {
        const made = operatorNamed(name)(new Pair(a, b));
        expect([ownOf(made, 0), ownOf(made, 1)]).toEqual([UNARY[name](a as never), UNARY[name](b as never)]);
      }
  });

  test('typeof is that of both, or they part', () => {
    for (const a of VALUES)
      for (const b of VALUES)
        expect(outcome(() => operators.typeOf(new Pair(a, b)))).toBe(typeof a === typeof b ? typeof a : 'part');
  });

  test('in and instanceof ask each', () => {
    expect(operators.inside('n', new Pair({ n: 1 }, { m: 1 }))).toEqual(new Pair(true, false));
    expect(operators.inside(new Pair(0, 1), ['x'])).toEqual(new Pair(true, false));
    expect(operators.instanceOf(new Pair([], {}), Array)).toEqual(new Pair(true, false));
    expect(operators.instanceOf(new Pair(1, 2), Number)).toBe(false);
  });

  test('numbers have no fields, records have their own, and others part', () => {
    const records = new Pair({ a: 1 }, { b: 2 });
    expect(operators.fields(new Pair(1, 2))).toBe(undefined);
    expect(operators.fields(records)).toBe(records);
    expect(outcome(() => operators.fields(new Pair({ a: 1 }, 'b')))).toBe('part');
  });
});

describe('conditions', () => {
  const CONDITIONS = [0, 1, Number.NaN, true, false, '', 'b', null, object];
  const SIDES = [0, 1, true, false, 'text', undefined, [1, 2], [1, 3], [4]];

  test.each(['choose', 'branch'] as const)('%s gives each the value of its side', (name) => {
    const found: unknown[] = [];
    const expected: unknown[] = [];
    for (const yes of CONDITIONS)
      for (const no of CONDITIONS)
        for (const a of SIDES)
          for (const b of SIDES) {
            const made = conditions[name](new Pair(yes, no), () => a, () => b); // biome-ignore format: it reads like a conditional
            found.push(ownOf(made, 0), ownOf(made, 1));
            expected.push(yes ? a : b, no ? a : b);
          }
    expect(found).toEqual(expected);
  });

  test.each(['and', 'andThen', 'or', 'orThen'] as const)('%s gives each one of its sides', (name) => {
    const isAnd = name.startsWith('and');
    const found: unknown[] = [];
    const expected: unknown[] = [];
    for (const a of CONDITIONS)
      for (const other of CONDITIONS)
        for (const b of SIDES) {
          const made = conditions[name](new Pair(a, other), () => b);
          found.push(ownOf(made, 0), ownOf(made, 1));
          expected.push(...[a, other].map((one) => (isAnd ? one && b : one || b)));
        }
    expect(found).toEqual(expected);
  });

  test('a side that fails is run by those alone that take it', () => {
    const missing = undefined as unknown as { n: number };
    const take = (condition: unknown): unknown => conditions.choose(condition, () => missing.n, () => 2); // biome-ignore format: it reads like a conditional
    expect(take(new Pair(false, 0))).toBe(2);
    expect(outcome(() => take(new Pair(true, 1)))).toBe('fails');
  });

  test('what is looked at is agreed upon', () => {
    expect(conditions.truth(new Pair(1, 'b'))).toBe(true);
    expect(outcome(() => conditions.truth(new Pair(1, 0)))).toBe('part');
    expect(outcome(() => conditions.caught(new Error('of the host')))).toBe('part');
  });
});
