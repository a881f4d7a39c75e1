/** Claims of the problems beyond the paper: results that reach the goals meet them, and others do not. */
import { describe, expect, test } from 'vitest';
import { cone } from '../../src/reproduce/beyond/cone.ts';
import { rws } from '../../src/reproduce/beyond/rws.ts';
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
  expect(unmet(rws, runs(0.03, 0.05))).toEqual(['five samples and dreams find the weights of the mixture']);
  expect(unmet(rws, runs(0.01, 0.2))).toEqual(['and the guide is the posterior']);
});
