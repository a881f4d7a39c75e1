/** What families say of the size of their values, from their parameters alone, is the size of what they draw. */
import { expect, test } from 'vitest';
import { definitionOf, drawnCount, drawnDims, fewValues, kindOf } from '../../src/distributions/of-family.ts';
import { reals, wholeNumbers } from '../../src/distributions/value-kind.ts';
import { RandomStream } from '../../src/runtime/random.ts';
import { sizeOf } from '../../src/tensor/shape.ts';
import { Tensor, vector } from '../../src/tensor/tensor.ts';
import { ALL, build } from './table.ts';

test.each(ALL.map((row) => [row.family, row] as const))('%s', (_name, row) => {
  for (const [i, params] of row.params.entries()) {
    const distribution = build<unknown>(row, params);
    const drawn = distribution.draw(RandomStream.fromSeed(i).begin());
    const kind = kindOf(distribution);
    // (Those of KDE are of the kind of its data.)
    if (kind === undefined || row.family === 'KDE') continue;
    if (drawn instanceof Tensor) expect(drawnDims(distribution)).toEqual(drawn.dims);
    else if (Array.isArray(drawn)) expect(sizeOf(drawnDims(distribution)!)).toBe(drawn.length);
    else if (distribution.isContinuous) expect(kind).toBe(reals);
    const support = distribution.support?.();
    const isNumbered = Array.isArray(support) && support.every((value, k) => value === k);
    const counted = definitionOf(distribution)?.count?.(distribution.params);
    if (Array.isArray(support) && counted !== undefined) expect(counted).toBe(support.length);
    if (kind === wholeNumbers) expect(drawnCount(distribution)).toBe(isNumbered ? support.length : Infinity);
  }
});

test.each([
  ['MultivariateBernoulli', { ps: vector(new Array(18).fill(0.5)) }],
  ['MultivariateBernoulli', { ps: vector(new Array(60).fill(0.5)) }],
  ['Multinomial', { ps: vector([0.2, 0.3, 0.5]), n: 500 }],
  ['RandomInteger', { n: 50_000_000 }],
  ['BetaBinomial', { a: 1, b: 2, n: 1000 }],
])('the values of %s are not listed to find that they are many', (family, params) => {
  const distribution = build<unknown>({ family }, params);
  const isAsked = { support: () => expect.unreachable() };
  expect(fewValues(Object.assign(distribution, isAsked), 64)).toBeUndefined();
});
