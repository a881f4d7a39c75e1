/** Which texts programs get besides their plain one, and that a method finds its own however it was named. */
import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/index.ts';
import { needsRecording } from '../../src/program/needs-columns.ts';
import { choosesMethods } from '../../src/program/unknown-methods.ts';

const MODEL = `var model = function() { var m = gaussian(0, 1); observe(Gaussian({mu: m, sigma: 1}), 1); return m };`;

/** Programs that name a method in some other way than by a literal among the options. */
const NAMED: readonly [string, string, RegExp][] = [
  ['a variable', `var m = 'MCMC'; Infer({method: m, samples: 600, model: model})`, /steps compute what was recorded/],
  ['parts of a name', `Infer({method: 'MC' + 'MC', samples: 600, model: model})`, /steps compute what was recorded/],
  [
    'an argument',
    `var f = function(method) { return Infer({method, samples: 600, model}) }; f('MCMC')`,
    /steps compute what was recorded/,
  ],
  [
    'options in a variable',
    `var o = {method: 'MCMC', samples: 600, model: model}; Infer(o)`,
    /steps compute what was recorded/,
  ],
  [
    'options from a function',
    `var f = function(m) { return {method: m, samples: 600, model: model} }; Infer(f('MC' + 'MC'))`,
    /steps compute what was recorded/,
  ],
  [
    'options from text',
    `var o = JSON.parse('{"meth' + 'od": "MC' + 'MC", "samples": 600}'); Infer(o, model)`,
    /steps compute what was recorded/,
  ],
  [
    'options put together',
    `var o = _.zipObject(['meth' + 'od', 'samples'], ['MC' + 'MC', 600]); Infer(extend(o, {model: model}))`,
    /steps compute what was recorded/,
  ],
  [
    'beside a kernel that follows gradients',
    `var m = 'MCMC'; var k = {HMC: {steps: 2, stepSize: 0.1}}; Infer({method: m, kernel: k, samples: 5, model: model}); Infer({method: m, samples: 600, model: model})`,
    /steps compute what was recorded/,
  ],
  [
    'importance by a variable',
    `var m = 'import' + 'ance'; Infer({method: m, samples: 300, model: model})`,
    /side by side/,
  ],
  [
    'a kernel by a part of its name',
    `var k = _.fromPairs([['H' + 'MC', {steps: 2, stepSize: 0.1}]]); Infer({method: 'MCMC', kernel: k, samples: 5, model: model})`,
    /HMC/,
  ],
];

describe('a method named by', () => {
  test.each(NAMED)('%s', async (_by, code, how) => {
    const said: string[] = [];
    await run(`${MODEL} ${code}`, { seed: 1, engine: { explainBatching: true }, warn: (line) => said.push(line) });
    expect(said.join('\n')).toMatch(how);
  });
});

describe('programs that choose methods while they run', () => {
  test.each([
    ['Infer({method: m, model})', true],
    ['Infer({method, model})', true],
    ['Infer({model, kernel: k, method: "MCMC"})', true],
    ['o.method = pick(); Infer(o)', true],
    ['Infer({...o, model})', true],
    ['Infer(makeOptions(3))', true],
    ['var o = JSON.parse(text); Infer(o)', true],
    ["Infer({method: 'MCMC', model})", false],
    ["Infer({method: 'MCMC', kernel: {HMC: {steps: 3}}, model: function() { return f(x) }})", false],
    ["Infer({method: 'enumerate'}, model)", false],
    ['var model = function() { return flip() }; Infer(model)', false],
    ["var o = {method: 'SMC', model: f}; Infer(o)", false],
    ['const model = () => flip(); Infer(model)', false],
    ['var f = function(model) { return Infer(model) }', false],
    ['// what method: any\nInfer(model)', false],
    ['map(f, xs)', false],
  ])('%s', (source, expected) => {
    expect(choosesMethods(source)).toBe(expected);
  });
});

test('recordings are for chains that follow no gradients', () => {
  expect(needsRecording("Infer({method: 'MCMC', samples: 5, kernel: {HMC: {steps: 2}}, model: f})")).toBe(false);
  expect(needsRecording("Infer({kernel: 'NUTS', model: function() { return {a: 1} }, method: 'MCMC'})")).toBe(false);
  expect(needsRecording("Infer({method: 'MCMC', kernel: 'HMC', model}); Infer({method: 'MCMC', model})")).toBe(true);
  expect(needsRecording("var m = 'MCMC'; var k = 'HMC'")).toBe(true);
});

describe('single chains that follow gradients say how they ran', () => {
  const NUMBER = 'var x = gaussian(0, 1); observe(Gaussian({mu: x, sigma: 1}), 1);';
  test.each([
    [NUMBER, 'trajectories compute what was recorded of one execution'],
    [`${NUMBER} if (x > 0.5) { factor(-x) };`, 'for each way through its branches'],
    [`${NUMBER} var b = flip(0.5);`, 'because there are discrete choices.'],
    ['var x = flip(0.5) ? 1 : 0;', 'there is no continuous choice, and so no trajectory.'],
  ])('%s', async (body, how) => {
    for (const kernel of ['{HMC: {steps: 3, stepSize: 0.3}}', "'NUTS'"]) {
      const said: string[] = [];
      const code = `Infer({method: 'MCMC', kernel: ${kernel}, samples: 60, burn: 20, model: function() { ${body} return x }})`;
      await run(code, { seed: 1, engine: { explainBatching: true }, warn: (line) => said.push(line) });
      expect(said.filter((line) => line.startsWith('How MCMC'))).toHaveLength(1);
      expect(said.join('\n')).toContain(how);
    }
  });
});
