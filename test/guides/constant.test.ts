/** Guides whose parameters are plain numbers: their values are nodes where data run side by side, and in recorded steps. */
import { expect, test } from 'vitest';
import '../../src/lifting/linkage.ts';
import { dimsOf } from '../../src/guides/drawn-dims.ts';
import { mapData } from '../../src/library/map-data.ts';
import { Optimize } from '../../src/optimize/front.ts';
import type { Distribution } from '../../src/runtime/handler.ts';
import { startRun } from '../../src/runtime/machine.ts';
import { sample } from '../../src/runtime/primitives.ts';
import * as table from '../distributions/table.ts';
import { quietRun } from '../program/quiet-run.ts';

interface Pair {
  readonly target: Distribution<unknown>;
  readonly guide: Distribution<unknown>;
}

const transformed = (guide: Distribution<unknown>): boolean => 'transform' in guide;

const supportOf = (of: Distribution<unknown>): string => Object.values(of.support?.() ?? {}).join();

/** A row of each family whose values are a transform of noise: the first of its parameters guides the last with the same support and dims. */
const PAIRS = table.ALL.flatMap((row): [string, Pair][] => {
  const all = row.params.map((params) => table.build(row, params));
  const [guide] = all;
  const target = all.findLast(
    (one) => supportOf(one) === supportOf(guide) && String(dimsOf(one)) === String(dimsOf(guide)),
  )!;
  return transformed(guide) ? [[row.family, { guide, target }]] : [];
});

function historyOf({ guide, target }: Pair, sequential: boolean): readonly number[] {
  const warnings: string[] = [];
  startRun({ ...quietRun(5), engine: { sequential }, warn: (text: string) => void warnings.push(text) });
  let history: readonly number[] = [];
  Optimize(
    () => {
      mapData({ data: [1, 2, 3, 4, 5] }, () => sample(target, { guide }));
    },
    {
      steps: 4,
      skipBadSteps: Infinity,
      onFinish: (result: { history: readonly number[] }) => {
        history = result.history;
      },
    },
  );
  expect(warnings.filter((text) => text.includes('itself failed'))).toEqual([]);
  return history;
}

test('there are such families', () => expect(PAIRS.length).toBeGreaterThan(10));

test.each(PAIRS)('%s', (_name, pair) => {
  const [together, apart] = [historyOf(pair, false), historyOf(pair, true)];
  expect(together.length).toBe(apart.length);
  together.forEach((objective, i) => {
    expect(Math.abs(objective - apart[i])).toBeLessThan(1e-8 * Math.max(1, Math.abs(apart[i])));
  });
});
