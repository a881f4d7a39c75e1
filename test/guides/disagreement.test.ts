/** Guides that draw what their choice can never be are errors; those that leave something out are worth a warning. Both say where. */
import { describe, expect, test } from 'vitest';
import { failure, runProgram } from '../optimize/run-optimize.ts';

/** A distribution of each kind. */
const KINDS: Readonly<Record<string, string>> = {
  real: 'Gaussian({mu: 0, sigma: 1})',
  positive: 'Gamma({shape: 2, scale: 1})',
  interval: 'Uniform({a: 0, b: 1})',
  natural: 'Poisson({mu: 2})',
  integer: 'RandomInteger({n: 4})',
  fewer: 'Discrete({ps: [0.3, 0.7]})',
  coin: 'Bernoulli({p: 0.3})',
  words: "Categorical({vs: ['a', 'b'], ps: [0.5, 0.5]})",
  simplex: 'Dirichlet({alpha: Vector([1, 1])})',
  'longer simplex': 'LogisticNormal({mu: Vector([0, 0]), sigma: Vector([1, 1])})',
  vector: 'DiagCovGaussian({mu: Vector([0, 0]), sigma: Vector([1, 1])})',
  'longer vector': 'MultivariateGaussian({mu: Vector([0, 0, 0]), cov: idMatrix(3)})',
  matrix: 'TensorGaussian({mu: 0, sigma: 1, dims: [2, 2]})',
  coins: 'MultivariateBernoulli({ps: Vector([0.5, 0.5])})',
};

/** Targets by kind, with the guides that do, or that are warned of; all others are errors. */
const FIT: Readonly<Record<string, { does: readonly string[]; warns?: readonly string[] }>> = {
  real: { does: ['real'], warns: ['positive', 'interval'] },
  positive: { does: ['positive'], warns: ['interval'] },
  interval: { does: ['interval'] },
  natural: { does: ['natural'], warns: ['integer', 'fewer'] },
  integer: { does: ['integer'], warns: ['fewer'] },
  fewer: { does: ['fewer'] },
  // 0 and 1 are false and true.
  coin: { does: ['coin', 'fewer'] },
  words: { does: ['words'] },
  simplex: { does: ['simplex'] },
  'longer simplex': { does: ['longer simplex'] },
  // Vectors of probabilities are vectors, and leave most of them out.
  vector: { does: ['vector', 'simplex'] },
  'longer vector': { does: ['longer vector', 'longer simplex'] },
  matrix: { does: ['matrix'] },
  coins: { does: ['coins'] },
};

describe('each kind by each', () => {
  test.each(Object.keys(KINDS))('%s', async (kind) => {
    for (const other of Object.keys(KINDS)) {
      const code = `var model = function() { return sample(${KINDS[kind]}, {guide: ${KINDS[other]}}); };
        Infer({method: 'importance', guide: true, samples: 1, model: model})`;
      const { does, warns } = FIT[kind];
      const what = `${kind} by ${other}`;
      if (does.includes(other) || warns?.includes(other)) {
        const told = (await runProgram(code)).warnings.filter((line) => line.includes('will not be found'));
        expect(told, what).toHaveLength(warns?.includes(other) ? 1 : 0);
      } else expect(await failure(code), what).toMatch(/^\w+ cannot guide \w+: .*\(The choice is at program\.wppl:1:\d+, its guide at program\.wppl:1:\d+\.\)$/); // biome-ignore format: a line for each
    }
  });
});

describe('what is said', () => {
  const model = (target: string, guide: string): string =>
    `var model = function() { sample(${target}, {guide: ${guide}}); };\nOptimize(model, {steps: 2, checkGradients: false})`;
  test.each([
    ['RandomInteger({n: 3})', 'RandomInteger({n: 5})', 'it may draw 3, which the target never is.'],
    ['Binomial({n: 3, p: 0.5})', 'Poisson({mu: 1})', 'it may draw 4 or more, which the target never is.'],
    ["Categorical({vs: ['a', 'b']})", "Categorical({vs: ['b', 'c']})", 'it may draw the string "c", which the target never is.'],
    ['Dirichlet({alpha: Vector([1, 1])})', 'Dirichlet({alpha: Vector([1, 1, 1])})', 'it draws vectors of length 3, and the target is over vectors of length 2.'],
    ['DiagCovGaussian({mu: Vector([0]), sigma: Vector([1])})', "DiagCovGaussian({mu: param({dims: [2, 1], name: 'm'}), sigma: Vector([1, 1])})", 'it draws vectors of length 2, and the target is over vectors of length 1.'],
    ['Gamma({shape: 1, scale: 1})', 'Mixture({dists: [Gamma({shape: 1, scale: 1}), Gaussian({mu: 0, sigma: 1})], ps: [1, 1]})', 'it draws values from (-Infinity, Infinity), and the target allows only (0, Infinity).'],
    ['Gamma({shape: 1, scale: 1})', 'function() { return flip(0.5) ? Gamma({shape: 1, scale: 1}) : Gaussian({mu: 0, sigma: 1}); }', 'it draws values from (-Infinity, Infinity), and the target allows only (0, Infinity).'],
  ])('%s by %s', async (target, guide, message) => {
    expect(await failure(model(target, guide))).toContain(message);
  }); // biome-ignore format: a table

  const told = async (target: string, guide: string): Promise<string[]> =>
    (await runProgram(model(target, guide))).warnings.filter((line) => line.includes('will not be found'));

  test('nothing, of networks of each datum', async () => {
    const code = `var net = function(y, n) { return linear('l' + n, {in: 1, out: n})(Vector([y])); };
    var model = function() {
      mapData({data: [0.5, 1, 2]}, function(y) {
        var k = sample(RandomInteger({n: 3}), {guide: Discrete({ps: softmax(net(y, 3))})});
        var x = sample(DiagCovGaussian({mu: Vector([0, 0]), sigma: Vector([1, 1])}), {guide: DiagCovGaussian({mu: net(y, 2), sigma: Vector([1, 1])})});
        var p = sample(Dirichlet({alpha: Vector([1, 1, 1])}), {guide: LogisticNormal({mu: net(y, 2), sigma: Vector([1, 1])})});
        observe(Gaussian({mu: k + T.get(x, 0) + T.get(p, 0), sigma: 1}), y);
      });
    };
    Optimize(model, {steps: 2, checkGradients: false})`;
    expect((await runProgram(code)).warnings).toEqual([]);
  });

  test('nothing, of values that are there and never come', async () => {
    const guide = 'Discrete({ps: [0.5, 0.5, 0]})';
    expect(await told('RandomInteger({n: 2})', guide)).toEqual([]);
    expect(await told(guide, 'RandomInteger({n: 2})')).toEqual([]);
  });

  test('nothing, of components that together leave nothing out', async () => {
    const halves = '{dists: [Uniform({a: 0, b: 1}), Uniform({a: 0, b: 1})], ps: [1, 1]}';
    const guide = `function() { return Uniform({a: flip(0.5) ? 0 : 0.2, b: 1}); }`;
    expect(await told('Uniform({a: 0, b: 1})', `Mixture(${halves})`)).toEqual([]);
    expect(await told('Uniform({a: 0, b: 1})', guide)).toEqual([]);
  });
});

describe('where', () => {
  test.each([
    ['in a function', 'var model = function() {\n  sample(Beta({a: 1, b: 1}), {\n    guide: function() {\n      return Gaussian({mu: 0, sigma: 1});\n    }\n  });\n};', '2:3', '4:14'],
    ['behind a name', 'var q = Gaussian({mu: 0, sigma: 1});\nvar model = function() {\n  mapData({data: [1, 2, 3]}, function(y) { sample(Beta({a: 1, b: 1}), {guide: q}); });\n};', '3:44', '1:9'],
    ['in a function of a name', 'var q = function() { return Gaussian({mu: 0, sigma: 1}); };\nvar model = function() { sample(Beta({a: 1, b: 1}), {guide: q}); };', '2:26', '1:29'],
  ])('%s', async (_, code, choice, guide) => {
    const message = `(The choice is at program.wppl:${choice}, its guide at program.wppl:${guide}.)`;
    expect(await failure(`${code}\nOptimize(model, {steps: 2})`)).toContain(message);
    expect(await failure(`${code}\nInfer({method: 'SMC', particles: 20, model: model})`)).toContain(message);
  }); // biome-ignore format: a table

  test('what runs first and is used by the model, or by nobody', async () => {
    const model = (use: string): string =>
      `var model = function() {\n  var found = guide(function() { return param({name: 'a'}); });\n  ${use}\n};\n`;
    const used = model('observe(Gaussian({mu: found(), sigma: 1}), 1);');
    for (const call of ['Optimize(model, {steps: 2})', "Infer({method: 'forward', samples: 2, model: model})", "Infer({method: 'MCMC', samples: 2, model: model})"]) {
      expect(await failure(used + call)).toMatch(/^What guide \(program\.wppl:2:15\) has found is for guides alone/);
    } // biome-ignore format: a list
    const { warnings } = await runProgram(`${model('sample(Gaussian({mu: 0, sigma: 1}));')}Optimize(model, {steps: 2, checkGradients: false})`); // biome-ignore format: one thought
    expect(warnings[0]).toMatch(/^What guide \(program\.wppl:2:15\) returns is used by no guide\./);
  });

  test('a function that takes a datum, and there is none', async () => {
    expect(await failure('Optimize(function() { guide(function(d) { return d; }); }, {steps: 1})')).toContain('there is no mapData around it');
  }); // biome-ignore format: one thought
});
