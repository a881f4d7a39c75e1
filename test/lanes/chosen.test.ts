/** Choices in functions that JavaScript itself calls, or leaves half-way: the same side by side as one by one, and as enumeration says. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { meter } from '../../src/lanes/columns/meter.ts';
import { run } from '../../src/program/run.ts';
import { both } from './both-ways.ts';

const PROGRAMS = readFileSync(new URL('./chosen.txt', import.meta.url), 'utf8')
  .split('### ')
  .slice(1)
  .map((part) => {
    const end = part.indexOf('\n');
    return [part.slice(0, end), part.slice(end + 1).trim()] as const;
  });

const WAYS = [
  "method: 'importance', samples: 200",
  "method: 'SMC', particles: 100",
  "method: 'SMC', particles: 60, rejuvSteps: 2",
  "method: 'MCMC', samples: 300",
  "method: 'rejection', samples: 50, maxScore: 3",
];

const SAMPLES = 4000;

interface Found {
  support(): readonly unknown[];
  score(value: unknown): number;
}

const program = (way: string, body: string): string => `Infer({${way}, model: function() { ${body} }})`;

const found = async (way: string, body: string, sequential: boolean): Promise<Found> =>
  (await run(program(way, body), { seed: 2, engine: { sequential }, warn: () => {} })).value as Found;

describe.each(PROGRAMS)('%s', (_name, body) => {
  test('side by side as one by one', async () => {
    for (const way of WAYS) {
      const { together, alone } = await both(program(way, body), 3);
      expect(together).toEqual(alone);
    }
  });

  test('samples are spread as enumeration says', async () => {
    const exact = await found("method: 'enumerate'", body, true);
    const recorded = await found("method: 'enumerate'", body, false);
    meter.isPatient = true;
    const drawn = await found(`method: 'importance', samples: ${SAMPLES}`, body, false);
    meter.isPatient = false;
    for (const value of exact.support()) {
      const probability = Math.exp(exact.score(value));
      expect(Math.exp(recorded.score(value))).toBeCloseTo(probability, 12);
      // Weights differ by less than e^3: at worst a fifth of the samples count. Five standard errors.
      const error = 5 * Math.sqrt((probability * (1 - probability) + 1e-3) / (SAMPLES / 5));
      expect(Math.abs(Math.exp(drawn.score(value)) - probability)).toBeLessThan(error);
    }
    expect(drawn.support().every((value) => exact.score(value) > -Infinity)).toBe(true);
  });
});
