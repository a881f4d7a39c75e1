/** Differential equations against solutions that are known, and their gradients against differences. */
import { describe, expect, test } from 'vitest';
import { odeSolve } from '../../src/library/index.ts';
import { run } from '../../src/program/run.ts';

const answer = async (code: string): Promise<unknown> => ((await run(code, { seed: 1 })) as { value: unknown }).value;

describe('odeSolve', () => {
  test('decay', () => {
    const states = odeSolve((_t, [y]) => [-0.5 * y], [2], [0, 1, 5, 20]);
    states.forEach(([y], i) => {
      expect(Math.abs(y - 2 * Math.exp(-0.5 * [0, 1, 5, 20][i]))).toBeLessThan(1e-6);
    });
  });

  test('an oscillator, whose energy stays', () => {
    const times = Array.from({ length: 30 }, (_, i) => i);
    const states = odeSolve((_t, [x, v]) => [v, -x], [1, 0], times, { relTol: 1e-9 });
    states.forEach(([x, v], i) => {
      expect(Math.abs(x - Math.cos(i))).toBeLessThan(1e-7);
      expect(Math.abs(v + Math.sin(i))).toBeLessThan(1e-7);
    });
  });

  test('a derivative that depends on time', () => {
    expect(odeSolve((t) => [3 * t * t], [0], [1, 3])[1][0]).toBeCloseTo(26, 8);
  });

  test('smaller errors where they are asked for', () => {
    const error = (relTol: number): number =>
      Math.abs(odeSolve((_t, [x, v]) => [v, -x], [1, 0], [0, 20], { relTol, absTol: relTol })[1][0] - Math.cos(20));
    expect(error(1e-9)).toBeLessThan(1e-2 * error(1e-4));
  });

  test.each([
    ['odeSolve(3, [1], [0, 1])', 'odeSolve(derivatives, initialState, times)'],
    ['odeSolve(function(t, y) { return y; }, 1, [0, 1])', 'odeSolve needs an array of numbers as the initial state'],
    [
      'odeSolve(function(t, y) { return y; }, [1], [0, 1, 1])',
      'times that ascend, the first that of the initial state; got 1 at index 2',
    ],
    ['odeSolve(function(t, y) { return [1, 2]; }, [1], [0, 1])', 'must give an array of 1 derivatives'],
    [
      'Infer({method: "forward", samples: 1, model: function() { return odeSolve(function() { return [gaussian(0, 1)]; }, [1], [0, 1]); }})',
      'odeSolve: the function must not call sample, observe, factor or condition',
    ],
    ['odeSolve(function(t, y) { return [y[0] * y[0]]; }, [1], [0, 2])', 'it grows without bound.'],
    [
      'odeSolve(function(t, y) { return y; }, [1], [0, 1], {reltol: 1e-3})',
      "no option 'reltol'; it takes relTol, absTol, maxSteps. Did you mean 'relTol'?",
    ],
  ])('%s', async (code, message) => {
    await expect(answer(code)).rejects.toThrow(message);
  });
});

describe('in a model', () => {
  /** Exponential decay with an unknown rate and start, seen with noise. */
  const model = `var model = function() {
    var rate = uniform(0.1, 2);
    var start = uniform(0.5, 3);
    var states = odeSolve(function(t, y) { return [-rate * y[0]]; }, [start], [0, 1, 2]);
    observe(Gaussian({mu: states[1][0], sigma: 0.1}), 0.9);
    observe(Gaussian({mu: states[2][0], sigma: 0.1}), 0.5);
    return [rate, start];
  };`;

  function exact(): [number, number] {
    let [total, rates, starts] = [0, 0, 0];
    for (let rate = 0.1025; rate < 2; rate += 0.005) {
      for (let start = 0.505; start < 3; start += 0.01) {
        const [a, b] = [start * Math.exp(-rate), start * Math.exp(-2 * rate)];
        const weight = Math.exp(-50 * ((a - 0.9) ** 2 + (b - 0.5) ** 2));
        total += weight;
        rates += weight * rate;
        starts += weight * start;
      }
    }
    return [rates / total, starts / total];
  }

  test.each([
    ['NUTS', "{method: 'MCMC', kernel: 'NUTS', samples: 800, burn: 200}"],
    ['importance', "{method: 'importance', samples: 8000}"],
    ['SMC', "{method: 'SMC', particles: 8000}"],
    ['MH', "{method: 'MCMC', samples: 10000, burn: 500}"],
  ])('%s finds the posterior', async (_name, options) => {
    const found = (await answer(`${model}
      var d = Infer(extend(${options}, {model: model}));
      [expectation(d, function(v) { return v[0]; }), expectation(d, function(v) { return v[1]; })]`)) as number[];
    const [rate, start] = exact();
    // The posterior deviations are about 0.17 and 0.27; 200 independent draws at the least.
    expect(Math.abs(found[0] - rate)).toBeLessThan((4 * 0.17) / Math.sqrt(200));
    expect(Math.abs(found[1] - start)).toBeLessThan((4 * 0.27) / Math.sqrt(200));
  });

  test('a solution that cannot be followed has probability 0', async () => {
    const found = await answer(`Infer({method: 'enumerate', model: function() {
      var power = flip(0.5) ? 1 : 2;
      odeSolve(function(t, y) { return [Math.pow(y[0], power)]; }, [1], [0, 2]);
      return power;
    }}).score(1)`);
    expect(found).toBeCloseTo(0, 12);
  });

  test('gradients are the slopes of the solution', async () => {
    const at = (rate: number): number =>
      odeSolve((_t, [u, v]) => [(rate - 0.5 * v) * u, (-0.8 + 0.4 * u) * v], [1, 0.5], [0, 3], { relTol: 1e-10 })[1][0];
    const slope = (at(1 + 1e-5) - at(1 - 1e-5)) / 2e-5;
    // One step of gradient descent of size 1 moves the parameter by the slope.
    const moved = (await answer(`
      var out = Optimize(function() {
        var rate = param({name: 'rate', mu: 1, sigma: 0});
        var states = odeSolve(function(t, y) { return [(rate - 0.5 * y[1]) * y[0], (-0.8 + 0.4 * y[0]) * y[1]]; }, [1, 0.5], [0, 3], {relTol: 1e-10});
        factor(states[1][0]);
      }, {steps: 1, optMethod: {gd: {stepSize: 1e-3}}});
      sum(T.toScalars(getParams().rate))`)) as number;
    expect(Math.abs((moved - 1) / 1e-3 - slope)).toBeLessThan(1e-4 * Math.abs(slope));
  });
});
