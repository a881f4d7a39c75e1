import { describe, expect, test } from 'vitest';
import { exactElbo, exactGradient } from './exact-elbo.ts';
import { expectMean, gradientMoments, modelOf, tableOf, totalVariance } from './gradient-samples.ts';
import { SMALL_PROGRAMS } from './programs.ts';

const STEPS = 450;
const SWITCHES = [true, false].flatMap((localWeights) =>
  [true, false].flatMap((avgBaselines) =>
    [true, false].map((removeZeroExpectation) => ({ localWeights, avgBaselines, removeZeroExpectation })),
  ),
);

/** All and none; the plain way another by turns, so that each combination is tried on a sixth of the programs. */
function switchesFor(turn: number, plain: boolean): typeof SWITCHES {
  const [all, ...others] = SWITCHES;
  const none = others.pop()!;
  return plain ? [all, none, others[(turn >> 1) % others.length]] : [all, none];
}

describe('the gradient of the ELBO has the exact one as its mean', () => {
  const cases = Object.entries(SMALL_PROGRAMS).flatMap(([name, program]) => [
    { name: `${name}, step by step`, plain: true, ...program },
    { name: `${name}, side by side and compiled`, plain: false, ...program },
  ]);
  test.each(cases.map((one, turn) => ({ ...one, turn })))('$name', async ({ code, params, plain, turn }) => {
    const model = await modelOf(code, plain);
    const table = tableOf(params);
    const exact = exactGradient(model, table);
    const elbo = exactElbo(model, table);
    for (const switches of switchesFor(turn, plain)) {
      const { gradients, objective } = gradientMoments(model, table, switches, STEPS, { steady: !plain });
      expectMean(objective.mean, objective.standardError, elbo, 'ELBO');
      for (const [name, slopes] of exact) {
        const { mean, standardError } = gradients.get(name)!;
        for (let k = 0; k < slopes.length; k++) {
          expectMean(mean[k], standardError[k], slopes[k], `${name}[${k}] with ${JSON.stringify(switches)}`);
        }
      }
    }
  });
});

test('several executions per step: the same mean, less spread', async () => {
  const { code, params } = SMALL_PROGRAMS['discrete after continuous'];
  const model = await modelOf(code);
  const table = tableOf(params);
  const exact = exactGradient(model, table);
  const one = gradientMoments(model, table, { samples: 1 }, STEPS);
  const five = gradientMoments(model, table, { samples: 5 }, STEPS);
  for (const [name, [slope]] of exact) {
    const { mean, standardError } = five.gradients.get(name)!;
    expectMean(mean[0], standardError[0], slope, name);
  }
  // A fifth of it, but for the noise of two estimates of a variance.
  const ratio = totalVariance(five.gradients) / totalVariance(one.gradients);
  expect(ratio).toBeGreaterThan(0.1);
  expect(ratio).toBeLessThan(0.4);
});

/** Diseases and symptoms: a noisy-or network, guided by one number per disease and symptom. */
const QMR = `
  var prior = [0.2, 0.1, 0.3, 0.15];
  var link = [[0.8, 0, 0.3, 0], [0, 0.9, 0, 0.4], [0.5, 0, 0, 0.7]];
  var data = [[true, false, false], [false, true, true], [true, true, false], [false, false, true]];
  var model = function() {
    mapData({data: data}, function(symptoms, i) {
      var diseases = mapIndexed(function(d, p) {
        return sample(Bernoulli({p: p}), {guide: Bernoulli({p: sigmoid(param({name: 'd' + d}) + param({name: 's' + i}))})});
      }, prior);
      mapData({data: symptoms}, function(symptom, s) {
        var off = product(mapIndexed(function(d, ill) { return ill ? 1 - link[s][d] : 1; }, diseases));
        observe(Bernoulli({p: 1 - 0.95 * off}), symptom);
      });
    });
  }; model`;

const QMR_PARAMS = { d0: 0.1, d1: -0.5, d2: 0.3, d3: -0.2, s0: 0.2, s1: -0.1, s2: 0.4, s3: 0 };

describe('each reduction lowers the variance', () => {
  const none = { localWeights: false, avgBaselines: false, removeZeroExpectation: false };
  const cases: [string, string, Record<string, number>][] = [
    ['a noisy-or network', QMR, QMR_PARAMS],
    [
      'nested data',
      SMALL_PROGRAMS['choices before, in and after nested data'].code,
      SMALL_PROGRAMS['choices before, in and after nested data'].params as Record<string, number>,
    ],
  ];
  test.each(cases)('%s', async (_name, code, params) => {
    const model = await modelOf(code);
    const table = tableOf(params);
    const spread = (switches: object): number =>
      totalVariance(gradientMoments(model, table, switches, STEPS, { warmUp: 50 }).gradients);
    const plain = spread(none);
    const local = spread({ ...none, localWeights: true });
    const centred = spread({ ...none, localWeights: true, avgBaselines: true });
    const all = spread({ localWeights: true, avgBaselines: true, removeZeroExpectation: true });
    expect(local).toBeLessThan(plain);
    expect(centred).toBeLessThan(local);
    expect(all).toBeLessThan(centred);
  });
});
