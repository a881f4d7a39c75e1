/** A function that keeps state slows those inferences alone whose models may call it. */
import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/index.ts';

/** How the last inference of a program ran, and its value; with everything side by side, and one by one. */
async function both(code: string): Promise<{ how: string; together: unknown; alone: unknown }> {
  const said: string[] = [];
  const together = await run(code, { seed: 2, engine: { explainBatching: true }, warn: (line) => said.push(line) });
  const alone = await run(code, { seed: 2, engine: { sequential: true }, warn() {} });
  return { how: said.at(-1) ?? '', together: together.value, alone: alone.value };
}

const NOISY = 'var count = function() { globalStore.n = (globalStore.n || 0) + 1; return globalStore.n; };';
const CLEAN = 'var step = function(x) { return gaussian(x, 1) };';
const infer = (model: string): string => `Infer({method: 'importance', samples: 100, model: ${model}}).samples`;

describe('side by side, since the model comes to no function that writes', () => {
  test.each([
    [
      `${NOISY} ${CLEAN} Infer({method: 'forward', samples: 2, model: function() { return count() }}); ${infer('function() { return step(0) }')}`,
    ],
    [
      `${NOISY} ${CLEAN} var model = function() { return step(step(1)) }; Infer({method: 'forward', samples: 2, model: count}); ${infer('model')}`,
    ],
    [
      `${NOISY} ${CLEAN} Infer({method: 'forward', samples: 2, model: count}); var f = function(mu) { return ${infer('function() { return step(mu) }')} }; f(3)`,
    ],
    [
      `${NOISY} ${CLEAN} Infer({method: 'forward', samples: 2, model: count}); map(function(mu) { return ${infer('function() { return step(mu) }')} }, [1, 2])`,
    ],
    [
      `var seen = []; var note = function(x) { seen.push(x); return x }; ${CLEAN} Infer({method: 'forward', samples: 2, model: function() { return note(1) }}); ${infer('function() { return step(0) }')}`,
    ],
    // What callbacks are told is kept.
    [
      `${CLEAN} var model = function() { var x = step(0); factor(x); return x }; Optimize(model, {steps: 2, onStep: function(i, t) { globalStore.t = t }, onFinish: function(r) { globalStore.h = r.history }}); ${infer('model')}`,
    ],
    [
      `${CLEAN} var best = {n: 0}; [1, 2, 3].forEach(function(n) { globalStore.last = n; }); ${infer('function() { return step(best.n) }')}`,
    ],
    [`${CLEAN} map(function(n) { globalStore.n = n; return n }, [1, 2]); ${infer('function() { return step(0) }')}`],
  ])('%s', async (code) => {
    const { how, together, alone } = await both(code);
    expect(how).toContain('executions side by side');
    expect(together).toEqual(alone);
  });
});

describe('one by one, since it may', () => {
  const other = "Infer({method: 'forward', samples: 2, model: count});";
  test.each([
    ['by its name', `${NOISY} ${infer('function() { return count() }')}`],
    [
      'through another',
      `${NOISY} var f = function() { return count() + gaussian(0, 1) }; ${infer('function() { return f() }')}`,
    ],
    ['in an object', `${NOISY} ${other} var o = {f: count}; ${infer('function() { var f = o.f; return f() }')}`],
    [
      'put into an object later',
      `${NOISY} ${other} var o = {}; _.assign(o, {f: count}); ${infer('function() { return o.f() }')}`,
    ],
    [
      'as an argument',
      `${NOISY} ${other} var g = function(f) { return ${infer('function() { return f() }')} }; g(count)`,
    ],
    [
      'among the items of a list',
      `${NOISY} ${other} map(function(f) { return ${infer('function() { return f() }')} }, [count])[0]`,
    ],
    [
      'as a value that a function returns',
      `${NOISY} ${other} var pick = function() { return count }; ${infer('function() { var f = pick(); return f() }')}`,
    ],
    [
      'in a variable with two values',
      `var n = 0; var f = function() { n = n + 1; return n }; var g = f; ${infer('function() { return g() }')}`,
    ],
    [
      'handed to a callback that keeps it',
      `${NOISY} ${other} [count].forEach(function(f) { globalStore.f = f; }); ${infer('function() { var f = globalStore.f; return f() }')}`,
    ],
    [
      'made by a callback that keeps it',
      `${NOISY} ${other} reduce(function(n, f) { globalStore.f = f; return function() { return count() + n } }, null, [1, 2]); ${infer('function() { var f = globalStore.f; return f() }')}`,
    ],
    [
      'named by a callback that keeps it',
      `${NOISY} ${other} reduce(function(n, f) { globalStore.f = f; return count }, null, [1, 2]); ${infer('function() { var f = globalStore.f; return f() }')}`,
    ],
    [
      'by mem',
      `${NOISY} ${other} var m = mem(function(x) { return count() + x }); ${infer('function() { return m(1) }')}`,
    ],
  ])('%s', async (_way, code) => {
    const { how, together, alone } = await both(code);
    expect(how).toMatch(/one by one|one after the other/);
    expect(together).toEqual(alone);
  });
});

test('callbacks act while chains run', async () => {
  const code = `var n = {runs: 0};
    var watch = {iteration: function() { n.runs = n.runs + 1; }};
    Infer({method: 'MCMC', samples: 800, callbacks: [watch], model: function() { return gaussian(0, 1) + n.runs; }}).samples`;
  const { together, alone } = await both(code);
  expect(together).toEqual(alone);
});
