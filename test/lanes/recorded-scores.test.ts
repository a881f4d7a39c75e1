import { expect, test } from 'vitest';
import * as distributions from '../../src/distributions/index.ts';
import { RecordedDensity } from '../../src/lanes/density/density.ts';
import { constructorOf, type RecordedDistribution, scoreOf } from '../../src/lanes/density/distribution.ts';
import { fromNode, nodeOf, recording } from '../../src/lanes/density/recorded.ts';
import { IMPOSSIBLE, SAME_WAY, UNKNOWN } from '../../src/lanes/density/results.ts';
import { recordedFamily } from '../../src/lanes/density/scores.ts';
import { type Operation, operations, Tape } from '../../src/lanes/density/tape.ts';
import type { Distribution } from '../../src/runtime/handler.ts';
import { machine } from '../../src/runtime/machine.ts';
import { arityOf } from '../../src/tensor/elementwise/table.ts';

type Make = (params: unknown) => Distribution<unknown>;

/** Parameters and values: ordinary ones, ends of domains and supports, and what is not allowed. */
const NUMBERS = [0.3, 1, 2.5, -0.7, 0, -0, 17, 1e-300, 1e300, -1e300, Infinity, -Infinity, Number.NaN];

/** What records with the first numbers, and then tries others. */
function recorded(count: number, record: (inputs: readonly number[]) => number, first: readonly number[]) {
  const tape = new Tape();
  machine.tape = tape;
  try {
    const inputs = Array.from({ length: count }, (_, i) => tape.input(first[i]));
    tape.factor(record(inputs));
  } finally {
    machine.tape = null;
  }
  const nothing = { template: () => undefined, start: 0, count: 0 };
  const choices = first.map(() => ({
    distribution: nothing,
    proposal: null,
    isTruth: false,
    listed: null,
    held: null,
  }));
  return new RecordedDensity<undefined>({ tape, leaves: [], returned: nothing }, choices, false);
}

const FAMILIES = Object.entries(distributions as unknown as Record<string, Make & { family?: object }>).flatMap(
  ([name, make]) => {
    const family = recordedFamily(make.family);
    return family === undefined ? [] : [{ name, make, family }];
  },
);

test('all families of numbers are recorded number by number', () => {
  expect(FAMILIES.length).toBeGreaterThanOrEqual(22);
});

/** Parameters of a distribution, and a value that it allows. */
function possible(
  make: Make,
  names: readonly string[],
  truths: boolean,
  params: readonly number[] = [],
): number[] | null {
  if (params.length < names.length) {
    for (const x of [1, 2, 0.5, 3]) {
      const found = possible(make, names, truths, [...params, x]);
      if (found !== null) return found;
    }
    return null;
  }
  try {
    const made = make(Object.fromEntries(names.map((name, i) => [name, params[i]])));
    const value = [1, 0.25].find((x) => Number.isFinite(made.score(truths ? true : x)));
    return value === undefined ? null : [...params, value];
  } catch {
    return null;
  }
}

test.each(FAMILIES)('$name scores as its definition says, or leaves the word to it', ({ name, make, family }) => {
  const values = family.truths ? [0, 1] : NUMBERS;
  const asValue = (x: number): unknown => (family.truths ? x !== 0 : x);
  const first = possible(make, family.names, family.truths)!;
  const density = recorded(
    first.length,
    (nodes) => {
      const params = family.names.map((key, i) => [key, fromNode(nodes[i], false)]);
      const distribution = constructorOf(name, make as never)(Object.fromEntries(params)) as RecordedDistribution;
      return nodeOf(scoreOf(distribution, fromNode(nodes[family.names.length], family.truths)));
    },
    first,
  );
  let [compared, refused] = [0, 0];
  const check = (params: readonly number[]): void => {
    if (params.length < family.names.length) {
      for (const x of NUMBERS) check([...params, x]);
      return;
    }
    const given = Object.fromEntries(family.names.map((key, i) => [key, params[i]]));
    let distribution: Distribution<unknown> | undefined;
    try {
      distribution = make(given);
    } catch {
      refused++;
    }
    for (const x of values) {
      density.values.set([...params, x]);
      const found = density.evaluate();
      density.accept();
      const shown = `${name} ${JSON.stringify(given)} at ${x}`;
      if (distribution === undefined) {
        expect(found, shown).toBe(UNKNOWN);
        continue;
      }
      const score = distribution.score(asValue(x));
      // Sums begin with 0, which takes the sign of −0.
      expect(density.factorScore, shown).toBe(0 + score);
      expect(found, shown).toBe(score === -Infinity ? IMPOSSIBLE : score < Infinity ? SAME_WAY : UNKNOWN);
      compared++;
    }
  };
  check([]);
  expect(compared).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
});

type Recorded = (nodes: readonly number[]) => number;
type Expected = (a: number, b: number) => number;

/** Operations, and what is made of them. */
const OPERATIONS: readonly (readonly [name: string, record: Recorded, expected: Expected])[] = [
  ...(Object.keys(operations) as Operation[]).map(
    (name) =>
      [
        name,
        (nodes: readonly number[]) => recording.tape!.operate(name, ...nodes.slice(0, arityOf(operations[name]))),
        (a: number, b: number) => operations[name].compute!(a, b, 2),
      ] as const,
  ),
  ['truthy', ([a]) => recording.tape!.truthy(a), (a) => Number(Boolean(a))],
  ['finite', ([a]) => recording.tape!.finite(a), (a) => Number(Number.isFinite(a))],
  ...[0, -0, 17, 1e-300, -Infinity].map(
    (number) =>
      [
        `the same as ${Object.is(number, -0) ? '-0' : number}`,
        ([a]: readonly number[]) => recording.tape!.same(a, number),
        (a: number) => Number(Object.is(a, number)),
      ] as const,
  ),
];

test.each(OPERATIONS)('%s is the same in both languages', (name, record, expected) => {
  const density = recorded(3, record, [1, 2, 3]);
  for (const a of NUMBERS) {
    for (const b of NUMBERS) {
      density.values.set([a, b, 2]);
      density.evaluate();
      density.accept();
      expect(density.factorScore, `${name} of ${a} and ${b}`).toBe(0 + expected(a, b));
    }
  }
});
