/** Goals of amortised inference are decided by numbers. */
import { expect, test } from 'vitest';
import { amortizeProblems } from '../../src/reproduce/amortize/problems.ts';
import type { Experiment } from '../../src/reproduce/experiment.ts';
import { amortizeSuite } from '../../src/reproduce/suites.ts';

const parameters = [{ name: 'mu', mean: 4.4, reference: 4.41, errors: -0.5 }];
const ecdf = { at: [0.5], value: [0], lower: [-0.1], upper: [0.1] };
const quantities = [{ name: 'k', finding: 'calibrated', inBand: true, gain: 1, ecdf }];
const calibration = { label: 'clusters', simulations: 500, verdict: '', draws: 300, quantities };

test.each([
  ['hmm', { samples: 10_000, runs: [{ ess: 0.92, distance: 0.0055 }] }, [true, true]],
  ['hmm', { samples: 10_000, runs: [{ ess: 0.8, distance: 0.0075 }] }, [false, false]],
  ['marsaglia-1', { name: 'N(1, 5)', ess: 0.7, evidence: 1.004, error: 0.004 }, [true, true]],
  ['marsaglia-2', { name: 'N(0, 1)', ess: 0.4, evidence: 0.98, error: 0.004 }, [false, false]],
  ['slcp', { task: 'slcp', observations: [{ amortized: 0.62, weighed: 0.52, ess: 9000 }] }, [true, true]],
  ['slcp', { task: 'slcp', observations: [{ amortized: 0.7, weighed: 0.6, ess: 9 }] }, [false, false]],
  ['two-moons', { task: 'two_moons', missing: true }, [undefined, undefined]],
  ['eight-schools', { name: 'eight-schools', samples: 10, ess: 5, khat: 0.4, parameters }, [true, true]],
  ['eight-schools', { name: 'eight-schools', samples: 10, ess: 1, khat: null, parameters }, [false, false]],
  ['clusters', { ...calibration, calibrated: true }, [true]],
  ['clusters', { ...calibration, calibrated: false }, [false]],
])('%s: %j', (name, run, verdicts) => {
  const experiment = amortizeProblems.find((one) => one.name === name) as unknown as Experiment<unknown>;
  const { claims } = experiment.chapter({ runs: { network: [run] }, data: { description: '' }, scale: 'full' });
  expect(claims.map(({ met }) => met)).toEqual(verdicts);
});

test('the suite names all problems', () => {
  expect(amortizeSuite.experiments).toEqual(amortizeProblems.map(({ name }) => name));
});
