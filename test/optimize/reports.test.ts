import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Plateau } from '../../src/optimize/plateau.ts';
import { Reports } from '../../src/optimize/reports.ts';
import { startRun } from '../../src/runtime/machine.ts';
import { quietRun } from '../program/quiet-run.ts';
import { failure, numbersOf, runProgram } from './run-optimize.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

describe('reports', () => {
  const options = { steps: 100, verbose: true, showGradNorm: false, weightDecay: 0 };

  test('lines come at most every 200 milliseconds, the first at once', () => {
    const run = quietRun();
    startRun(run);
    const reports = new Reports('ELBO', 0, options);
    for (let step = 0; step < 100; step++) {
      reports.step(step, -step, 1);
      vi.advanceTimersByTime(9);
    }
    expect(run.warnings).toEqual(['Iteration 0: 0', 'Iteration 23: -23', 'Iteration 46: -46', 'Iteration 69: -69', 'Iteration 92: -92']); // biome-ignore format: one list
  });

  /** What is shown of ten steps, the first of which is `first`. */
  function shown(first: number): [number, number | undefined, string | undefined][] {
    const updates: [number, number | undefined, string | undefined][] = [];
    startRun({
      ...quietRun(),
      progress: () => ({ update: (done, total, note) => void updates.push([done, total, note]), finish() {} }),
    });
    const reports = new Reports('EUBO', first, { ...options, verbose: false });
    reports.step(first, 10, 0.5);
    for (let step = first + 1; step < first + 10; step++) {
      vi.advanceTimersByTime(10);
      reports.step(step, 30, 0.25);
    }
    return updates;
  }

  test('progress shows a smoothed objective, the norm and the speed', () => {
    // 10 · 0.95⁵ + 30 · (1 − 0.95⁵)
    expect(shown(0)).toEqual([
      [1, 100, 'EUBO 10.000, gradient 0.500, 1000 steps/s'],
      [6, 100, 'EUBO 14.524, gradient 0.250, 120 steps/s'],
    ]);
  });

  test('progress of an optimisation that goes on is that of what is left', () => {
    expect(shown(40)).toEqual([
      [1, 60, 'EUBO 10.000, gradient 0.500, 1000 steps/s'],
      [6, 60, 'EUBO 14.524, gradient 0.250, 120 steps/s'],
    ]);
  });

  test('a curve has its points in the order of steps, up to the last, and not more than can be seen', () => {
    const told: (readonly [number, number])[] = [];
    startRun({
      ...quietRun(),
      progress: () => ({ update: (_done, _total, _note, trace) => void told.push(...trace!.points), finish() {} }),
    });
    const reports = new Reports('ELBO', 0, { ...options, verbose: false, steps: 5000 });
    for (let step = 0; step < 5000; step++) {
      vi.advanceTimersByTime(1);
      reports.step(step, 7, 1);
    }
    reports.finish();
    expect(told).toEqual(Array.from({ length: 500 }, (_, i) => [10 * (i + 1), 7]));
  });
});

describe('a plateau', () => {
  test('is reached when the smoothed objective has not been better for some steps', () => {
    const plateau = new Plateau(3);
    const objectives = [0, 1, 2, 2, -50, -50, -50];
    expect(objectives.map((objective) => plateau.reached(objective))).toEqual([
      false, false, false, false, false, false, true,
    ]); // biome-ignore format: one list
  });
});

test('a gradient that is no number is a bad step, which leaves the parameter alone', async () => {
  vi.useRealTimers();
  const code = (options: string): string => `var model = function() {
      factor(Math.sqrt(param({name: 'x', mu: 0, sigma: 0})));
    }; Optimize(model, {steps: 2, ${options}})`;
  const message =
    "The gradient of the parameter 'x' is not finite, though the objective is: the model or a guide does something at " +
    'the edge of its domain (the square root or the logarithm of 0, say). A smaller stepSize may help.';
  expect(await failure(code(''))).toBe(message);
  const { warnings, value } = await runProgram(code('skipBadSteps: 5'));
  expect(warnings).toEqual([`Step 0 is skipped: ${message}`, `Step 1 is skipped: ${message}`]);
  expect(numbersOf(value)).toEqual({ x: [0] });
});

test('--explain-guides tells of choices on both sides of one whose values are tried', async () => {
  const code = `Optimize(function() {
    if (sample(Bernoulli({p: 0.4}))) { observe(Gaussian({mu: sample(Discrete({ps: [0.2, 0.3, 0.5]})), sigma: 1}), 1); }
    else { observe(Gaussian({mu: sample(Gaussian({mu: 0, sigma: 1})), sigma: 1}), 1); }
  }, {steps: 1})`;
  const { warnings } = await runProgram(code, { engine: { explainGuides: true } });
  expect(warnings[0].match(/: \w+ is guided/g)).toEqual([
    ': Bernoulli is guided',
    ': Discrete is guided',
    ': Gaussian is guided',
  ]);
});
