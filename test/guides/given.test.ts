import { describe, expect, test } from 'vitest';
import { failure, numbersOf, runProgram } from '../optimize/run-optimize.ts';

/** Four numbers around an unknown mean, with deviation 1. */
const learn = (mu: string, samples = 1): string => `var model = function() {
  var mu = ${mu};
  mapData({data: [1, 2, 3, 4]}, function(y) { observe(Gaussian({mu: mu, sigma: 1}), y); });
};
Optimize(model, {
  steps: 3000,
  estimator: {ELBO: {samples: ${samples}}},
  optMethod: {adam: {stepSize: schedules.exponential({from: 0.1, rate: 0.998})}}
})`;

/** With one sample of the ELBO in a step, what is learned scatters by 0.01 from seed to seed: a tenth of that with so many. */
const MANY = 100;

describe('the three ways to learn of section 3.4', () => {
  test('maximum likelihood', async () => {
    for (const mu of [
      "sample(ImproperUniform(), {guide: Delta({v: param({name: 'm'})})})",
      "modelParam({name: 'm'})",
      "modelParam('m')",
    ]) {
      const { m } = numbersOf((await runProgram(learn(mu))).value);
      expect(m[0]).toBeCloseTo(2.5, 3);
    }
  });

  test('regularised', async () => {
    const code = learn("sample(Gaussian({mu: 0, sigma: 1}), {guide: Delta({v: param({name: 'm'})})})");
    const { m } = numbersOf((await runProgram(code)).value);
    expect(m[0]).toBeCloseTo(2, 3);
  });

  test('variational Bayes', async () => {
    const code = learn(
      `sample(Gaussian({mu: 0, sigma: 1}), {guide: function() {
      return Gaussian({mu: param({name: 'm'}), sigma: softplus(param({name: 's'}))});
    }})`,
      MANY,
    );
    const { m, s } = numbersOf((await runProgram(code)).value);
    expect(m[0]).toBeCloseTo(2, 2);
    expect(Math.log1p(Math.exp(s[0]))).toBeCloseTo(1 / Math.sqrt(5), 2);
  });

  test('the same by an automatic guide', async () => {
    const params = numbersOf((await runProgram(learn('gaussian(0, 1)', MANY))).value);
    const [mu, sigma] = ['$mu', '$sigma'].map((end) => params[Object.keys(params).find((name) => name.endsWith(end))!]);
    expect(mu[0]).toBeCloseTo(2, 2);
    expect(Math.log1p(Math.exp(sigma[0]))).toBeCloseTo(1 / Math.sqrt(5), 2);
  });
});

describe('guides', () => {
  test('of a function that infers: gradients pass through its enumeration', async () => {
    const { value } = await runProgram(`var model = function() {
      sample(Bernoulli({p: 0.8}), {guide: function() {
        return Infer({method: 'enumerate', model: function() { return flip(sigmoid(param({name: 'a', mu: 0, sigma: 0}))); }});
      }});
    };
    Optimize(model, {steps: 2000, optMethod: {adam: {stepSize: 0.02}}})`);
    const { a } = numbersOf(value);
    expect(Math.abs(1 / (1 + Math.exp(-a[0])) - 0.8)).toBeLessThan(0.02);
  });

  test('unnamed parameters inside an inner inference belong to their datum', async () => {
    const { value } = await runProgram(`var model = function() {
      mapData({data: [0.8, 0.2]}, function(p) {
        sample(Bernoulli({p: p}), {guide: function() {
          return Infer({method: 'enumerate', model: function() { return flip(sigmoid(param())); }});
        }});
      });
    };
    Optimize(model, {steps: 2000, optMethod: {adam: {stepSize: 0.02}}})`);
    const found = Object.values(numbersOf(value)).map(([a]) => 1 / (1 + Math.exp(-a)));
    expect(found).toHaveLength(2);
    expect(Math.abs(found[0] - 0.8)).toBeLessThan(0.02);
    expect(Math.abs(found[1] - 0.2)).toBeLessThan(0.02);
  });

  test('guide(thunk) runs where guides do, and may leave something for later ones', async () => {
    const { value } = await runProgram(`var model = function() {
      guide(function() { globalStore.shift = param({name: 'shift', mu: 0, sigma: 0}); });
      var x = sample(Gaussian({mu: 1, sigma: 1}), {guide: function() { return Gaussian({mu: globalStore.shift, sigma: 0.001}); }});
      return x;
    };
    var params = Optimize(model, {steps: 500, optMethod: {sgd: {stepSize: 0.05}}});
    var plain = Infer({method: 'forward', samples: 3}, function() { guide(function() { error('ran'); }); return 1; });
    params`);
    expect(numbersOf(value).shift[0]).toBeCloseTo(1, 3);
  });

  test('a thunk may leave something in the store too', async () => {
    const { value } = await runProgram(`var model = function() {
      var a = sample(Gaussian({mu: 2, sigma: 1}), {guide: function() {
        globalStore.m = param({name: 'm', mu: 0, sigma: 0});
        return Gaussian({mu: globalStore.m, sigma: 0.001});
      }});
      sample(Gaussian({mu: 2, sigma: 1}), {guide: function() { return Gaussian({mu: globalStore.m, sigma: 0.001}); }});
    };
    Optimize(model, {steps: 500, optMethod: {sgd: {stepSize: 0.05}}})`);
    expect(numbersOf(value).m[0]).toBeCloseTo(2, 3);
  });

  test('distributions and thunks give the same', async () => {
    const code = (guide: string): string => `var model = function() {
      var x = sample(Gaussian({mu: 1, sigma: 1}), {guide: ${guide}});
      observe(Gaussian({mu: x, sigma: 1}), 2);
    };
    Optimize(model, {steps: 10})`;
    const guide = "Gaussian({mu: param({name: 'm'}), sigma: softplus(param({name: 's'}))})";
    const given = numbersOf((await runProgram(code(guide))).value);
    expect(numbersOf((await runProgram(code(`function() { return ${guide}; }`))).value)).toEqual(given);
    expect(numbersOf((await runProgram(code(`function() { ${guide} }`))).value)).toEqual(given);
  });
});

test('a parameter starts from what a choice was in the execution that meets it first, in graphs too', async () => {
  const model = `var model = function() {
    var k = sample(Gaussian({mu: 2, sigma: 1}), {guide: Gaussian({mu: 2, sigma: 1})});
    var x = sample(Gaussian({mu: k, sigma: 1}), {guide: function() {
      var p = param({name: 'p', dims: [2, 1], init: function() { return Vector([k, 3 * k]); }});
      return Gaussian({mu: T.get(p, 0), sigma: 1});
    }});
    observe(Gaussian({mu: x, sigma: 1}), 1);
  };
  Optimize(model, {steps: 1, checkGradients: false, optMethod: {sgd: {stepSize: 0}}})`;
  const { p } = numbersOf((await runProgram(model)).value);
  expect(p[1]).toBe(3 * p[0]);
  expect(numbersOf((await runProgram(model, { engine: { sequential: true } })).value)).toEqual({ p });
});

describe('mistakes with parameters', () => {
  const cases: [string, string][] = [
    ["param('x')", 'param takes its options as an object, as in param({name: \'x\'}); got the string "x".'],
    ["param({nam: 'x'})", "param has no option 'nam'; it takes name, dims, mu, sigma, init. Did you mean 'name'?"],
    ["param({name: 3})", 'param: name must be a string of at least one character, got 3.'],
    ["param({dims: 2})", 'param: dims must be an array of integers of at least 1, got 2.'],
    ["param({dims: [-1, 2]})", 'param: dims must be an array of integers of at least 1, got [-1, 2].'],
    ["param({sigma: -1})", 'param: mu must be a number and sigma a number of at least 0, got 0 and -1.'],
    ["param({init: 3})", 'param: init must be a function of the dims, such as xavier; got 3.'],
    ["param({name: 'x', init: function() { return 3; }})", "The init function of the parameter 'x' must return a tensor of dims [1], got 3."],
    ["param({name: 'x', dims: [2]}); param({name: 'x', dims: [3]})", "The parameter 'x' has dims [2], and is declared here with [3]. Give one of the two another name, or the same dims."],
    ["modelParam({nam: 'x'})", "modelParam has no option 'nam'; it takes name, dims, mu, sigma, init. Did you mean 'name'?"],
  ]; // biome-ignore format: a table

  test.each(cases)('%s', async (code, message) => {
    expect(await failure(code)).toBe(message);
  });
});

/** Without where the choice and its guide are, which `disagreement.test.ts` is about. */
const withoutPlaces = (message: string): string => message.replace(/ \(The choice is at .*\)$/, '');

describe('mistakes with guides', () => {
  const model = (body: string): string => `Optimize(function() { ${body} })`;
  const cases: [string, string, string][] = [
    ['noAutoGuide', 'sample(Gaussian({mu: 0, sigma: 1}), {noAutoGuide: true})', 'Gaussian has no guide here and noAutoGuide forbids an automatic one. Give the choice a guide.'],
    ['no distribution', 'sample(Bernoulli({p: 0.5}), {guide: function() { return 3; }})', 'A guide must be a distribution, or a function that returns one, as in guide: () => Gaussian({mu: 0, sigma: 1}); got 3.'],
    ['another kind', 'sample(Gaussian({mu: 0, sigma: 1}), {guide: Bernoulli({p: 0.5})})', 'Bernoulli cannot guide Gaussian: the guide is discrete and the target continuous. Guide it by a continuous distribution.'],
    ['too wide', 'sample(Beta({a: 1, b: 2}), {guide: Gaussian({mu: 0, sigma: 1})})', 'Gaussian cannot guide Beta: it draws values from (-Infinity, Infinity), and the target allows only (0, 1). Use a guide with those bounds, such as LogitNormal (between two numbers) or IspNormal (positive).'],
    ['truth values for numbers', 'sample(Discrete({ps: [1, 1]}), {guide: Bernoulli({p: 0.5})})', 'Bernoulli cannot guide Discrete: it draws truth values, and the target is over whole numbers.'],
    ['vectors for numbers', 'sample(Gaussian({mu: 0, sigma: 1}), {guide: DiagCovGaussian({mu: Vector([0]), sigma: Vector([1])})})', 'DiagCovGaussian cannot guide Gaussian: it draws tensors, and the target is over numbers.'],
    ['vectors for probabilities', 'sample(Dirichlet({alpha: Vector([1, 1])}), {guide: DiagCovGaussian({mu: Vector([0, 0]), sigma: Vector([1, 1])})})', 'DiagCovGaussian cannot guide Dirichlet: it draws tensors, and the target is over vectors of probabilities.'],
    ['factors in a guide', 'sample(Bernoulli({p: 0.5}), {guide: function() { factor(1); return Bernoulli({p: 0.5}); }})', 'A guide must not call factor, condition or observe: it is not part of the model. Make the choice in the model before it, or use the distribution itself (its mean, its score).'],
    ['guides of choices in a guide', 'sample(Bernoulli({p: 0.5}), {guide: function() { return Bernoulli({p: sample(Uniform({a: 0, b: 1}), {guide: Uniform({a: 0, b: 1})})}); }})', 'A choice that a guide makes has no guide itself: give sample the distribution alone.'],
    ['samples of a guide', 'sample(Bernoulli({p: 0.5}), {guideSamples: 0})', 'sample: guideSamples must be a whole number of at least 1, got 0.'],
    ['choices in guide(thunk)', 'guide(function() { flip(); }); return flip();', 'The function given to guide must not call sample, observe, factor or condition.'],
    ['a field of what guide gives', 'var found = guide(function() { return {a: 1}; }); sample(Gaussian({mu: 0, sigma: 1}), {guide: function() { return Gaussian({mu: found.a, sigma: 1}); }})', "guide (program.wppl:1:35) gives a function, which has no field 'a'. Call it first, as in found().a."],
    ['no transform', 'sample(Gamma({shape: 1, scale: 1}), {guide: Gamma({shape: param({name: "a", mu: 1, sigma: 0}), scale: 1}), reparam: true})', 'reparam: true asks for a pathwise gradient, which the guide Gamma does not have.'],
    ['no automatic guide', 'sample(Wishart({df: 3, scale: idMatrix(2)}))', 'Wishart has no automatic guide. Optimize with autoGuide: \'fullRank\', which has one, or give it a guide.'],
  ]; // biome-ignore format: a table

  test.each(cases)('%s', async (_name, body, message) => {
    expect(withoutPlaces(await failure(model(body)))).toBe(message);
  });

  test('are found too where guides are only used', async () => {
    const message = 'Bernoulli cannot guide Gaussian: the guide is discrete and the target continuous. ';
    for (const method of ["'forward', guide: true", "'importance', guide: true", "'SMC', particles: 5"]) {
      const code = `Infer({method: ${method}}, function() { return sample(Gaussian({mu: 0, sigma: 1}), {guide: Bernoulli({p: 0.5})}); })`;
      expect(await failure(code)).toContain(message);
    }
  });

  test('a guide that leaves out values of its target is worth a warning', async () => {
    const code = (target: string, guide: string): string =>
      `Optimize(function() { sample(${target}, {guide: ${guide}}); }, {steps: 1})`;
    const { warnings } = await runProgram(
      code('Gaussian({mu: 0, sigma: 1})', "IspNormal({mu: param({name: 'm'}), sigma: 1})"),
    );
    expect(warnings.map(withoutPlaces)).toEqual([
      'The guide IspNormal draws values from (0, Infinity) only, and Gaussian has values in (-Infinity, Infinity): ' +
        'what the guide never draws will not be found.',
    ]);
    for (const [target, guide] of [
      ['ImproperUniform()', "IspNormal({mu: param({name: 'm'}), sigma: 1})"],
      ['Uniform({a: -2, b: 3})', "LogitNormal({mu: param({name: 'm'}), sigma: 1, a: -2, b: 3})"],
      ['StudentT({df: 3, location: 0, scale: 1})', "Gaussian({mu: param({name: 'm'}), sigma: 1})"],
      ['Bernoulli({p: 0.5})', "Discrete({ps: simplex(param({name: 'm', dims: [1, 1]}))})"],
    ]) {
      expect((await runProgram(code(target, guide))).warnings).toEqual([]);
    }
  });

  test('a continuous guide without a transform is worth a warning, once', async () => {
    const { warnings } = await runProgram(
      `Optimize(function() { sample(Gamma({shape: 1, scale: 1}), {guide: Gamma({shape: softplus(param({name: 'a', mu: 1, sigma: 0})), scale: 1})}); }, {steps: 1})`,
    );
    expect(warnings[0]).toBe(
      'The guide Gamma is continuous but cannot be reparameterised, so its gradients are noisy. ' +
        'A guide such as Gaussian, LogitNormal or IspNormal would do better.',
    );
  });
});
