import { beforeEach, expect, test } from 'vitest';
import { Infer } from '../../src/inference/infer.ts';
import { flip } from '../../src/library/choices.ts';
import { query } from '../../src/runtime/query.ts';
import { recordedRun } from '../library/run.ts';

beforeEach(() => {
  recordedRun(2);
});

const model = () => {
  const a = flip(0.25);
  query.add('a', a);
  if (a) query.add('only if a', 1);
  query.add('b', 'first');
  query.add('b', 'second');
  return query;
};

test('a model that returns query has the table as its value, under exact inference', () => {
  const posterior = Infer({ method: 'enumerate', model });
  expect(Math.exp(posterior.score({ a: true, 'only if a': 1, b: 'second' } as never))).toBeCloseTo(0.25, 14);
  expect(Math.exp(posterior.score({ a: false, b: 'second' } as never))).toBeCloseTo(0.75, 14);
});

test.each(['forward', 'rejection', 'MCMC'] as const)('and under %s', (method) => {
  const posterior = Infer({ method, samples: 50, model });
  for (const { value } of posterior.samples!) {
    const table = value as unknown as Record<string, unknown>;
    expect(Object.keys(table)).toEqual(table.a ? ['a', 'only if a', 'b'] : ['a', 'b']);
  }
});

test('nothing is left of it outside', () => {
  Infer({ method: 'enumerate', model });
  expect(query.table()).toEqual({});
  query.add('x', 1);
  expect(query.get('x')).toBe(1);
  expect(query.get('a')).toBeUndefined();
});

test('a name is needed', () => {
  expect(() => query.add({ b: 2 } as never, undefined)).toThrow(
    "query.add needs a name and a value, as in query.add('x', 3); got an object with b as name.",
  );
});
