/** What `finally` does in executions that the runtime ends: no choices, and no errors of what is not there yet. */
import { describe, expect, test } from 'vitest';
import { meter } from '../../src/lanes/columns/meter.ts';
import { run } from '../../src/program/run.ts';
import { both } from './both-ways.ts';

/** Bodies of models, and the probability of the number that each is asked for. */
const PROGRAMS: readonly (readonly [body: string, value: number, probability: number])[] = [
  // Only made where the condition holds.
  ['var x; try { condition(flip(0.5)); x = [1]; } finally { x.push(2); } return x.length', 2, 1],
  // A choice in it, after factors and errors of the program.
  [
    'var t = 0; try { try { factor(flip(0.5) ? 0 : -1); if (flip(0.3)) { throw 1 } t += 1 } finally { t += flip(0.5) ? 10 : 20 } } ' +
      'catch (e) { t += 100 } return t',
    11,
    0.35,
  ],
  // What leaves a loop goes through it.
  [
    'var t = 0; for (var i = 0; i < 3; i++) { try { if (flip(0.5)) { continue } condition(flip(0.8)); if (flip(0.3)) { break } } ' +
      'finally { t += 1 } } return t',
    1,
    (0.5 * 0.8 * 0.3) / (0.12 + 0.78 * 0.12 + 0.78 ** 2 * 0.9),
  ],
  // Each call within others has its own, and a factor in it.
  [
    'var f = function(n) { try { if (n > 0 || flip(0.5)) { return n } return f(n + 1) } finally { factor(-0.5) } }; return f(0)',
    0,
    1 / (1 + Math.exp(-0.5)),
  ],
  // One within another.
  [
    'var n = 0; try { try { if (flip(0.5)) { throw 0 } } finally { n += 1; try { if (flip(0.5)) { throw 9 } } finally { n += 2 } } } ' +
      'catch (e) { return e } return n',
    9,
    0.5,
  ],
];

const WAYS = [
  "method: 'importance', samples: 4000",
  "method: 'SMC', particles: 4000",
  "method: 'SMC', particles: 1000, rejuvSteps: 2",
  "method: 'MCMC', samples: 4000",
  "method: 'rejection', samples: 2000, maxScore: 0",
];

const program = (way: string, body: string): string => `Infer({${way}, model: function() { ${body} }})`;

describe.each(PROGRAMS)('%s', (body, value, probability) => {
  test('enumeration', async () => {
    const found = (await run(program("method: 'enumerate'", body))).value as { score(value: unknown): number };
    expect(Math.exp(found.score(value))).toBeCloseTo(probability, 12);
  });

  test.each(WAYS)('%s', async (way) => {
    const { together, alone } = await both(program(way, body), 3);
    expect(together).toEqual(alone);
    meter.isPatient = true;
    const found = (await run(program(way, body), { seed: 5, warn: () => {} })).value as {
      score(value: unknown): number;
    };
    meter.isPatient = false;
    // Five hundred independent samples at least are behind each: four standard errors.
    expect(Math.abs(Math.exp(found.score(value)) - probability)).toBeLessThan(4 * Math.sqrt(0.25 / 500));
  });
});
