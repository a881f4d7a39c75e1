/** Several samples of the ELBO side by side, against one by one. */
import { describe, expect, test } from 'vitest';
import { courseOf, difference } from './estimates.ts';
import { PROGRAMS } from './law-programs.ts';

const options = { samples: 3 };

async function bothWays(code: string) {
  // The word tells the compiler that gradients are needed.
  const given = `${code}\nvar used = Optimize;\nmodel;`;
  const apart = await courseOf(given, { sequential: true, compiled: false, steps: 3, options });
  // The first step is run side by side, the second recorded, and the third compiled where it can be.
  const together = await courseOf(given, { sequential: false, compiled: true, steps: 3, options });
  return { apart, together };
}

describe('samples side by side and one by one are the same', () => {
  test.each(Object.entries(PROGRAMS))('%s', async (_name, code) => {
    const { apart, together } = await bothWays(code);
    expect(together.objectives.length + (together.error === undefined ? 0 : 1)).toBeGreaterThan(0);
    expect(difference(apart, together), together.explanation).toBeUndefined();
  });

  test.each([
    [
      'choices of all executions',
      'var x = sample(Gaussian({mu: 0, sigma: 1})); var z = flip(0.3); factor(z ? x : 2 * x);',
    ],
    ['a branch with choices', 'if (flip(0.5)) { factor(sample(Gaussian({mu: 0, sigma: 1}))); } else { factor(1); }'],
    ['recursion', 'var f = function(n) { return n > 4 || flip(0.4) ? n : f(n + 1); }; factor(f(0));'],
    ['the store', 'globalStore.n = (globalStore.n || 0) + sample(Gaussian({mu: 1, sigma: 1})); factor(globalStore.n);'],
  ])('%s', async (_name, body) => {
    const { apart, together } = await bothWays(`var model = function() { ${body} };`);
    expect(apart.error).toBeUndefined();
    expect(difference(apart, together), together.explanation).toBeUndefined();
  });

  const explained = async (name: string): Promise<string> => (await bothWays(PROGRAMS[name])).together.explanation;

  test('and explained', async () => {
    const nested = await explained('nested passes');
    expect(nested).toContain('samples of a step: 3, side by side');
    // Six data for each of three executions.
    expect(nested).toContain('18 data side by side');
    expect(nested).toContain('steps: 2 compiled');
    expect(await explained('memoised choices')).toContain(
      'samples of a step: 3, one by one, because iterations share what mem remembers',
    );
    expect(await explained('a variable that steps share')).toContain(
      'samples of a step: 3, one by one, because they change a variable or an object that they share',
    );
  });
});
