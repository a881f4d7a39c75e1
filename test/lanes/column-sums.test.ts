/** Sums and functions of `Math` that are loops over all executions, against one by one: to the last bit, with NaN, −0 and infinities. */
import { describe, expect, test } from 'vitest';
import { both } from './both-ways.ts';

const CHOICES = `
  var x = gaussian(0, 2), y = uniform(-1, 1), b = flip(0.4), n = randomInteger(4);
  var odd = [x, -0, 1 / 0, 0 / 0][n];
`;

describe('columns compute what executions alone compute:', () => {
  test.each([
    'sum([x, y, 0.1, x * y])',
    'sum([0.1, 0.2, 0.3, x])',
    'sum([b, flip(0.5), true, x > y])',
    'sum([odd, x])',
    'sum([-0, odd])',
    'sum([[x, y], [y], []][n % 3])',
    'sum(map(sum, [[x, 1], [y, b], [2, 3]]))',
    'product([x, y, b, 3])',
    'product([odd, -0])',
    'listMean([x, y, 0.1])',
    'listMean([b, flip(0.5)])',
    'Math.max(x, y)',
    'Math.max(x, 0, y, odd)',
    'Math.min(odd, -0, b)',
    'Math.max(odd)',
    'Math.abs(odd) + Math.abs(x)',
    '-odd',
    'Math.floor(x) + Math.ceil(y) + Math.trunc(x * y)',
    '1 / Math.trunc(y)',
    'Math.sqrt(x) + Math.sqrt(odd)',
    'Math.exp(x) + Math.log(odd)',
    'Math.abs(b)',
  ])('%s', async (expression) => {
    const code = `Infer({method: 'forward', samples: 200, model: function() { ${CHOICES} return ${expression}; }})`;
    const { together, alone, how } = await both(code, 3);
    expect(together).toEqual(alone);
    expect(how).toContain('side by side');
  });

  test('and say the same of what cannot be added', async () => {
    const code = `Infer({method: 'forward', samples: 50, model: function() { return sum([flip(0.5), 'a']); }})`;
    const { together, alone } = await both(code, 1);
    expect(alone).toContain('sum');
    expect(together).toEqual(alone);
  });
});
