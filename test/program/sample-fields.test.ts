import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';

const METHODS = {
  forward: "method: 'forward', samples: 300",
  'many of forward': "method: 'forward', samples: 40000",
  SMC: "method: 'SMC', particles: 200",
  MCMC: "method: 'MCMC', samples: 50",
  rejection: "method: 'rejection', samples: 60",
  importance: "method: 'importance', samples: 60",
};

const MODELS = {
  numbers: 'gaussian(0, 1)',
  'truth values': 'flip(0.3)',
  objects: '({x: flip(0.3), y: uniform(0, 1)})',
};

describe('one field of all samples is what the list of them has', () => {
  for (const [method, options] of Object.entries(METHODS)) {
    for (const [kind, value] of Object.entries(MODELS)) {
      test(`${kind} by ${method}`, async () => {
        const { value: result } = await run(
          `var dist = Infer({${options}, model() { return ${value}; }});
           var values = map(function(s) { return s.value; }, dist.samples);
           var scores = dist.samples.map(function(s) { return s.score; });
           ({values: values, scores: scores, samples: dist.samples,
             again: map(function(s) { return s.value; }, dist.samples)})`,
          { seed: 1 },
        );
        const { values, scores, samples, again } = result as Record<string, { value: unknown; score: unknown }[]>;
        expect(Array.isArray(values)).toBe(true);
        expect(values).toEqual(samples.map((sample) => sample.value));
        expect(scores).toEqual(samples.map((sample) => sample.score));
        expect(again).toEqual(values);
      });
    }
  }
});

test('each list is one of its own', async () => {
  const { value } = await run(
    `import { Infer, map, uniform } from 'waymark';
     const dist = Infer({ method: 'forward', samples: 20, model: () => uniform(0, 1) });
     const values = map((s) => s.value, dist.samples);
     values.push(2);
     export default [values.length, map((s) => s.value, dist.samples).length];`,
    { seed: 1, file: 'model.ts' },
  );
  expect(value).toEqual([21, 20]);
});

test('other objects may have samples', async () => {
  const { value } = await run(
    'var o = {samples: [{value: 1}, {value: 2}]}; map(function(s) { return s.value; }, o.samples)',
    {
      seed: 1,
    },
  );
  expect(value).toEqual([1, 2]);
});

test.each(['map(function(s) { return s.value; }, o.samples)', 'o.samples.map(function(s) { return s.value; })'])(
  'says where there is nothing: %s',
  async (code) => {
    await expect(run(`var o = undefined;\n${code}`, { seed: 1 })).rejects.toThrow(
      /Cannot read properties of undefined \(reading 'samples'\)[\s\S]*:2:/,
    );
    await expect(run(`var o = {samples: 3};\n${code}`, { seed: 1 })).rejects.toThrow(/:2:/);
  },
);
