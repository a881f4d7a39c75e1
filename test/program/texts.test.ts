/** Which texts programs get besides their plain one, and that a method finds its own however it was named. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../../src/program/index.ts';
import { type ProgramText, textsOf } from '../../src/program/load.ts';

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

/** The texts of a program: L for gradients, C for executions side by side, R for recordings. */
async function lettersOf(given: string | ProgramText): Promise<string> {
  const texts = await textsOf(typeof given === 'string' ? { code: given } : given);
  return [texts.lifted && 'L', texts.columns && 'C', texts.recording && 'R'].filter(Boolean).join('');
}

const M = 'var model = function() { return flip(0.5) };';

/** Programs, and which texts they get. */
const PROGRAMS: readonly [texts: string, code: string][] = [
  ['', '1 + 1'],
  ['', 'map(function(x) { return x + 1 }, [1, 2])'],
  ['', `${M} model()`],
  // Words that are no names of the library.
  ['', 'var bias = 0.3; bias + 1'],
  ['', '// Optimize with NUTS and MCMC\nflip(0.5)'],
  ['', "var param = 'MCMC'; [param, 'SMC', \"optimize\"]"],
  ['', 'var o = {nn: 1, linear: 2}; o.nn + o.linear'],
  ['', 'var f = function(guide) { return guide + 1 }; f(1)'],
  ['R', `${M} var SMC = 3; Infer({method: 'enumerate', model}).score(SMC)`],
  ['R', `${M} Infer({method: 'enumerate', model: function() { var affine = gaussian(0, 1); return 'forward' }})`],
  ['', `var Infer = function(o) { return o.method }; Infer({method: 'MCMC', kernel: 'NUTS'})`],
  // Each method.
  ['R', `${M} Infer({method: 'enumerate', model: model})`],
  ['R', `${M} Infer({method: 'MCMC', samples: 5, model: model})`],
  ['R', `${M} Infer(model, {method: 'MCMC', samples: 5})`],
  ['R', `${M} Infer({method: 'MCMC', samples: 5}, model)`],
  ['C', `${M} Infer({method: 'SMC', model})`],
  ['C', `${M} Infer({method: 'importance', model})`],
  ['C', `${M} Infer({method: 'forward', model})`],
  ['C', `${M} Infer({method: 'rejection', model})`],
  ['LC', `${M} Infer({method: 'optimize', model})`],
  ['', `${M} Infer({method: 'PMCMC', model})`],
  ['', `${M} Infer({method: 'incrementalMH', model})`],
  // None: it enumerates, rejects, or takes particles or a chain.
  ['CR', `${M} Infer(model)`],
  ['CR', `${M} Infer({model})`],
  ['CR', `${M} Infer({model, samples: 10})`],
  ['CR', `${M} Infer({method: undefined, model})`],
  ['CR', `${M} Infer({method: 'automatic', model})`],
  ['CR', 'var f = function(model) { return Infer(model) }; f(function() { return flip(0.5) })'],
  // Functions that stand for methods.
  ['R', `${M} Enumerate(model)`],
  ['R', `${M} MCMC(model, {samples: 5})`],
  ['R', `${M} MH(model, 5)`],
  ['C', `${M} SMC(model, {particles: 5})`],
  ['C', `${M} ParticleFilter(model, 5)`],
  ['C', `${M} ParticleFilterRejuv(model, 5, 2)`],
  ['C', `${M} ForwardSample(model)`],
  ['C', `${M} Rejection(model)`],
  ['CR', `${M} DefaultInfer(model)`],
  // Kernels.
  ['L', `${M} Infer({method: 'MCMC', kernel: 'NUTS', model})`],
  ['L', `${M} Infer({kernel: {HMC: {steps: 2}}, method: 'MCMC', model: function() { return {a: 1} }})`],
  ['L', `${M} var k = {HMC: {steps: 2}}; Infer({method: 'MCMC', kernel: k, model})`],
  ['L', `${M} MCMC(model, {kernel: 'HMConly'})`],
  ['LR', `${M} Infer({method: 'MCMC', kernel: 'HMC', model}); Infer({method: 'MCMC', model})`],
  ['R', `${M} Infer({method: 'MCMC', kernel: 'MH', model})`],
  ['LC', `${M} Infer({method: 'SMC', rejuvKernel: 'HMC', rejuvSteps: 1, model})`],
  ['LR', `${M} var k = _.fromPairs([['H' + 'MC', {steps: 2}]]); Infer({method: 'MCMC', kernel: k, model})`],
  // Guides and parameters.
  ['L', `${M} Optimize({steps: 1, model})`],
  ['L', "param({name: 'a'})"],
  ['L', "var net = nn.linear('a', {in: 1, out: 1}); net"],
  ['L', 'guide(function() { return 1 })'],
  ['LC', `${M} Infer({method: 'forward', guide: true, model})`],
  [
    'LC',
    "Infer({method: 'importance', model: function() { return sample(Bernoulli({p: 1}), {guide: Bernoulli({p: 1})}) }})",
  ],
  ['LC', `${M} Infer({method: 'SMC', importance: 'autoGuide', model})`],
  ['C', `${M} Infer({method: 'SMC', importance: 'ignoreGuide', model})`],
  ['LC', `${M} SampleGuide(model)`],
  ['L', "webpplEval('1')"],
  // Options in variables, fields, arguments, results, and put together.
  ['R', `${M} var m = 'MCMC'; Infer({method: m, model})`],
  ['CR', `${M} var m = flip(0.5) ? 'MCMC' : 'SMC'; Infer({method: m, model})`],
  ['R', `${M} var o = {method: 'MCMC', model: model}; Infer(o)`],
  ['R', `${M} var o = {method: 'MCMC'}; Infer(o, model)`],
  ['R', `${M} var o = {method: 'MCMC'}; Infer(model, o)`],
  ['R', `${M} var o = {method: 'MCMC'}; Infer({...o, model})`],
  ['L', `${M} var o = {method: 'MCMC', kernel: 'NUTS'}; Infer({...o, model})`],
  ['R', `${M} Infer(extend({method: 'MCMC'}, {model: model}))`],
  ['R', `${M} Infer(_.assign({method: 'MCMC'}, {model: model}))`],
  ['CR', `${M} Infer(extend({samples: 3}, {model: model}))`],
  ['C', `${M} var all = {quick: {method: 'SMC'}}; Infer(all.quick, model)`],
  ['R', `${M} var f = function(method) { return Infer({method, model}) }; f('MCMC')`],
  ['L', `${M} var f = function(o) { return Infer(o) }; f({method: 'MCMC', kernel: 'NUTS', model})`],
  ['CR', `${M} map(function(m) { return Infer({method: m, model}) }, ['MCMC', 'SMC'])`],
  ['CR', `${M} var f = function(m) { return Infer({method: m, model}) }; map(f, ['MCMC', 'SMC'])`],
  ['C', `${M} var make = function() { return {method: 'forward', model: model} }; Infer(make())`],
  ['R', `${M} var run = Infer; run({method: 'MCMC', model})`],
  // Chosen while the program runs.
  ['LCR', `${M} for (const method of ['MCMC', 'SMC']) { Infer({method, model}); }`],
  ['LCR', `${M} for (const [method] of [['MCMC', 1]]) { Infer({method, model}); }`],
  ['LCR', `${M} for (var m in {MCMC: 1}) { Infer({method: m, model: model}); }`],
  ['LCR', `${M} const {method} = JSON.parse('{"method": "MCMC"}'); Infer({method, model})`],
  ['LCR', `${M} const [method] = ['MCMC']; Infer({method, model})`],
  ['LCR', `${M} Infer({method: 'MC' + 'MC', model})`],
  ['LCR', `${M} var o = JSON.parse('{"method": "MCMC"}'); Infer(o, model)`],
  ['LCR', `${M} var o = _.zipObject(['meth' + 'od'], ['MC' + 'MC']); Infer(extend(o, {model: model}))`],
  ['LCR', `${M} Infer({['meth' + 'od']: 'MCMC', model})`],
  ['LCR', `${M} apply(Infer, [{method: 'MCMC', model}])`],
  ['LCR', `${M} var run = Infer; map(run, [model])`],
  ['LCR', `${M} var all = {infer: Infer}; all.infer({method: 'MCMC', model})`],
];

describe('the texts of', () => {
  test.each(PROGRAMS)('%s: %s', async (texts, code) => {
    expect(await lettersOf(code)).toBe(texts);
  });
});

const MODULE = 'const model = () => flip(0.5);';

/** Modules, with what they import in other files. */
const MODULES: readonly [texts: string, code: string, others?: Readonly<Record<string, string>>][] = [
  ['', 'const bias = 0.3; export default bias;'],
  ['R', `import { flip, Infer as I } from 'waymark'; ${MODULE} export default I({ method: 'MCMC', model });`],
  ['R', `import * as w from 'waymark'; const model = () => w.flip(0.5); export default w.Infer({ method: 'enumerate', model });`],
  ['L', `import * as w from 'waymark'; export default w.param({ name: 'a' });`],
  ['', `import * as w from 'waymark'; export default w.map((x: number) => x, [1]);`],
  ['LCR', `import * as w from 'waymark'; const { Infer } = w; export default Infer({ method: 'SMC', model: () => 1 });`],
  ['', `import type { Optimize } from 'waymark'; export default 1;`],
  ['L', `import { flip, Infer } from 'waymark'; import { options } from './other.ts'; ${MODULE} export default Infer(model, options);`,
    { 'other.ts': "export const options = { method: 'MCMC', kernel: 'NUTS' };" }],
  ['C', `import { Infer } from 'waymark'; import { model } from './other.ts'; export default Infer(model, { method: 'SMC' });`,
    { 'other.ts': "import { flip } from 'waymark'; export const model = () => flip(0.5);" }],
  ['CR', `import { Infer } from 'waymark'; import { model } from './other.wppl'; export default Infer(model);`,
    { 'other.wppl': 'var model = function() { return flip(0.5) };' }],
  ['R', `import { run } from './other.ts'; export default run({ method: 'MCMC', model: () => 1 });`,
    { 'other.ts': "import { Infer } from 'waymark'; export const run = (options: object) => Infer(options as never);" }],
  ['C', `import { Infer } from './other.ts'; export default Infer({ method: 'SMC', model: () => 1 });`,
    { 'other.ts': "export { Infer } from 'waymark';" }],
  ['LCR', `import { Infer } from 'waymark'; import options from './other.mjs'; export default Infer(options);`,
    { 'other.mjs': "export default { method: 'MCMC', model: () => 1 };" }],
]; // biome-ignore format: a table

describe('the texts of a module', () => {
  const folder = mkdtempSync(join(tmpdir(), 'texts-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(MODULES)('%s: %s', async (texts, code, others = {}) => {
    const own = mkdtempSync(join(folder, 'module-'));
    for (const [name, text] of Object.entries(others)) writeFileSync(join(own, name), text);
    expect(await lettersOf({ code, file: join(own, 'main.ts') })).toBe(texts);
  });
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

test.each([
  ["import { Gaussian, mapData, modelParam, observe, Optimize, T, Vector } from 'waymark';", 'model.ts'],
  ['', 'model.wppl'],
])('functions of T are no methods that change an object: %s', async (imports, file) => {
  const said: string[] = [];
  const code = `${imports}
    Optimize(() => { const w = modelParam({ name: 'w', dims: [2, 1] }); mapData({ data: [1, 2, 3] }, (y) => {
      observe(Gaussian({ mu: T.get(T.add(w, Vector([y, 1])), 0), sigma: 1 }), y); }); }, { steps: 2 });`;
  await run(code, { seed: 1, file, engine: { explainBatching: true }, warn: (line) => said.push(line) });
  expect(said.join('\n')).toContain('3 data side by side');
});
