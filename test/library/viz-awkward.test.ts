/** Drawings of whatever there is: never NaN in a chart, never an error that is not for the author of the program. */
import { beforeEach, describe, expect, test } from 'vitest';
import { SampleBasedMarginal } from '../../src/distributions/index.ts';
import { Vector, viz } from '../../src/library/index.ts';
import { show } from '../../src/library/show/value.ts';
import type { Chart } from '../../src/library/viz/chart.ts';
import { blocksOf } from '../../src/report/values.ts';
import { WaymarkError } from '../../src/runtime/errors.ts';
import { RandomStream } from '../../src/runtime/random.ts';
import { type RecordedRun, recordedRun } from './run.ts';

let run: RecordedRun;
beforeEach(() => {
  run = recordedRun(8);
});

const stream = RandomStream.fromSeed(11);
const pick = <T>(items: readonly T[]): T => items[stream.begin().integer(items.length)];
const uniform = (): number => stream.begin().uniform();

const LEAVES: (() => unknown)[] = [
  uniform,
  () => uniform() * 1e300,
  () => uniform() * 1e-300,
  () => pick([0, 1, 2]),
  () => pick([true, false]),
  () => pick(['a', 'b|c', '', '__proto__', '<b>', 'line\nbreak']),
  () => pick([Number.NaN, 1.5, 2.5]),
  () => pick([Infinity, -Infinity, 0.5]),
  () => pick([null, undefined, uniform()]),
  () => 3,
  () => Vector([uniform(), uniform()]),
];

/** A way to make values of one shape. */
function shape(depth: number): () => unknown {
  const kind = depth === 0 ? 0 : stream.begin().integer(4);
  if (kind <= 1) return pick(LEAVES);
  const parts = Array.from({ length: 1 + stream.begin().integer(3) }, () => shape(depth - 1));
  if (kind === 2) return () => parts.map((part) => part());
  const names = ['x', 'y.z', '[0]', 'constructor'];
  return () => Object.fromEntries(parts.map((part, i) => [names[i], part()]));
}

const DRAWINGS = Object.entries(viz).filter(([name]) => name !== 'predictive') as [string, (data: unknown) => void][];

/** Null is what JSON makes of NaN; in these fields it means none. */
const hasHoles = (spec: unknown): boolean =>
  JSON.stringify(spec)
    .replace(/"(?:title|sort|legend|stack|stroke)":null/g, '')
    .includes(':null');

describe('values of any shape', () => {
  test.each(Array.from({ length: 60 }, (_, i) => i))('number %i', () => {
    const value = shape(2);
    const length = pick([1, 2, 7, 40, 130]);
    const values = Array.from({ length }, () => value());
    const dist = new SampleBasedMarginal(
      values.map((one) => ({ value: one })),
      pick([{}, { diagnostics: { acceptance: 0.4 } }, { weights: values.map(() => -uniform()) }]),
    );
    expect(typeof show(dist)).toBe('string');
    expect(blocksOf(dist, show(dist)).length).toBeGreaterThan(0);
    for (const data of [values, dist]) {
      for (const [name, draw] of DRAWINGS) {
        const before = run.values.length;
        try {
          draw(data);
        } catch (thrown) {
          // What cannot be drawn so is said.
          if (!(thrown instanceof WaymarkError)) throw new Error(`viz.${name} of ${show(values[0])}: ${thrown}`);
          continue;
        }
        const { spec } = run.values[before] as Chart;
        expect([name, show(values.slice(0, 3)), hasHoles(spec)]).toEqual([name, show(values.slice(0, 3)), false]);
      }
    }
  });
});
