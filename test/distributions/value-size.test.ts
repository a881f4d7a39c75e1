/** What families say of the size of their values, from their parameters alone, is the size of what they draw. */
import { expect, test } from 'vitest';
import { reals, wholeNumbers } from '../../src/distributions/value-kind.ts';
import { drawnCount, drawnDims, kindOf } from '../../src/guides/value-sizes.ts';
import { RandomStream } from '../../src/runtime/random.ts';
import { sizeOf } from '../../src/tensor/shape.ts';
import { Tensor } from '../../src/tensor/tensor.ts';
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
    if (kind === wholeNumbers) expect(drawnCount(distribution)).toBe(isNumbered ? support.length : Infinity);
  }
});
