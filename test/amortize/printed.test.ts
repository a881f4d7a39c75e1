/** What is printed of a network. */
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { AmortizedModel } from '../../src/amortize/amortized.ts';
import { show } from '../../src/library/show/value.ts';
import { runProgram } from '../optimize/run-optimize.ts';

const PROGRAM = `
  var model = function(data) {
    var x = gaussian(0, 1);
    observe(Gaussian({mu: x, sigma: 1}), data[0]);
    return x;
  };
  var net = Amortize(model, {example: [1], steps: 2, samples: 32});
  net`;

test('a network prints as its size and its choices, and not as its numbers', async () => {
  const { value } = await runProgram(PROGRAM);
  const net = value as AmortizedModel;
  const text = inspect(net);
  expect(text).toBe(String(net));
  expect(show(net)).toBe(text);
  expect(text.split('\n')).toHaveLength(2);
  expect(text).toMatch(
    /^A network of \d+ parameters after 2 steps, objective -?\d\.\d{3}, for choices of\n {2}Gaussian at .*: mixture, met \d+ times$/,
  );
});
