import { expect, test } from 'vitest';
import { didYouMean, nearest } from '../../src/runtime/errors.ts';

const NAMES = ['Gaussian', 'gaussian', 'gamma', 'Gamma', 'map', 'MAP', 'mapData', 'Infer', 'flip', 'T'];

test.each([
  ['gausian', 'gaussian'],
  ['Gausian', 'Gaussian'],
  ['GAUSSIAN', 'Gaussian'],
  ['gamm', 'gamma'],
  ['Gamm', 'Gamma'],
  ['Map', 'map'],
  ['infer', 'Infer'],
  ['mapdata', 'mapData'],
  ['fliip', 'flip'],
  ['somethingElse', undefined],
])('%s stands for %s, in whichever order names come', (slip, meant) => {
  for (const known of [NAMES, [...NAMES].reverse()]) expect(nearest(slip, known)).toBe(meant);
});

test('as users read it', () => {
  expect(didYouMean('gausian', NAMES)).toBe(" Did you mean 'gaussian'?");
  expect(didYouMean('somethingElse', NAMES)).toBe('');
});
