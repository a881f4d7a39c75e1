/** Chains that barely move are shown as what they are, and warned of. */
import { describe, expect, test } from 'vitest';
import { isContinuousChain } from '../../src/library/show/chain-values.ts';
import { run } from '../../src/program/index.ts';

async function shown(code: string): Promise<{ text: string; said: string[] }> {
  const said: string[] = [];
  const { outputs } = await run(`display(${code})`, { seed: 1, warn: (line) => said.push(line) });
  return { text: outputs[0].text, said };
}

const precise = (sigma: number, value: string): string => `function() {
  var x = gaussian(0, 10); var y = gaussian(0, 10);
  observe(Gaussian({mu: x, sigma: ${sigma}}), 1); observe(Gaussian({mu: y, sigma: ${sigma}}), 2);
  return ${value};
}`;

describe('a chain over continuous choices', () => {
  test('that accepts a few proposals has a mean and quantiles', async () => {
    const { text } = await shown(`Infer({method: 'MCMC', samples: 3000, model: ${precise(0.05, 'x')}})`);
    expect(text).toMatch(/mean .*, sd .*, effective sample size \d+ \(in the tails \d+\), R-hat/);
    expect(text).toContain('97.5%');
  });

  test('in a field of what the model returns', async () => {
    const { text } = await shown(
      `Infer({method: 'MCMC', samples: 3000, model: ${precise(0.05, '{a: x, b: flip(0.5)}')}})`,
    );
    expect(text).toMatch(/mean +sd +2.5%/);
  });

  test('that accepts nothing is worth one sample, and says so', async () => {
    const { text, said } = await shown(
      `Infer({method: 'MCMC', samples: 3000, burn: 40000, model: ${precise(1e-9, 'x')}})`,
    );
    expect(text).toContain('sd 0, effective sample size 1\n');
    expect(said.join('\n')).toMatch(/MCMC: of 43,000 proposals only \d+ were accepted/);
  });

  test('that moves a few times in thousands of steps says so', async () => {
    const { said } = await shown(`Infer({method: 'MCMC', samples: 3000, model: ${precise(0.005, 'x')}})`);
    const [, accepted] = /MCMC: of 3,000 proposals only (\d+) were accepted/.exec(said.join('\n')) ?? [];
    // (A share of one in a thousand would be 3.)
    expect(Number(accepted)).toBeGreaterThan(3);
  });

  test('that moves says nothing', async () => {
    const { said } = await shown(`Infer({method: 'MCMC', samples: 3000, model: ${precise(5, 'x')}})`);
    expect(said).toEqual([]);
  });
});

describe('a chain over finitely many values is shown as a table', () => {
  test.each(['uniformDraw([0.1, 0.5, 0.9])', '3.5', 'flip(0.5) ? 0.25 : 3', 'randomInteger(5)'])(
    '%s',
    async (value) => {
      const { text, said } = await shown(
        `Infer({method: 'MCMC', samples: 1200, model: function() { return ${value} }})`,
      );
      expect(text).not.toContain('mean');
      expect(said).toEqual([]);
    },
  );
});

test('what counts as continuous', () => {
  expect(isContinuousChain([0.5, 0.5, 0.7, 0.7, 0.9], 0.2)).toBe(true);
  expect(isContinuousChain([0.5, 0.7, 0.5], 0.2)).toBe(false);
  expect(isContinuousChain([1, 1, 2], 0.2)).toBe(false);
  expect(isContinuousChain([0.5, 0.5], 0.2)).toBe(false);
  expect(isContinuousChain([0.5, 0.5], 0)).toBe(true);
  expect(isContinuousChain([0.5, 'a'], 0)).toBe(false);
  expect(isContinuousChain(undefined)).toBe(false);
});
