import { expect, test } from 'vitest';
import { coordinateOf, type RealCoordinate } from '../../src/amortize/coordinates.ts';
import { QuantileTables } from '../../src/amortize/quantile-tables.ts';
import { Beta, Cauchy, Exponential, Gamma, StudentT, Weibull } from '../../src/distributions/index.ts';
import type { Distribution } from '../../src/runtime/handler.ts';

test.each([
  Gamma({ shape: 5, scale: 0.2 }),
  Gamma({ shape: 0.3, scale: 2 }),
  Beta({ a: 0.5, b: 0.5 }),
  Beta({ a: 20, b: 3 }),
  Exponential({ a: 3 }),
  StudentT({ df: 3, location: 1, scale: 2 }),
  Cauchy({ location: 0, scale: 1 }),
  Weibull({ shape: 1.5, scale: 2 }),
] as unknown as Distribution<unknown>[])('a table gives the quantiles of $name, and their slopes', (target) => {
  const exact = coordinateOf(target) as RealCoordinate;
  const table = new QuantileTables().of(target, exact.from)!;
  for (let u = -4.99; u < 5; u += 0.0731) {
    const x = exact.from(u);
    const slope = (exact.from(u + 1e-4) - exact.from(u - 1e-4)) / 2e-4;
    expect(Math.abs(table.from(u) - x)).toBeLessThanOrEqual(1e-8 * slope + 1e-14 * Math.abs(x));
    const [before, after] = [table.from(u - 1e-4), table.from(u + 1e-4)];
    expect(before).toBeLessThanOrEqual(after);
    // What weights would be off by.
    if (slope > 1e-6) expect(Math.abs((after - before) / 2e-4 / slope - 1)).toBeLessThan(1e-4);
  }
});

test('values beyond the table, and priors with other parameters than numbers', () => {
  const target = Gamma({ shape: 2, scale: 1 }) as unknown as Distribution<unknown>;
  const tables = new QuantileTables();
  expect(tables.of(target, (u) => u)!.from(11.5)).toBe(11.5);
  const other = { ...target, params: { dists: [target] } } as unknown as Distribution<unknown>;
  expect(tables.of(other, (u) => u)).toBeUndefined();
});
