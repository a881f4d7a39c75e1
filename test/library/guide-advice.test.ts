import { describe, expect, test } from 'vitest';
import { badWeights, badWeightsOfSome } from '../../src/inference/diagnostics/advice.ts';
import { run } from '../../src/program/run.ts';

/** Two data with a guide whose spread is `sigma`; that of their posteriors is 0.71. */
const model = (sigma: number): string => `
  var body = function(y) {
    var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: y / 2, sigma: ${sigma}})});
    observe(Gaussian({mu: x, sigma: 1}), y);
    return x;
  };
  var model = function() { return mapData({data: [1, 2]}, body); };`;

async function warned(code: string): Promise<{ warnings: string[]; texts: string[] }> {
  const warnings: string[] = [];
  const { outputs } = await run(code, { seed: 1, warn: (text) => warnings.push(text), output() {} });
  return { warnings, texts: outputs.map(({ text }) => text) };
}

describe('a guide that does not reach its posterior is told', () => {
  test('by posteriors, once for all data', async () => {
    const { warnings } = await warned(`${model(0.1)} posteriors(model, {samples: 2000})`);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /^posteriors: Pareto k̂ is above 0\.7 for [12] of 2 data \(index [01, ]+\): the guide does not reach/,
    );
    expect((await warned(`${model(1)} posteriors(model, {samples: 500})`)).warnings).toEqual([]);
    // Nothing is weighed.
    expect((await warned(`${model(0.2)} posteriors(model, {samples: 500, method: 'forward'})`)).warnings).toEqual([]);
  });

  test('by evidence', async () => {
    const { warnings } = await warned(`${model(0.1)} evidence(model, {samples: 2000})`);
    expect(warnings).toEqual([
      expect.stringMatching(/^evidence: Pareto k̂ is \d\.\d\d, above 0\.7, and the samples are worth/),
    ]);
  });

  test('where a posterior is shown', async () => {
    const shown = (sigma: number): string =>
      `${model(sigma)} display(Infer({method: 'importance', guide: true, samples: 500, model: function() { return body(1); }}))`;
    expect((await warned(shown(0.2))).texts[0]).toMatch(
      /unreliable\):[\s\S]*\n {2}Pareto k̂ is [\s\S]*\n {2}Train it further, draw more samples/,
    );
    expect((await warned(shown(1))).texts[0]).not.toContain('Train it further');
  });
});

test('advice names the first data, and none where all is well', () => {
  expect(badWeights({ ess: 3.14, khat: 0.9 })).toContain('k̂ is 0.90, above 0.7, and the samples are worth 3.1:');
  for (const good of [{}, { khat: 0.7 }, { khat: Number.NaN }, { khat: 0.2, ess: 1 }])
    expect(badWeights(good)).toBeUndefined();
  expect(badWeightsOfSome('f', [0.9, 0.1, 0.8, 0.8, 0.8, 0.8, 0.8, undefined])).toContain(
    '6 of 8 data (index 0, 2, 3, 4, 5, …)',
  );
  expect(badWeightsOfSome('f', [0.1, Number.NaN])).toBeUndefined();
});
