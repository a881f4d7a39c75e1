import { beforeEach, expect, test } from 'vitest';
import { Bernoulli } from '../../src/distributions/index.ts';
import { machine } from '../../src/runtime/machine.ts';
import * as lib from '../../src/scope.ts';
import { recordedRun } from './run.ts';

beforeEach(() => {
  recordedRun();
});

/** Each calls back a few times. */
const calls: Record<string, (f: () => never) => unknown> = {
  map: (f) => lib.map(f, [1, 2]),
  map2: (f) => lib.map2(f, [1, 2], [3, 4]),
  mapN: (f) => lib.mapN(f, 2),
  mapIndexed: (f) => lib.mapIndexed(f, [1, 2]),
  mapObject: (f) => lib.mapObject(f, { a: 1, b: 2 }),
  mapPairs: (f) => lib.mapPairs(f, [1, 2, 3]),
  mapData: (f) => lib.mapData({ data: [1, 2] }, f),
  filter: (f) => lib.filter(f, [1, 2]),
  repeat: (f) => lib.repeat(2, f),
  forEach: (f) => lib.forEach([1, 2], f),
  reduce: (f) => lib.reduce(f, 0, [1, 2]),
  foldl: (f) => lib.foldl(f, 0, [1, 2]),
  scan: (f) => lib.scan(f, 0, [1, 2]),
  find: (f) => lib.find(f, [1, 2]),
  any: (f) => lib.any(f, [1, 2]),
  sort: (f) => lib.sort([2, 1, 3], f),
  sortOn: (f) => lib.sortOn([2, 1], f),
  minWith: (f) => lib.minWith(f, [1, 2]),
  maxWith: (f) => lib.maxWith(f, [1, 2]),
  argMax: (f) => lib.argMax(f, [1, 2]),
  groupBy: (f) => lib.groupBy(f, [1, 2, 3]),
  partition: (f) => lib.partition(f, [1, 2]),
  span: (f) => lib.span(f, [1, 2]),
  countBy: (f) => lib.countBy(f, [1, 2]),
  compose: (f) => lib.compose(f, f)(1),
  stack: (f) => lib.stack<number>([f, f])(1),
  expectation: (f) => lib.expectation(Bernoulli({ p: 0.5 }), f),
  marginalize: (f) => lib.marginalize(Bernoulli({ p: 0.5 }), f),
  mem: (f) => {
    const remembered = lib.mem((_: number) => f());
    return [remembered(1), remembered(2)];
  },
};

test.each(Object.keys(calls))('%s calls back at an address each, and leaves the caller’s in force', (name) => {
  const own = machine.address.at('caller');
  machine.address = own;
  const seen = new Set<unknown>();
  let count = 0;
  calls[name](() => {
    seen.add(machine.address);
    count++;
    machine.address = machine.address.at('deeper');
    return 0 as never;
  });
  expect(count).toBeGreaterThanOrEqual(2);
  expect(seen.size).toBe(count);
  expect(seen.has(own)).toBe(false);
  expect(machine.address).toBe(own);
});
