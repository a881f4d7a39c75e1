import { describe, expect, it } from 'vitest';
import * as families from '../../src/distributions/index.ts';
import type { Distribution } from '../../src/runtime/handler.ts';
import { REFERENCE_SCORES } from './reference-scores.ts';

describe('scores', () => {
  it.each(REFERENCE_SCORES)('%s(%o) at %o', (name, params, value, expected) => {
    const make = families[name as keyof typeof families] as unknown as (params: object) => Distribution<unknown>;
    const score = make(params).score(value);
    expect(Math.abs(score - expected)).toBeLessThanOrEqual(1e-10 * Math.max(1, Math.abs(expected)));
  });
});
