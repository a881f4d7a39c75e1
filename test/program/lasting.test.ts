/** Results of calls without choices that are taken up in later executions. */
import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';

/** Makes a program one that keeps state, in which nothing is taken up. */
const STATE = '\nvar unused = function() { globalStore.x = 1; };\n';

/** `Math.tick` counts: programs cannot without keeping state. */
const SLOW = 'var slow = function(x, n) { return n === 0 ? (Math.tick, x) : slow(x, n - 1); };';

const PROGRAMS: readonly [what: string, code: string, most: number][] = [
  [
    'in a chain whose executions differ in structure',
    `${SLOW} expectation(Infer({method: 'MCMC', samples: 60, model() {
       var base = slow(1, 3) + slow(2, 3);
       var n = poisson(base); var xs = repeat(n, function() { return gaussian(0, 1); });
       observe(Gaussian({mu: sum(xs), sigma: 1}), 0.5); return n; }}))`,
    2,
  ],
  [
    'by the contents of arguments',
    `${SLOW} expectation(Infer({method: 'MCMC', samples: 60, model() {
       var where = {at: [randomInteger(2), 1]};
       var n = poisson(3); var xs = repeat(n, function() { return gaussian(slow(where, 3).at[0], 1); });
       observe(Gaussian({mu: sum(xs), sigma: 1}), 0.5); return n; }}))`,
    2,
  ],
  [
    'in an enumeration that goes its paths again',
    `${SLOW} expectation(Infer({method: 'enumerate', model() {
       var x = slow(3, 2); var a = randomInteger(4); var b = flip(0.5) ? randomInteger(3) : 1; return x + a + b; }}))`,
    1,
  ],
  [
    'through functions that go over lists, inside callbacks',
    `${SLOW} var table = function(k) { return map(function(i) { return slow(i, 1); }, _.range(k)); };
     expectation(Infer({method: 'MCMC', samples: 60, model() {
       var t = table(4); var n = poisson(2); var xs = repeat(n, function() { return gaussian(t[1], 1); });
       observe(Gaussian({mu: sum(xs), sigma: 1}), 0.5); return n; }}))`,
    4,
  ],
];

async function counted(code: string): Promise<{ value: unknown; ticks: number }> {
  let ticks = 0;
  Object.defineProperty(Math, 'tick', { get: () => ++ticks, configurable: true });
  try {
    const { value } = await run(code, { seed: 1, language: 'wppl', file: 'model.wppl' });
    return { value, ticks };
  } finally {
    Reflect.deleteProperty(Math, 'tick');
  }
}

describe('is taken up', () => {
  test.each(PROGRAMS)('%s', async (_what, code, different) => {
    const lasting = await counted(code);
    const repeated = await counted(STATE + code);
    expect(lasting.value).toBe(repeated.value);
    // A few executions more are recorded, in a text of their own.
    expect(lasting.ticks).toBeLessThan(4 * different);
    expect(repeated.ticks).toBeGreaterThan(8 * different);
  });
});

test('objects are compared as if each call had been made', async () => {
  const code = `var fresh = function(n) { return n === 0 ? {x: 1} : fresh(n - 1); };
    Infer({method: 'enumerate', model() { var a = fresh(2); var b = fresh(2); return [a === b, a === a, flip(0.5) ? 1 : 0]; }}).support().join(' ')`;
  expect((await counted(code)).value).toBe('false,true,1 false,true,0');
});
