import { describe, expect, it } from 'vitest';
import type { FamilyDefinition } from '../../src/distributions/family.ts';
import '../../src/lifting/distribution.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { scalar } from '../../src/tensor/leaves.ts';
import type { Node } from '../../src/tensor/node.ts';
import { draws } from './statistics.ts';
import { build, CONTINUOUS, LISTED, label, type Row, type Tested, WHOLE } from './table.ts';

type Params = Record<string, number>;

/** Names of the parameters that gradients flow into. */
function differentiable(dist: Tested<unknown>): string[] {
  const { family } = dist as unknown as { family: FamilyDefinition<Params, unknown> };
  return Object.keys(family.params).filter((name) => family.params[name].domain.kind === 'real' && name in dist.params);
}

/** The slope of f at x, from two sides. */
function slope(f: (x: number) => number, x: number): number {
  const h = 1e-5 * Math.max(1e-3, Math.abs(x));
  return (f(x + h) - f(x - h)) / (2 * h);
}

const casesOf = (rows: readonly Row[]) =>
  rows
    .flatMap((row) => row.params.map((params) => [label(row, params), row, params as Params] as const))
    .filter(([, row, params]) => 'family' in build(row, params) && differentiable(build(row, params)).length > 0)
    // At the ends of a domain there are no differences to both sides.
    .filter(([, , { p, n }]) => p !== 0 && p !== 1 && n !== 0);

describe.each([...casesOf(CONTINUOUS), ...casesOf(WHOLE), ...casesOf(LISTED)])(
  '%s under gradients',
  (_, row, params) => {
    const plain = build<number>(row, params);
    const names = differentiable(plain);
    const continuous = plain.isContinuous;

    it('scores as ever, with the slopes that differences show', () => {
      for (const x of draws(plain, 5, 3)) {
        const nodes = names.map((name) => scalar(params[name]));
        const lifted = build<number>(row, {
          ...params,
          ...Object.fromEntries(names.map((name, i) => [name, nodes[i]])),
        });
        const value = continuous ? scalar(x) : undefined;
        const score = lifted.score((value ?? x) as never) as unknown as Node;
        const expected = plain.score(x);
        expect(Math.abs((score.value() as number) - expected)).toBeLessThan(1e-9 * Math.max(1, Math.abs(expected)));
        const slopes = gradient(score, value === undefined ? nodes : [...nodes, value]).map((node) => node.value());
        names.forEach((name, i) => {
          const numeric = slope((p) => build<number>(row, { ...params, [name]: p }).score(x), params[name]);
          expect(Math.abs((slopes[i] as number) - numeric)).toBeLessThan(2e-4 * Math.max(1, Math.abs(numeric)));
        });
        if (value === undefined) continue;
        const numeric = slope((y) => plain.score(y), x);
        expect(Math.abs((slopes[names.length] as number) - numeric)).toBeLessThan(
          2e-4 * Math.max(1, Math.abs(numeric)),
        );
      }
    });

    if (plain.base !== undefined) {
      it('transforms noise with the slopes that differences show', () => {
        for (const noise of draws(plain.base!(), 5, 4)) {
          const nodes = names.map((name) => scalar(params[name]));
          const lifted = build<number>(row, {
            ...params,
            ...Object.fromEntries(names.map((name, i) => [name, nodes[i]])),
          });
          const made = lifted.transform!(noise) as unknown as Node;
          expect(made.value()).toBeCloseTo(plain.transform!(noise), 9);
          gradient(made, nodes).forEach((node, i) => {
            const numeric = slope(
              (p) => build<number>(row, { ...params, [names[i]]: p }).transform!(noise),
              params[names[i]],
            );
            expect(Math.abs((node.value() as number) - numeric)).toBeLessThan(2e-4 * Math.max(1, Math.abs(numeric)));
          });
        }
      });
    }
  },
);
