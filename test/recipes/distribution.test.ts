/** A new distribution is a file, two lines and a row: with these, it is tested as all are, and works in every way of running. */
import { describe, expect, test, vi } from 'vitest';
import type { Conduct } from '../../src/runtime/reasons.ts';

vi.mock('../../src/distributions/index.ts', async (original) => ({
  ...(await original<object>()),
  ...(await import('./ramp.ts')),
}));
vi.mock('../../src/distributions/index.ts?lifted', async (original) => ({
  ...(await original<object>()),
  // @ts-expect-error the build makes it
  ...(await import('./ramp.ts?lifted')),
}));
vi.mock('../../src/distributions/samplers.ts', async (original) => {
  const { sampler } = await import('../../src/distributions/sampler.ts');
  const { Ramp } = await import('./ramp.ts');
  return { ...(await original<object>()), ramp: sampler(Ramp) };
});
vi.mock('../distributions/table.ts', async (original) => ({
  ...(await original<object>()),
  CONTINUOUS: [{ family: 'Ramp', params: [{ tilt: 0 }, { tilt: 1.5 }, { tilt: -0.7 }], outside: [-0.01, 1.01] }],
}));

const { loadProgram } = await import('../../src/program/load.ts');
const { machine } = await import('../../src/runtime/machine.ts');
const { quietRun } = await import('../program/quiet-run.ts');

// The tests that are made of rows, of this row alone.
await import('../distributions/continuous.test.ts');

/** The mean of x under Ramp({tilt: 1}) and an observation, by quadrature. */
const exact = (() => {
  let [weight, sum] = [0, 0];
  for (let i = 0; i < 2000; i++) {
    const x = (i + 0.5) / 2000;
    const w = (1 + Math.tanh(1) * (2 * x - 1)) * Math.exp(-0.5 * ((0.3 - x) / 0.2) ** 2);
    weight += w;
    sum += w * x;
  }
  return sum / weight;
})();

const model = `var model = function() { var x = ramp(1); observe(Gaussian({mu: x, sigma: 0.2}), 0.3); return x; };`;

describe('a new distribution', () => {
  test.each([
    ["{method: 'importance', samples: 4000}", 'columns'],
    ["{method: 'SMC', particles: 4000}", 'columns'],
    ["{method: 'MCMC', samples: 4000, burn: 100}", 'recording'],
    ["{method: 'MCMC', kernel: 'NUTS', samples: 1000, burn: 200}", 'recording'],
  ])('%s', async (options, way) => {
    const conducts: Conduct[] = [];
    const program = await loadProgram({
      code: `${model} expectation(Infer(${options.replace('}', ', model: model}')}))`,
    });
    const value = program.run({ ...quietRun(7), conduct: (how) => conducts.push(how) });
    // The deviation of the posterior is 0.17; of the samples of a chain, at least one in 20 is worth an independent one.
    expect(Math.abs((value as number) - exact)).toBeLessThan((4 * 0.17) / Math.sqrt(200));
    expect(conducts.map((how) => how.way)).toEqual([way]);
  });

  test('has an automatic guide between its bounds', async () => {
    const options =
      "method: 'optimize', steps: 500, samples: 2000, verbose: false, optMethod: {adam: {stepSize: 0.05}}, estimator: {ELBO: {samples: 10}}";
    const program = await loadProgram({ code: `${model} expectation(Infer({model: model, ${options}}))` });
    // The guide is a LogitNormal, whose mean is off by less than a tenth of the deviation of the posterior.
    expect(Math.abs((program.run(quietRun(5)) as number) - exact)).toBeLessThan(0.017 + (4 * 0.17) / Math.sqrt(2000));
  });

  test('guides a choice, with gradients', async () => {
    const program = await loadProgram({
      code: `var model = function() {
        var x = sample(Ramp({tilt: 1.2}), {guide: Ramp({tilt: param({name: 'tilt', mu: 0, sigma: 0})})});
        return x;
      };
      Optimize({model: model, steps: 300, verbose: false, estimator: {ELBO: {samples: 20}}, optMethod: {adam: {stepSize: 0.05}}})`,
    });
    program.run(quietRun(3));
    expect(Math.tanh(machine.params.get('tilt')!.data[0])).toBeCloseTo(Math.tanh(1.2), 1);
  });
});
