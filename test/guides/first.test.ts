/** Parts of guides that run before choices: the same side by side and one by one, under every method that uses guides. */
import { describe, expect, test } from 'vitest';
import { numbersOf, runProgram } from '../optimize/run-optimize.ts';

const PROGRAMS: Readonly<Record<string, string>> = {
  'for all data, and for each': `
    var all = guide(function() { return {shift: param({name: 'g'})}; });
    mapData({data: [0.5, 1.5, -1, 2]}, function(y) {
      var found = guide(function(d) { return {mu: d * param({name: 'a'}) + all().shift, sigma: softplus(param({name: 's'}))}; });
      var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: function() { return Gaussian(found()); }});
      var z = y > 0 ? sample(Gaussian({mu: x, sigma: 1}), {guide: function() { return Gaussian({mu: found().mu, sigma: 1}); }}) : 0;
      observe(Gaussian({mu: x + z, sigma: 1}), y);
    });`,
  'a hierarchy from its leaves up, and lists of different length': `
    mapData({data: [[0.5, 1.5], [-1], [2, 2.2, 1.9]]}, function(ys) {
      var up = guide(function(own) { return reduce(function(y, below) { return param({name: 'r'}) * below + y; }, 0, own); });
      var top = sample(Gaussian({mu: 0, sigma: 1}), {guide: function() { return Gaussian({mu: param({name: 'a'}) * up(), sigma: 0.7}); }});
      map(function(y) {
        var leaf = sample(Gaussian({mu: top, sigma: 1}), {guide: function() { return Gaussian({mu: (y + top + up() / 10) / 2, sigma: 0.7}); }});
        observe(Gaussian({mu: leaf, sigma: 1}), y);
      }, ys);
    });`,
  'with a pass backwards over sequences': `
    var w = guide(function() { return sigmoid(param({name: 'w'})); });
    mapData({data: [[0.2, 0.5, 1], [1.5, 1.2]]}, function(ys) {
      foldData({data: ys, init: 0, backwards: {init: 0, fn: function(ahead, y) { return y + w() * ahead; }}}, function(x, y, i, ahead) {
        var found = guide(function() { return {mu: param({name: 'a'}) * ahead + x / 2, sigma: 1}; });
        var next = sample(Gaussian({mu: x, sigma: 1}), {guide: function() { return Gaussian(found()); }});
        observe(Gaussian({mu: next, sigma: 1}), y);
        return next;
      });
    });`,
};

describe.each(Object.entries(PROGRAMS))('%s', (_, body) => {
  const model = `var model = function() { ${body} };`;
  const inBothWays = async <T>(code: string, read: (value: unknown) => T): Promise<[T, T]> => {
    const engine = { sequential: true };
    return [read((await runProgram(code)).value), read((await runProgram(code, { engine })).value)];
  };

  test('is learned', async () => {
    const code = `${model} Optimize(model, {steps: 6, checkGradients: false, optMethod: {sgd: {stepSize: 0.1}}})`;
    const [together, alone] = await inBothWays(code, numbersOf);
    expect(Object.keys(together)).toEqual(Object.keys(alone));
    for (const [name, [value]] of Object.entries(alone)) expect(together[name][0], name).toBeCloseTo(value, 9);
  });

  test.each([
    "{method: 'importance', guide: true, samples: 40, model: model}",
    "{method: 'SMC', particles: 40, model: model}",
  ])('is used: %s', async (options) => {
    const code = `${model} Infer(${options})`;
    const [together, alone] = await inBothWays(code, (value) => (value as { logZ: number }).logZ);
    expect(together).toBe(alone);
    expect(Number.isFinite(alone)).toBe(true);
  });

  test('is not run where there are no guides', async () => {
    const { value } = await runProgram(
      `${model.replace(/param\(/g, 'error(')} Infer({method: 'importance', samples: 4, model: model}).logZ`,
    );
    expect(Number.isFinite(value)).toBe(true);
  });
});
