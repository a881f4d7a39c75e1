/** `observe` of a value that is undefined by mistake. */
import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/index.ts';

async function warnings(code: string): Promise<string[]> {
  const said: string[] = [];
  await run(code, { seed: 1, warn: (line) => said.push(line) });
  return said.filter((line) => line.startsWith('observe at'));
}

const model = (observed: string): string => `function() {
  var mu = gaussian(0, 1);
  mapData({data: [{height: 1}, {height: 2}]}, function(datum) {
    observe(${observed});
  });
  return mu;
}`;
const MISSPELT = 'Gaussian({mu: mu, sigma: 1}), datum.hieght';

describe('a field that is misspelt', () => {
  test.each([
    ["Infer({method: 'importance', samples: 100, model: $})"],
    ["Infer({method: 'SMC', particles: 100, model: $})"],
    ["Infer({method: 'MCMC', samples: 700, model: $})"],
    ["Infer({method: 'MCMC', kernel: {HMC: {steps: 2, stepSize: 0.1}}, samples: 5, model: $})"],
    ["Infer({method: 'rejection', samples: 5, model: $})"],
    ['Optimize({steps: 2, model: $})'],
    ["Infer({method: 'incrementalMH', samples: 5, model: $})"],
  ])('%s', async (code) => {
    const said = await warnings(code.replace('$', model(MISSPELT)));
    expect(said).toEqual([
      'observe at program.wppl:4:5 was given undefined as the value, and drew one instead: nothing is learnt from it. Is the ' +
        'name of a field misspelt, or a datum missing? To draw on purpose, leave the value out: observe(dist).',
    ]);
  });
});

describe('a value that the distribution cannot give', () => {
  const given: readonly (readonly [string, string])[] = [
    ['NaN', 'NaN'],
    ['null', 'null'],
    ["'2'", 'the string "2"'],
  ];
  const ways = [
    "Infer({method: 'importance', samples: 1000, model: $})",
    "Infer({method: 'SMC', particles: 1000, model: $})",
    "Infer({method: 'MCMC', samples: 5, maxInitAttempts: 5, model: $})",
    "Infer({method: 'MCMC', kernel: 'NUTS', samples: 5, maxInitAttempts: 5, model: $})",
    "Infer({method: 'rejection', samples: 5, maxRejections: 5, model: $})",
    'Optimize({steps: 2, model: $})',
  ];
  test.each(ways.flatMap((way) => given.map(([text, told]) => [way, text, told])))(
    '%s of %s',
    async (way, text, told) => {
      const said: string[] = [];
      const code = way.replace('$', model(`Gaussian({mu: mu, sigma: 1}), datum.height > 1 ? ${text} : 1`));
      await expect(run(code, { seed: 1, warn: (line) => said.push(line) })).rejects.toThrow();
      expect(said.filter((line) => line.startsWith('observe at'))).toEqual([
        `observe at program.wppl:4:5 was given ${told}, which Gaussian cannot give: no execution that comes here is possible. ` +
          'Is a datum missing, or text where a number is meant? Leave such data out, or observe them without a value: observe(dist).',
      ]);
    },
  );
});

test('each place is named once', async () => {
  const two = model(`${MISSPELT}); observe(Gaussian({mu: mu, sigma: 2}), datum.width`);
  expect(await warnings(`Infer({method: 'importance', samples: 50, model: ${two}})`)).toHaveLength(2);
});

describe('nothing is said', () => {
  test.each([
    [
      'of values that are there',
      `Infer({method: 'importance', samples: 20, model: ${model('Gaussian({mu: mu, sigma: 1}), datum.height')}})`,
    ],
    [
      'where the value is left out',
      `Infer({method: 'importance', samples: 20, model: ${model('Gaussian({mu: mu, sigma: 1})')}})`,
    ],
    ['where data are made up', `Infer({method: 'forward', samples: 20, model: ${model(MISSPELT)}})`],
    ['outside inference', 'var f = function(y) { return observe(Gaussian({mu: 0, sigma: 1}), y) }; f(undefined)'],
    [
      'of null',
      "Infer({method: 'enumerate', model: function() { observe(Categorical({vs: [null, 1]}), null); return 1 }})",
    ],
  ])('%s', async (_when, code) => {
    expect(await warnings(code)).toEqual([]);
  });
});
