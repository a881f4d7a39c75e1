import { describe, expect, test } from 'vitest';
import { betterCore } from '../../src/tensor/blas-core.ts';

const flags = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const SERVER = flags('sse2 avx avx2 fma avx512f avx512cd avx512bw avx512dq avx512vl amx_tile');

describe('the core of OpenBLAS', () => {
  test('is another where an old version does not know a new processor', () => {
    expect(betterCore('Prescott', SERVER)).toBe('SkylakeX');
    expect(betterCore('Nehalem', flags('sse2 avx avx2 fma'))).toBe('Haswell');
    // The vectors of 512 bits of its first processors cannot do all that the core needs.
    expect(betterCore('Prescott', flags('avx avx2 fma avx512f avx512cd'))).toBe('Haswell');
  });

  test('is another where the library knows an older processor of the same maker', () => {
    expect(betterCore('Zen', SERVER)).toBe('SkylakeX');
    expect(betterCore('Haswell', SERVER)).toBe('SkylakeX');
    expect(betterCore('Haswell', flags('avx avx2 fma avx512f avx512cd'))).toBeUndefined();
  });

  test('stays where it fits, where the processor is old, and where nothing is known of it', () => {
    expect(betterCore('SkylakeX', SERVER)).toBeUndefined();
    expect(betterCore('Zen', flags('sse2 avx avx2 fma'))).toBeUndefined();
    expect(betterCore('Haswell', flags('sse2 avx avx2 fma'))).toBeUndefined();
    expect(betterCore('Nehalem', flags('sse2 avx'))).toBeUndefined();
    expect(betterCore('Prescott', new Set())).toBeUndefined();
  });
});
