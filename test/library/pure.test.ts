import { expect, test } from 'vitest';
import * as samplers from '../../src/distributions/samplers.ts';
import * as api from '../../src/index.ts';
import { callers, pureNames, pureObjects } from '../../src/library/pure.ts';

const names = api as unknown as Record<string, unknown>;

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
  ...['sample', 'observe', 'factor', 'condition', 'sampleWithFactor', 'setProposalBoundary'],
  ...['Infer', 'Optimize', 'OptimizeThenSample', 'dreamSample', 'forward', 'forwardGuide', 'SampleGuide'],
  ...['AIS', 'AsyncPF', 'DefaultInfer', 'Enumerate', 'ForwardSample', 'IncrementalMH', 'MCMC', 'MH', 'PMCMC'],
  ...['ParticleFilter', 'ParticleFilterRejuv', 'Rejection', 'SMC'],
  ...['param', 'modelParam', 'nneval', 'nnEval', 'nnevalModel', 'xavier', 'he'],
  ...['linear', 'bias', 'affine', 'rnn', 'gru', 'lstm', 'conv2d', 'maxPool', 'layerNorm', 'embedding'],
];

/** Distributions make no choice when they are made; the program's own scope knows them by their family. */
const CONSTRUCTORS = ['Marginal', 'SampleBasedMarginal', 'WaymarkError'];
const isDistribution = (value: unknown): boolean => typeof value === 'function' && 'family' in value;

test('every function of the library is either pure or needs an address', () => {
  const functions = Object.keys(names).filter(
    (name) => typeof names[name] === 'function' && !isDistribution(names[name]),
  );
  const known = [...pureNames, ...NEED_ADDRESSES, ...CONSTRUCTORS, ...Object.keys(samplers)];
  expect(known.sort()).toEqual(functions.sort());
});

test('pure objects are there', () => {
  const objects = Object.keys(names).filter((name) => typeof names[name] === 'object');
  for (const name of pureObjects) expect([...objects, 'viz']).toContain(name);
  expect(objects.sort()).toEqual([
    'T', 'ad', 'argv', 'dists', 'dp', 'globalStore', 'nn', 'numeric', 'query', 'schedules', 'util',
  ]); // biome-ignore format: one list
});

test('functions that call one of their arguments are there, and not pure', () => {
  for (const name of callers.keys()) expect(NEED_ADDRESSES).toContain(name);
});
