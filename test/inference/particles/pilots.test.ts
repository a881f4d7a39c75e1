/** Which particles are tried side by side, and that results do not depend on it. */
import { afterEach, expect, test, vi } from 'vitest';
import { meter } from '../../../src/lanes/columns/meter.ts';
import { run } from '../../../src/program/run.ts';
import { Entry } from '../../../src/runtime/execution.ts';

afterEach(() => {
  meter.clock = null;
  vi.restoreAllMocks();
});

async function found(body: string, particles: number, sequential = false): Promise<{ value: string; how: string }> {
  const said: string[] = [];
  const code = `${body} Infer({method: 'SMC', particles: ${particles}, model})`;
  const engine = { explainBatching: true, sequential };
  const { value } = await run(code, { seed: 2, engine, warn: (message) => said.push(message) });
  const { samples, logZ } = value as Record<string, unknown>;
  return { value: JSON.stringify({ samples, logZ }), how: said.find((message) => message.startsWith('How')) ?? '' };
}

const TREE = `
  var grow = function(depth) {
    var x = gaussian(0, 1);
    factor(-x * x / 4);
    if (depth > 2 || flip(0.5)) { return x; }
    return grow(depth + 1) + grow(depth + 1);
  };
  var model = function() { return grow(0); };`;
// Choices differ, factors do not.
const LIST = `
  var step = function(i, x) {
    if (i === 3) { return x; }
    var next = flip(0.5) ? gaussian(x, 1) : uniform(0, 1) + gaussian(x, 2);
    observe(Gaussian({mu: next, sigma: 1}), i);
    return step(i + 1, next);
  };
  var model = function() { return step(0, 0); };`;

test('particles that meet different numbers of factors go one by one, with the same results', async () => {
  meter.clock = () => 0;
  const { value, how } = await found(TREE, 200);
  expect(how).toContain('one by one, because they meet different numbers of factors');
  expect(value).toBe((await found(TREE, 200, true)).value);
});

test('particles in step are tried, and so are those that would take long', async () => {
  meter.clock = () => 0;
  const inStep = await found(LIST, 200);
  expect(inStep.how).toContain('200 particles side by side');
  expect(inStep.value).toBe((await found(LIST, 200, true)).value);
  let now = 0;
  meter.clock = () => {
    now += 1000;
    return now;
  };
  const long = await found(TREE, 200);
  expect(long.how).not.toContain('different numbers of factors');
  expect(long.value).toBe((await found(TREE, 200, true)).value);
});

test('executions that are slow only until they are optimised do not make a trial worth it', async () => {
  // The first ones take five milliseconds each, and those after them two.
  const looks = [0, 30, 30, 30, 48];
  let look = 0;
  meter.clock = () => looks[Math.min(look++, looks.length - 1)];
  const { value, how } = await found(TREE, 200);
  expect(how).toContain('different numbers of factors');
  expect(value).toBe((await found(TREE, 200, true)).value);
});

test('of long lists two executions are enough to see that all are in step, and none where the text tells', async () => {
  meter.clock = () => 0;
  const execute = vi.spyOn(Entry.prototype, 'execute');
  const made = async (body: string): Promise<number> => {
    execute.mockClear();
    expect((await found(body, 200)).how).toContain('200 particles side by side');
    return execute.mock.calls.length;
  };
  const walk = (steps: number, isLast = 'x > 1e9 || i === steps'): string => `
    var steps = ${steps};
    var step = function(i, x) {
      if (${isLast}) { return x; }
      var next = gaussian(x, 1);
      observe(Gaussian({mu: next, sigma: 1}), i);
      return step(i + 1, next);
    };
    var model = function() { return step(0, 0); };`;
  expect([await made(walk(40)), await made(walk(3)), await made(walk(40, 'i === steps'))]).toEqual([2, 8, 0]);
});
