/** Helpers such as `gaussian(0, 1)` that make no distribution draw and score as those that do. */
import { describe, expect, test } from 'vitest';
import { Bernoulli, RandomInteger } from '../../../src/distributions/index.ts';
import * as samplers from '../../../src/distributions/samplers.ts';
import { Infer } from '../../../src/inference/infer.ts';
import { flip, uniformDraw } from '../../../src/library/choices.ts';
import { sample } from '../../../src/runtime/primitives.ts';
import { ALL, build, type Row } from '../../distributions/table.ts';
import { startTestRun } from '../test-run.ts';

const SAMPLES = 40;

/** Two choices an execution, so that the second starts from what the first has left of the stream. */
function drawn(method: 'forward' | 'importance', choose: () => unknown): unknown {
  startTestRun(1);
  const { samples } = Infer({ method, samples: SAMPLES, model: () => [choose(), choose()] }) as unknown as {
    samples: readonly { value: unknown; score: number }[];
  };
  expect(samples).toHaveLength(SAMPLES);
  return samples.map(({ value, score }) => [value, score]);
}

const helpers = new Map(Object.entries(samplers)) as Map<string, unknown>;
type Helper = (...positional: unknown[]) => unknown;

const helperOf = ({ family }: Row): Helper | undefined =>
  helpers.get(family[0].toLowerCase() + family.slice(1)) as Helper | undefined;

const rows = ALL.filter((row) => helperOf(row) !== undefined);

describe.each(['forward', 'importance'] as const)('%s', (method) => {
  test('there are helpers of most families', () => {
    expect(rows.length).toBeGreaterThan(ALL.length / 2);
  });

  test.each(rows)('$family', (row) => {
    const helper = helperOf(row)!;
    for (const params of row.params) {
      const expected = drawn(method, () => sample(build(row, params)));
      expect(drawn(method, () => helper(params))).toEqual(expected);
      const given = positional(row, params);
      // A lone object is the form with names.
      if (!isPlainObject(given[0])) expect(drawn(method, () => helper(...given))).toEqual(expected);
    }
  });

  test.each([0, 0.2, 1])('flip(%s)', (p) => {
    expect(drawn(method, () => flip(p))).toEqual(drawn(method, () => sample(Bernoulli({ p }))));
  });

  test('uniformDraw', () => {
    const items = ['a', 'b', 'c'];
    const expected = drawn(method, () => items[sample(RandomInteger({ n: 3 }))]);
    expect(drawn(method, () => uniformDraw(items))).toEqual(expected);
    expect(drawn(method, () => uniformDraw({ vs: items }))).toEqual(expected);
  });
});

const isPlainObject = (value: unknown): boolean =>
  Object(value) === value && Object.getPrototypeOf(value) === Object.prototype;

/** The parameters in the order in which the family names them. */
function positional(row: Row, params: object): unknown[] {
  const { family } = build(row, params) as unknown as { family: { params: object } };
  return Object.keys(family.params).map((name) => params[name as keyof typeof params]);
}
