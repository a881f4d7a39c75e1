/** Claims of the problems beyond the paper: results that reach the goals meet them, and others do not. */
import { describe, expect, test } from 'vitest';
import { air } from '../../src/reproduce/beyond/air.ts';
import { sbn2, sbn3 } from '../../src/reproduce/beyond/belief-networks.ts';
import { cone } from '../../src/reproduce/beyond/cone.ts';
import { dmm } from '../../src/reproduce/beyond/dmm.ts';
import { rws } from '../../src/reproduce/beyond/rws.ts';
import { ssvae } from '../../src/reproduce/beyond/ssvae.ts';
import type { DataDescription, Experiment, Runs } from '../../src/reproduce/experiment.ts';
import { experiments } from '../../src/reproduce/experiments.ts';
import { suites } from '../../src/reproduce/suites.ts';

function unmet<R>(experiment: Experiment<R>, runs: Runs<R>, facts: object = {}): string[] {
  const data = { description: 'data', ...facts } as DataDescription;
  return experiment
    .chapter({ runs, data, scale: 'full' })
    .claims.flatMap(({ claim, met }) => (met === true ? [] : claim));
}

test('the command knows every experiment, and no other', () => {
  expect(suites.flatMap((suite) => suite.experiments).sort()).toEqual(experiments.map(({ name }) => name).sort());
});

describe('cone', () => {
  const run = (bound: number) => [{ history: [-50, bound], bound }];
  const good = { 'mean-field': run(-8.1), iwae: run(-7.7), ring: run(-5.35) };
  const facts = { logEvidence: -5.3232 };

  test('goals that are reached', () => expect(unmet(cone, good, facts)).toEqual([]));

  test.each([
    ['mean-field', -8.5, 'independent Gaussians, ELBO: bound no worse than the best published'],
    ['iwae', -7.9, 'independent Gaussians, IWAE of 5: bound no worse than the best published'],
    ['ring', -5.7, 'a guide as round as the posterior: bound of at least −5.6'],
    // A bound that is larger than what it bounds is a fault.
    ['ring', -5.2, 'a guide as round as the posterior: bound of at least −5.6'],
  ])('%s at %d does not reach its goal', (name, bound, claim) => {
    expect(unmet(cone, { ...good, [name]: run(bound) }, facts)).toEqual([claim]);
  });
});

test('rws: both distances count', () => {
  const runs = (offWeights: number, offGuide: number) => {
    const own = [{ history: [-20, -5], offWeights, offGuide }];
    return { rws: own, dreams: own };
  };
  expect(unmet(rws, runs(0.01, 0.05))).toEqual([]);
  expect(unmet(rws, runs(0.03, 0.05))).toEqual(['five samples and a few dreams find the weights of the mixture']);
  expect(unmet(rws, runs(0.01, 0.2))).toEqual(['and the guide is the posterior']);
});

test('ssvae: each number of labels is held to its own accuracy', () => {
  const runs = (accuracies: readonly number[]) =>
    Object.fromEntries(
      ssvae.conditions.map(({ name }, i) => [name, [{ history: [-200, -100], accuracy: accuracies[i], before: 0.8 }]]),
    );
  expect(unmet(ssvae, runs([0.932, 0.944, 0.949, 0.958]))).toEqual([]);
  expect(unmet(ssvae, runs([0.9, 0.944, 0.949, 0.9]))).toEqual([
    '100 labels: as accurate as published',
    '3,000 labels: as accurate as published',
  ]);
});

test('air: things are counted as well as published', () => {
  const dark = [new Array<number>(50).fill(0)];
  const runs = (accuracy: number) => ({
    scenes: [{ history: [300, 700], accuracy, tested: 10_000, scenes: dark, explained: dark }],
  });
  expect(unmet(air, runs(0.988))).toEqual([]);
  expect(unmet(air, runs(0.986))).toEqual(['at least 98.7 % of scenes are counted right']);
});

test('dmm: the best of three bounds counts', () => {
  const runs = (testElbo: number, testIwae: number, testFiltered: number) => ({
    chorales: [{ history: [90, 8, 7], validElbo: 7, testElbo, samples: 20, testIwae, particles: 200, testFiltered }],
  });
  expect(unmet(dmm, runs(6.9, 6.79, 6.82))).toEqual([]);
  expect(unmet(dmm, runs(6.9, 6.82, 6.79))).toEqual([]);
  expect(unmet(dmm, runs(6.9, 6.81, 6.82))).toEqual(['test NLL of at most 6.80 nats per slice']);
});

test.each([
  [sbn2, 97.9, 98.1],
  [sbn3, 91.8, 92],
])('networks are held to their own goal', (experiment, good, bad) => {
  const runs = (testNll: number) => ({ iwae: [{ history: [-500, -100], testNll, images: 15_000 }] });
  expect(unmet(experiment, runs(good))).toEqual([]);
  expect(unmet(experiment, runs(bad))).toHaveLength(1);
});
