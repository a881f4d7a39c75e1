/** Automatic guides between ends that depend on other choices: gradients pass through the ends. */
import { expect, test } from 'vitest';
import { numbersOf, runProgram } from '../optimize/run-optimize.ts';

const TARGETS = {
  'between two that move': 'Truncated(Gaussian({mu: 0, sigma: 1}), a, a + 2)',
  'from one that moves on': 'Truncated(Gaussian({mu: 0, sigma: 1}), a, Infinity)',
  'up to one that moves': 'Truncated(Gaussian({mu: 0, sigma: 1}), -Infinity, a)',
  'up to one that moves, of a family with an end': 'Truncated(Exponential({a: 1}), 0, Math.exp(a))',
  'of a family whose own ends move': 'Truncated(Uniform({a: a, b: a + 3}), a, a + 1)',
  'a family with ends': 'Uniform({a: a, b: a + 2})',
};

/** One step from m: the bound, and m after it. */
const step = (target: string, m: number, stepSize: number): string => `
  var bounds = [];
  var model = function() {
    var guide = function() { return Gaussian({mu: param({name: 'm'}), sigma: 0.1}); };
    var a = sample(Gaussian({mu: 0, sigma: 1}), {guide: guide});
    observe(Gaussian({mu: sample(${target}), sigma: 1}), 2);
  };
  var moved = Optimize(model, {params: {m: Tensor([1], [${m}])}, gradients: 'paper', steps: 1,
    optMethod: {sgd: {stepSize: ${stepSize}}}, onStep: function(i, x) { bounds.push(x); return false; }});
  [moved, bounds[0]]`;

test.each(Object.entries(TARGETS))('%s', async (_name, target) => {
  const run = async (m: number, stepSize: number) => {
    const { value, warnings } = await runProgram(step(target, m, stepSize));
    expect(warnings).toEqual([]);
    const [moved, bound] = value as [object, number];
    return { m: numbersOf(moved).m[0], bound };
  };
  const slope = (await run(0.3, 1)).m - 0.3;
  const [up, down] = [await run(0.3 + 1e-5, 1e-12), await run(0.3 - 1e-5, 1e-12)];
  expect((up.bound - down.bound) / 2e-5).toBeCloseTo(slope, 5);
});
