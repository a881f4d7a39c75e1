import { expect, test, vi } from 'vitest';
import { watchedClocks } from '../../src/lanes/clocks.ts';
import { columnOperators } from '../../src/lanes/columns/operators.ts';
import { runProgram } from '../optimize/run-optimize.ts';

/** The time is another one in each step, which nothing recorded can know. */
test.each([
  ['Date.now()', 'Date.now()'],
  ['performance.now()', 'performance.now()'],
  ['new Date()', 'new Date().getTime()'],
  ['Date() as a text', 'Date().length'],
  ['a function that is handed on', '(function(f) { return f(); })(Date.now)'],
])('steps that read the clock are not compiled: %s', async (_name, time) => {
  const { value, warnings } = await runProgram(
    `var seen = [];
    var model = function() {
      var a = modelParam({name: 'a', mu: 0, sigma: 0});
      factor(a + 1e-9 * (${time}));
    };
    Optimize(model, {steps: 12, onFinish: function(r) { r.history.forEach(x => seen.push(x)); }});
    seen`,
    { engine: { explainBatching: true } },
  );
  expect(value).toHaveLength(12);
  expect(warnings[0]).toContain('steps: 0 compiled, 12 with the program run, because the program reads the clock');
});

test('the time in steps of an optimisation goes on', async () => {
  const { value } = await runProgram(
    `var wait = function(start) { return performance.now() > start + 0.01 ? true : wait(start); };
    var seen = [];
    var model = function() {
      factor(modelParam({name: 'a', mu: 0, sigma: 0}) + performance.now());
      wait(performance.now());
    };
    Optimize(model, {steps: 12, onFinish: function(r) { r.history.forEach(x => seen.push(x)); }});
    seen`,
  );
  expect(new Set(value as number[]).size).toBe(12);
});

test('a date that is written down is the same in every step', async () => {
  const { warnings } = await runProgram(
    `var model = function() {
      var a = modelParam({name: 'a', mu: 0, sigma: 0});
      factor(a * new Date(2020, 1, 1).getFullYear() + Date.UTC(2020, 1));
    };
    Optimize(model, {steps: 12}); 1`,
    { engine: { explainBatching: true } },
  );
  expect(warnings[0]).toContain('steps: 11 compiled');
});

test('chains execute a model that reads the clock in every step', async () => {
  const { value, warnings } = await runProgram(
    `var d = Infer({method: 'MCMC', samples: 1000, model() { var x = gaussian(0, 1); return [x, performance.now()]; }});
    map(function(v) { return v[1]; }, d.support()).filter(function(t, i, all) { return all.indexOf(t) === i; }).length`,
    { engine: { explainBatching: true } },
  );
  expect(value).toBeGreaterThan(100);
  expect(warnings.join()).toContain('each step executes the model, because the program reads the clock');
});

test('nothing looks at performance, which Node loads then, before a program names it', () => {
  const usual = Object.getOwnPropertyDescriptor(globalThis, 'performance')!;
  const { performance } = globalThis;
  const look = vi.fn(() => performance);
  Object.defineProperty(globalThis, 'performance', { configurable: true, get: look });
  try {
    const watched = watchedClocks(() => {});
    const { clocks } = columnOperators({});
    expect(look).not.toHaveBeenCalled();
    expect(watched.performance).toBe(watched.performance);
    expect(clocks.performance).toBe(performance);
    expect(look).toHaveBeenCalledTimes(2);
  } finally {
    Object.defineProperty(globalThis, 'performance', usual);
  }
});
