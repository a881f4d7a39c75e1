import { describe, expect, it } from 'vitest';
import { REFERENCE_SCORES } from './reference-scores.ts';
import { build } from './table.ts';

describe('scores', () => {
  it.each(REFERENCE_SCORES)('%s(%o) at %o', (family, params, value, expected) => {
    const score = build({ family }, params).score(value);
    expect(Math.abs(score - expected)).toBeLessThanOrEqual(1e-10 * Math.max(1, Math.abs(expected)));
  });
});
