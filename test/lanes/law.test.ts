import { describe, expect, test } from 'vitest';
import type { Params } from '../../src/guides/given-params.ts';
import { loadProgram } from '../../src/program/load.ts';
import { PROGRAMS } from './law-programs.ts';

interface Outcome {
  history: number[];
  params: Record<string, number[]>;
}

/** Runs a program whose value is {model, steps?}-like options for Optimize, side by side or one by one. */
async function optimise(code: string, sequential: boolean, steps: number, callback = true): Promise<Outcome> {
  const history: number[] = [];
  const program = await loadProgram({
    code: `${code}\nvar history = [];
      var watch = function(i, x) { return false; };
      var params = Optimize(model, {steps: ${steps}, optMethod: {adam: {stepSize: 0.05}}, checkGradients: false,
        onStep: ${callback ? 'watch' : 'undefined'},
        onFinish: function(r) { r.history.forEach(x => history.push(x)); }});
      ({params: params, history: history})`,
  });
  const result = program.run({
    seed: 3,
    folder: '.',
    args: [],
    engine: { sequential, precision: 'double' },
    output() {},
    warn() {},
    progress: () => ({ update() {}, finish() {} }),
  }) as { params: Params; history: number[] };
  history.push(...result.history);
  const params = Object.fromEntries(Object.entries(result.params).map(([name, { data }]) => [name, [...data]]));
  return { history, params };
}

function close(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}

/** Enough for steps to be recorded, compiled, and run again. */
const STEPS = 6;
const known = new Map<string, Promise<Outcome>>();

/** What a program gives one by one, worked out once. */
function apartOf(code: string): Promise<Outcome> {
  let found = known.get(code);
  if (found === undefined) {
    found = optimise(code, true, STEPS);
    known.set(code, found);
  }
  return found;
}

function expectSame(found: Outcome, apart: Outcome): void {
  expect(apart.history).toHaveLength(STEPS);
  expect(found.history).toHaveLength(STEPS);
  expect(Object.keys(found.params).sort()).toEqual(Object.keys(apart.params).sort());
  found.history.forEach((objective, i) => {
    expect(close(objective, apart.history[i]), `step ${i}: ${objective} and ${apart.history[i]}`).toBe(true);
  });
  for (const [name, values] of Object.entries(apart.params)) {
    values.forEach((value, i) => {
      const other = found.params[name][i];
      expect(close(value, other), `${name}[${i}]: ${other} and ${value}`).toBe(true);
    });
  }
}

describe('side by side and one by one are the same', () => {
  test.each(Object.entries(PROGRAMS))('%s', async (_name, code) => {
    expectSame(await optimise(code, false, STEPS), await apartOf(code));
  });

  // Without a callback of the program between steps, they may be compiled.
  const compilable = Object.entries(PROGRAMS).flatMap(([name, code]) => [
    { name: `${name}, compiled`, code, sequential: false },
    { name: `${name}, one by one and compiled`, code, sequential: true },
  ]);
  test.each(compilable)('$name', async ({ code, sequential }) => {
    expectSame(await optimise(code, sequential, STEPS, false), await apartOf(code));
  });
});
