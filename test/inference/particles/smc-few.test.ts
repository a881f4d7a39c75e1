import { expect, test } from 'vitest';
import { toJsonValue } from '../../../src/io/json-value.ts';
import { run } from '../../../src/program/run.ts';

/** A program that has to be executed again up to each factor, if particles are executed one by one. */
const program = (factors: number, last: string) => `
var walk = function(n) {
  var before = n === 0 ? [0] : walk(n - 1);
  var x = gaussian(before[before.length - 1], 1);
  observe(Gaussian({mu: x, sigma: 1}), n % 3);
  return before.concat([x]);
};
var d = Infer({method: 'SMC', particles: 4}, function() { var xs = walk(${factors - 1}); ${last} });
[d.logZ, map(function(s) { return [s.value, s.score]; }, d.samples)]`;

async function told(code: string, sequential: boolean) {
  const warnings: string[] = [];
  const engine = { sequential, explainBatching: true };
  const { value } = await run(code, { seed: 2, engine, warn: (message) => warnings.push(message) });
  return { value: toJsonValue(value), how: warnings.join(' ') };
}

test.each([
  ['few factors', 30, 'return xs.length + xs[3];', 'one by one, because they are few'],
  ['many factors', 60, 'return xs.length + xs[3];', 'side by side'],
  // Nothing that can be known before the executions have come to their end.
  ['many factors, and something that cannot run side by side', 150, 'return _.sum(xs.map(String).map(Number));', ''],
])('few particles that meet %s give what they give one by one', async (_, factors, last, how) => {
  const given = await told(program(factors, last), false);
  const alone = await told(program(factors, last), true);
  expect(given.value).toEqual(alone.value);
  expect(given.how).toContain(how);
});
