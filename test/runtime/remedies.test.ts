import { describe, expect, test } from 'vitest';
import { loadProgram } from '../../src/program/load.ts';
import { REASONS, type ReasonCode } from '../../src/runtime/reasons.ts';
import { REMEDIES } from '../../src/runtime/remedies.ts';
import { quietRun } from '../program/quiet-run.ts';

async function warningsOf(code: string, engine: object): Promise<readonly string[]> {
  const run = { ...quietRun(1), engine };
  (await loadProgram({ code, file: 'model.wppl' })).run(run);
  return run.warnings;
}

const changing = (call: string): string => `var seen = {n: 0};
var model = function() {
  var x = flip(0.5);
  seen.n = seen.n + 1;
  return x;
};
${call}`;
const FORWARD = changing("Infer({method: 'forward', samples: 20000, model})");
const FEWER = changing("Infer({method: 'forward', samples: 2000, model})");

describe('what helps where executions run one by one', () => {
  test.each(Object.keys(REASONS) as ReasonCode[])('%s has a reason and a rewrite, in sentences', (code) => {
    expect(REASONS[code].length).toBeGreaterThan(10);
    expect(REMEDIES[code].text).toMatch(/^[A-Z].+[.)]$/);
  });

  test('is said with the explanation', async () => {
    const [message] = await warningsOf(FEWER, { explainBatching: true });
    expect(message).toBe(
      'How forward at model.wppl:7:1 ran: 2000 executions one by one, because functions of the program change what others see ' +
        `(model.wppl:4:3)\n  What it costs: about 4 times the time, as far as can be told.\n  What helps: ${REMEDIES.state.text}`,
    );
  });

  test('is said once unasked where it is expected to take more than five times as long', async () => {
    expect(await warningsOf(FORWARD, { advises: true })).toEqual([
      'forward at model.wppl:7:1 runs one by one, and is expected to take about 5 times as long as it could, because ' +
        `functions of the program change what others see (model.wppl:4:3). ${REMEDIES.state.text}`,
    ]);
  });

  test('costs what was counted until side by side ended, where something was, and else what is usual', async () => {
    const costOf = async (code: string): Promise<number> => {
      const [message] = await warningsOf(code, { explainBatching: true });
      return Number(/about ([\d.]+) times the time/.exec(message)?.[1]);
    };
    const usual = await costOf(changing("Infer({method: 'forward', samples: 3000, model})"));
    // Gaussian choices gain more than most of what programs do.
    const counted = await costOf(`var model = function() {
  var xs = repeat(30, function() { return gaussian(0, 1); });
  return display(xs[0]);
};
Infer({method: 'forward', samples: 3000, model})`);
    expect(usual).toBeGreaterThan(1);
    expect(counted).toBeGreaterThan(usual);
  });

  test.each([
    ['nobody is to be told', FORWARD, {}],
    ['it was asked for', FORWARD, { advises: true, sequential: true }],
    ['they are fewer', FEWER, { advises: true }],
  ])('is not said where %s', async (_, code, engine) => {
    expect(await warningsOf(code, engine)).toEqual([]);
  });

  test('is said of data that an optimisation looks at one by one', async () => {
    const code = `var seen = {n: 0};
var data = repeat(40, function() { return 1; });
var model = function() {
  var m = modelParam({name: 'm'});
  mapData({data}, function(y) { seen.n = seen.n + 1; observe(Gaussian({mu: m, sigma: 1}), y); });
};
Optimize({model, steps: 2})`;
    const warnings = new Set(await warningsOf(code, { advises: true }));
    expect([...warnings].map((text) => text.replace(/\(.*/, ''))).toEqual([
      'mapData at model.wppl:5:3 runs one by one, and is expected to take about 7 times as long as it could, because ' +
        'they change a variable or an object that they share ',
    ]);
  });
});
