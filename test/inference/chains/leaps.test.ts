/** Steps of chains made at once: the samples are those of steps made one at a time, which somebody watches. */
import { describe, expect, test } from 'vitest';
import { ChainSamples } from '../../../src/inference/chains/chain-samples.ts';
import { runProgram } from './hamiltonian/programs.ts';

const MODEL = `
  var model = function() {
    var mean = gaussian(0, 2);
    var spread = gamma(2, 1);
    map(function(y) { observe(Gaussian({mu: mean, sigma: spread + 0.1}), y); }, _.range(12));
    return RETURNED;
  };`;

const samplesOf = (kernel: string, options: string, returned: string, watched: boolean): Promise<unknown> =>
  scored(MODEL.replace('RETURNED', returned), kernel, options, watched);

async function scored(model: string, kernel: string, options: string, watched: boolean): Promise<unknown> {
  const callbacks = watched ? ', callbacks: [{}]' : '';
  const infer = `Infer({method: 'MCMC', kernel: ${kernel}, ${options}${callbacks}, model: model})`;
  const { value: result } = await runProgram(`${model}\n${infer}`, 7);
  // Scores of executions and those read off a recording may differ in the last digits.
  const samples = result.samples!.map(({ value, score }) => ({ value, score: score!.toFixed(9) }));
  return { samples, acceptance: result.diagnostics!.acceptance };
}

describe.each(['{HMC: {steps: 3, stepSize: 0.1}}', "'NUTS'", "'MH'"])('%s', (kernel) => {
  test.each([
    'samples: 600',
    'samples: 200, lag: 2',
    'samples: 250, lag: 1, burn: 100',
    'samples: 100, lag: 6, burn: 3, chains: 2',
    'samples: 600, onlyMAP: true',
  ])('%s', async (options) => {
    const several = '{both: [mean / spread, Math.exp(spread)], large: mean > 1.5, always: 3}';
    for (const returned of ['mean', '[mean, spread]', several, '7', 'mean > 1.5 ? mean : "low"']) {
      const watched = await samplesOf(kernel, options, returned, true);
      expect(await samplesOf(kernel, options, returned, false)).toEqual(watched);
    }
  });
});

test.each([
  ['a number', 'x * k'],
  ['a truth value', 'on'],
  ['what holds both', '{x: x, on: on, k: k}'],
  ['the same always', '"done"'],
])('discrete choices and branches, for a model that returns %s', async (_, returned) => {
  const model = `
    var model = function() {
      var k = randomInteger(4);
      var on = flip(0.4);
      var x = gaussian(0, 1);
      factor(on ? -x * x : x > 1.2 ? -k : k * x);
      condition(k > 0 || x > -2);
      return ${returned};
    };`;
  for (const options of ['samples: 700', 'samples: 300, lag: 2, burn: 5']) {
    const run = (watched: boolean): Promise<unknown> => scored(model, "'MH'", options, watched);
    expect(await run(false)).toEqual(await run(true));
  }
});

test('samples of a chain are numbers until one is not', () => {
  const [numbers, mixed] = [new ChainSamples<unknown>(2, [], false), new ChainSamples<unknown>(2, [], false)];
  for (const [i, value] of [1, -0, Number.NaN].entries()) numbers.add(value, i);
  for (const [i, value] of [1, 'two', 3].entries()) mixed.add(value, 3 + i);
  expect(ChainSamples.all([numbers])).toMatchObject({ values: Float64Array.of(1, -0, Number.NaN) });
  expect(ChainSamples.all([numbers, mixed])).toMatchObject({
    values: [1, -0, Number.NaN, 1, 'two', 3],
    scores: Float64Array.of(0, 1, 2, 3, 4, 5),
  });
});
