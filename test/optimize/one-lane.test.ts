/** Loops that decide by their choices, outside all passes: steps are compiled for all ways, and give what the program gives. */
import { expect, test } from 'vitest';
import { courseOf, difference } from '../lanes/estimates.ts';

/** A program that goes another way in each step is run for a dozen of them before one is recorded for all ways. */
const STEPS = 24;

const program = (body: string): string => `
var data = [0.3, -1.2, 2.5, 0.7, 1.4, -0.1, 0.9, 0.2, -0.6, 1.9, 0.5, -0.8];
var draw = function(x) { return sample(Gaussian({mu: x, sigma: 1}), {guide: Gaussian({mu: param({name: 'w'}) * x, sigma: 1})}); };
var coin = function(x) { return sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(param({name: 'c'}) + x)})}); };
var model = function() {
  var m = modelParam({name: 'm', mu: 0.2});
  ${body}
};
model`;

const BODIES: Readonly<Record<string, string>> = {
  'a side with a choice of its own': `
    for (const y of data) {
      if (coin(y)) { observe(Gaussian({mu: m + draw(y), sigma: 2}), y); } else { observe(Gaussian({mu: m, sigma: 1}), y); }
    }`,
  'a function that returns early': `
    const score = function(y) { if (coin(y)) { factor(-1); return 0; } observe(Gaussian({mu: m, sigma: 1}), y); return 1; };
    let count = 0;
    for (const y of data) { count += score(y); }
    observe(Gaussian({mu: m + count, sigma: 3}), 8);`,
  'families that a choice decides between': `
    data.forEach((y) => { observe(coin(y) ? Laplace({location: m, scale: 2}) : Gaussian({mu: m, sigma: 1}), y); });`,
  'a state that goes through the loop': `
    let z = false;
    let total = m;
    for (const y of data) {
      z = z ? coin(y) : coin(-y);
      if (z) { total += 0.1 * draw(y); }
      observe(Gaussian({mu: z ? total : -total, sigma: 1}), y);
    }`,
  'a pass of data after the loop': `
    let shift = 0;
    for (const y of data) { if (coin(y)) { shift += 0.2 * y; } }
    mapData({data: data}, function(y) { const z = coin(y); observe(Gaussian({mu: z ? m + shift : m, sigma: 1}), y); });`,
};

const follow = (code: string, sequential: boolean) =>
  courseOf(code, { sequential, compiled: !sequential, steps: STEPS });

test.each(Object.entries(BODIES))('%s', async (_, body) => {
  const together = await follow(program(body), false);
  expect(together.error).toBeUndefined();
  expect(difference(await follow(program(body), true), together)).toBeUndefined();
  expect(together.explanation).toMatch(/steps: [1-9]\d* compiled/);
});

test('where steps cannot be recorded for all ways, the program runs as before', async () => {
  const code = program(`
    const kept = data.filter((y) => !coin(y));
    observe(Gaussian({mu: m + kept.length, sigma: 3}), 8);`);
  const together = await follow(code, false);
  expect(together.error).toBeUndefined();
  expect(difference(await follow(code, true), together)).toBeUndefined();
});
