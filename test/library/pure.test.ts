import { expect, test } from 'vitest';
import * as lib from '../../src/library/index.ts';
import { callers, pureNames, pureObjects } from '../../src/library/pure.ts';

const names = lib as unknown as Record<string, unknown>;

/** Functions that call back into the program, make choices, or return functions that do. */
const NEED_ADDRESSES = [
  ...['map', 'map2', 'mapN', 'mapIndexed', 'mapObject', 'mapPairs', 'mapData', 'filter', 'repeat', 'forEach'],
  ...[
    'reduce',
    'foldl',
    'scan',
    'find',
    'all',
    'any',
    'sort',
    'sortOn',
    '_sort',
    '_merge',
    'minWith',
    'maxWith',
    'argMax',
  ],
  ...['groupBy', 'partition', 'span', 'countBy', 'compose', 'stack', 'apply', 'applyd', 'incrementalize'],
  ...['mem', 'cache', 'expectation', 'marginalize', 'correlation'],
  ...['flip', 'uniformDraw', 'guide', 'webpplEval', 'gaussianDrift', 'dirichletDrift', 'uniformDrift'],
  ...['makeBetaBernoulli', 'makeDirichletDiscrete'],
];

test('every function of the library is either pure or needs an address', () => {
  const functions = Object.keys(names).filter((name) => typeof names[name] === 'function');
  expect([...pureNames, ...NEED_ADDRESSES].sort()).toEqual(functions.sort());
});

test('pure objects are there', () => {
  const objects = Object.keys(names).filter((name) => typeof names[name] === 'object');
  for (const name of pureObjects) expect([...objects, 'viz']).toContain(name);
  expect(objects.sort()).toEqual(['T', 'ad', 'argv', 'dists', 'dp', 'globalStore', 'numeric', 'util']);
});

test('functions that call one of their arguments are there, and not pure', () => {
  for (const name of callers.keys()) expect(NEED_ADDRESSES).toContain(name);
});
