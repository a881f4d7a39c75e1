/** Gradients of joint guides, against differences of the bound with the same random numbers. */
import { expect, test } from 'vitest';
import { numbersOf, runProgram } from '../../optimize/run-optimize.ts';
import { GUIDE, KINDS, PROGRAMS } from './programs.ts';

/** One step from parameters that are all in use; gives the bound, and with a large step the gradient too. */
const step = (guide: string, gradients: string, start: string, stepSize: number): string =>
  `Optimize(model, {params: ${start}, autoGuide: ${guide}, gradients: '${gradients}', steps: 1, estimator: {ELBO: {samples: 2}},
    optMethod: {sgd: {stepSize: ${stepSize}}}, checkGradients: false, onStep: function(i, x) { bounds.push(x); }})`;

/** Moves parameters to where nothing is zero. */
const SHAKEN = `mapObject(function(name, t) {
    return T.add(t, Tensor(dims(t), map(function(i) { return 0.3 * Math.sin(7 * i + name.length); }, _.range(t.length))));
  }, start)`;

test.each(KINDS)('%s', async (kind) => {
  for (const name of ['numbers', 'supports', 'data']) {
    const guide = GUIDE[kind];
    // The paper's gradient is that of the estimate itself; each of these programs draws the same numbers in its first step.
    const code = (at: string, stepSize: number): string => `${PROGRAMS[name]} var bounds = [];
      var moved = ${step(guide, 'paper', at, stepSize)};
      [moved, bounds[0]]`;
    const run = async (at: Record<string, number[]>, dims: Record<string, readonly number[]>, stepSize: number) => {
      const table = Object.entries(at).map(
        ([key, x]) => `${JSON.stringify(key)}: Tensor(${JSON.stringify(dims[key])}, ${JSON.stringify(x)})`,
      );
      const { value } = await runProgram(code(`{${table.join(', ')}}`, stepSize));
      const [moved, bound] = value as [object, number];
      return { moved: numbersOf(moved), bound };
    };
    const { value } = await runProgram(
      `${PROGRAMS[name]} var bounds = []; var start = ${step(guide, 'paper', '{}', 1e-12)}; ${SHAKEN}`,
    );
    const start = value as Record<string, { data: ArrayLike<number>; dims: readonly number[] }>;
    const at = numbersOf(start);
    const dims = Object.fromEntries(Object.entries(start).map(([key, tensor]) => [key, tensor.dims]));
    const { moved } = await run(at, dims, 1);
    // In a random direction, and in a few more.
    for (const seed of [1, 2]) {
      const direction = (key: string, i: number): number => Math.sin(seed * 13 + key.length * 5 + 3 * i);
      const along = (h: number) =>
        Object.fromEntries(Object.entries(at).map(([key, x]) => [key, x.map((one, i) => one + h * direction(key, i))]));
      const slope = Object.entries(at).reduce(
        (sum, [key, x]) => sum + x.reduce((own, one, i) => own + (moved[key][i] - one) * direction(key, i), 0),
        0,
      );
      const [up, down] = [await run(along(1e-5), dims, 1e-12), await run(along(-1e-5), dims, 1e-12)];
      expect((up.bound - down.bound) / 2e-5 / slope, `${name} ${seed}`).toBeCloseTo(1, 4);
    }
  }
});
