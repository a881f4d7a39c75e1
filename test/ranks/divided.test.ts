import { describe, expect, test } from 'vitest';
import { divided } from '../../src/ranks/divided.ts';
import { packed, unpacked } from '../../src/ranks/parcels.ts';
import { during, machine } from '../../src/runtime/machine.ts';
import { shareOf, type Team } from '../../src/runtime/team.ts';
import { Tensor } from '../../src/tensor/tensor.ts';

/** A parcel of results, and of what was printed. */
const parcel = (results: unknown, printed: readonly object[] = []): Uint8Array =>
  packed([results, printed]) as Uint8Array;

/** Rank `rank` of some whose parcels are known. */
function team(rank: number, size: number, parcels: Uint8Array[]): Team {
  const gather = (_: string, bytes: Uint8Array): Uint8Array[] => parcels.map((one, i) => (i === rank ? bytes : one));
  const refuse = (): never => {
    throw new Error('not asked for');
  };
  return { rank, size, stop: 0, over: false, gather, sum: refuse, largest: refuse, broadcast: refuse };
}

const within = <R>(own: Team, work: () => R): R => during({ run: { ...machine.run, team: own } }, work);

describe('shares', () => {
  test.each([
    [0, 3],
    [2, 3],
    [7, 3],
    [12, 4],
    [100, 7],
  ])('%i among %i ranks are all of them, in order', (count, size) => {
    const all = Array.from({ length: size }, (_, rank) => shareOf(count, { rank, size }));
    expect(all.flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i))).toEqual(
      Array.from({ length: count }, (_, i) => i),
    );
    const counts = all.map((share) => share.count);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });
});

describe('divided work', () => {
  test('is done in shares, and all get all results', () => {
    const done: number[] = [];
    const square = (i: number): number => {
      done.push(i);
      return i * i;
    };
    const results = within(team(1, 2, [parcel([0, 1]), new Uint8Array(0)]), () => divided('square', 5, square));
    expect(done).toEqual([2, 3, 4]);
    expect(results).toEqual([0, 1, 4, 9, 16]);
  });

  test('is all done by each where results cannot be sent', () => {
    const results = within(team(0, 2, [new Uint8Array(0), new Uint8Array(0)]), () =>
      divided('make functions', 4, (i) => () => i),
    );
    expect(results.map((one) => one())).toEqual([0, 1, 2, 3]);
  });

  test('is not divided again within', () => {
    const inner = (i: number): number => divided('add', 2, (k) => i + k).reduce((a, b) => a + b);
    expect(within(team(0, 2, [new Uint8Array(0), parcel([3])]), () => divided('add', 2, inner))).toEqual([1, 3]);
  });
});

describe('what is printed in divided work', () => {
  const printing = (i: number): number => {
    machine.run.output([i], `number ${i}`);
    return i;
  };
  const heard = (rank: number, parcels: Uint8Array[]): unknown[] => {
    const outputs: unknown[] = [];
    const output = (value: unknown, text: string): void => void outputs.push([value, text]);
    during({ run: { ...machine.run, output, team: team(rank, 2, parcels) } }, () => divided('count', 4, printing));
    return outputs;
  };
  const elsewhere = [
    { text: 'number 2', value: packed([2]) },
    { text: 'number 3', value: undefined },
  ];

  test('the first rank prints, in order', () => {
    expect(heard(0, [new Uint8Array(0), parcel([2, 3], elsewhere)])).toEqual([
      [[0], 'number 0'],
      [[1], 'number 1'],
      [[2], 'number 2'],
      ['number 3', 'number 3'],
    ]);
  });

  test('others are silent', () => {
    expect(heard(1, [parcel([0, 1]), new Uint8Array(0)])).toEqual([]);
  });

  test('is printed once where results cannot be sent', () => {
    const once = heard(0, [new Uint8Array(0), new Uint8Array(0)]);
    expect(once).toEqual([0, 1, 2, 3].map((i) => [[i], `number ${i}`]));
  });

  test('is not lost where the work fails', () => {
    const outputs: string[] = [];
    const output = (_: unknown, text: string): void => void outputs.push(text);
    const fails = (i: number): never => {
      machine.run.output(i, `number ${i}`);
      throw new Error('no');
    };
    const run = { ...machine.run, output, team: team(0, 2, []) };
    expect(() => during({ run }, () => divided('count', 4, fails))).toThrow('no');
    expect(outputs).toEqual(['number 0']);
  });
});

describe('parcels', () => {
  const shared = { a: 1 };
  test.each([
    [[1, -0, Number.NaN, Infinity, undefined, null, true, 'text', 10n]],
    [{ x: new Tensor([2, 1], Float64Array.of(1, 2)), y: [new Tensor([1], Float64Array.of(3))] }],
    [[shared, shared]],
    [new Float64Array([1, 2])],
  ])('of %o come out as they went in', (value) => {
    expect(unpacked(packed(value) as Uint8Array)).toEqual(value);
  });

  const many = <V>(value: (i: number) => V): V[] => Array.from({ length: 100 }, (_, i) => value(i));
  test.each<[string, unknown[]]>([
    ['objects of numbers', many((i) => ({ b: i, a: -0, c: Number.NaN }))],
    ['objects within', many((i) => ({ x: { y: [i, i > 3], z: {} }, empty: [] }))],
    ['tensors', many((i) => new Tensor([2, 1], Float64Array.of(i, -i)))],
    ['tensors within', many((i) => [{ t: new Tensor([1], Float64Array.of(i)) }, i])],
    ['fields in another order', many((i) => (i === 50 ? { a: 1, b: 2 } : { b: i, a: i }))],
    ['other fields', many((i) => (i === 50 ? { a: 1 } : { a: i, b: i }))],
    ['other kinds', many((i) => ({ a: i === 50 ? 'text' : i, b: i === 70 ? undefined : true }))],
    ['lists of other lengths', many((i) => Array.from({ length: i % 3 }, () => i))],
    ['tensors of other shapes', many((i) => new Tensor([1 + (i % 2)], new Float64Array(1 + (i % 2))))],
    ['null', many(() => null)],
    ['a field that is no field', many((i) => JSON.parse(`{"__proto__": ${i}, "a": 1}`))],
    [
      'nothing at some places',
      Object.assign(
        many(() => ({})),
        { length: 110 },
      ),
    ],
  ])('of many values come out as they went in: %s', (_, values) => {
    const found = unpacked(packed({ values }) as Uint8Array) as { values: unknown[] };
    expect(found.values).toStrictEqual(values);
    expect(found.values.map((value) => JSON.stringify(value))).toEqual(values.map((value) => JSON.stringify(value)));
  });

  test('of values that stay hold them once', () => {
    const values = many((i) => i).map((i) => ({ i: Math.floor(i / 10) }));
    const staying = values.map((_, i) => values[10 * Math.floor(i / 10)]);
    const found = unpacked(packed(staying) as Uint8Array) as object[];
    expect(found).toEqual(staying);
    expect(new Set(found).size).toBe(10);
  });

  test('of many values hold nothing that means nothing elsewhere', () => {
    expect(packed(many((i) => ({ f: () => i })))).toBeUndefined();
    expect(packed(many((i) => (i === 50 ? { f: () => i } : { f: i })))).toBeUndefined();
  });

  const round: { self?: unknown; t: Tensor } = { t: new Tensor([1], Float64Array.of(1)) };
  round.self = round;
  test.each([[() => 1], [{ f: () => 1 }], [[Symbol('s')]], [new Map()], [Object.create(null)], [round]])(
    'of %o there are none',
    (value) => {
      expect(packed(value)).toBeUndefined();
    },
  );
});
