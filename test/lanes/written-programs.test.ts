/** Bodies of data as people write them, under gradients: side by side gives what one by one gives, and steps are compiled. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fewGroups } from '../../src/lanes/together.ts';
import { openAfter } from '../../src/optimize/open-steps.ts';
import { courseOf, difference } from './estimates.ts';

const STEPS = 8;
const { most } = fewGroups;
const { steps } = openAfter;

// Lanes branch wherever they can, and steps are recorded for open lanes as soon as they can be.
beforeAll(() => {
  fewGroups.most = 1;
  openAfter.steps = 1;
});
afterAll(() => {
  fewGroups.most = most;
  openAfter.steps = steps;
});

const program = (body: string, options = ''): string => `
var data = [
  {y: 0.3, k: 1, row: [0.5, -0.2]}, {y: -1.2, k: 0, row: [1.1]}, {y: 2.5, k: 2, row: []}, {y: 0.7, k: 0, row: [0.1, 0.9, -0.7]},
  {y: 1.4, k: 1, row: [-0.6, 0.2, 0.8]}, {y: -0.1, k: 1, row: [0.4]}, {y: 0.9, k: 0, row: [1.5, -1.1]}, {y: 0.2, k: 2, row: [0.3, 0.6]}];
var draw = function(m, x) { return sample(Gaussian({mu: m, sigma: 1}), {guide: Gaussian({mu: param({name: 'w'}) * x, sigma: 1})}); };
var model = function() {
  var m = modelParam({name: 'm', mu: 0.2});
  var ps = [m, 0.5, -0.4];
  mapData({data: data${options}}, function(d, i) { ${body} });
};
model`;

async function expectTheLaw(code: string): Promise<string> {
  const together = await courseOf(code, { sequential: false, compiled: true, steps: STEPS });
  const apart = await courseOf(code, { sequential: true, compiled: false, steps: STEPS });
  expect(together.objectives).toHaveLength(STEPS);
  expect(difference(apart, together)).toBeUndefined();
  return together.explanation;
}

/** Bodies whose steps are compiled. */
const COMPILED: Readonly<Record<string, string>> = {
  'a loop through rows of several lengths, with break and continue': `
    let t = 0;
    for (const x of d.row) { if (draw(m, x) > 1) { break; } if (x < 0) { continue; } t += x * draw(m, d.y); }
    observe(Gaussian({mu: t, sigma: 1}), d.y);`,
  'a condition on the datum within one on a choice': `
    let t = 0;
    if (draw(m, d.y) > 0) { if (d.row.length > 1) { t = draw(m, 0.3); } else { t = d.row.length > 0 ? 0.5 : m; } }
    observe(Gaussian({mu: t, sigma: 1}), d.y);`,
  'choices that some data make, before a choice decides': `
    let t = 0;
    if (d.k === 1) { t = draw(m, 0.1); }
    for (let j = 0; j < 2; j++) { if (draw(t, d.y) > 0) { t += draw(m, 0.2); } }
    observe(Gaussian({mu: t + draw(m, 0.3), sigma: 1}), d.y);`,
  'choices that some data make, after a choice has decided': `
    let t = draw(m, d.y) > 0 ? draw(m, 0.2) : 0.1;
    if (d.k === 1) { t += draw(m, 0.1); }
    observe(Gaussian({mu: t + draw(m, 0.3), sigma: 1}), d.y);`,
};

test.each(Object.keys(COMPILED))('%s', async (name) => {
  expect(await expectTheLaw(program(COMPILED[name]))).toMatch(/steps: [1-9]\d* compiled/);
});

const FAMILIES = '[Gaussian({mu: m, sigma: 1}), Laplace({location: m, scale: 1}), Gaussian({mu: 0, sigma: 2})]';

/** Programs that gave something else, or failed. */
const LAWFUL: Readonly<Record<string, string>> = {
  'families that an index of the datum picks': program(`observe(${FAMILIES}[i % 3], d.y);`),
  'families that an index of the datum picks, in minibatches': program(
    `observe(${FAMILIES}[i % 3], d.y);`,
    ', batchSize: 3',
  ),
  'an error that some data of a minibatch throw, and catch': `
var data = [{y: 0.1, k: 0}, {y: 1.8, k: 2, z: null}, {y: 1.4, k: 2, z: -1.6}];
var model = function() {
  mapData({data: data, batchSize: 2}, function(d) {
    let x = 0;
    try { if (Boolean(d.k)) { throw tanh(d.y); } x = -1.3; } catch (e) { x = e / 2; }
    var z = sample(Number.isInteger(d.y) ? StudentT({df: 3, location: d.z ?? 0.4, scale: 1}) : Gaussian({mu: d.z ?? 0.4, sigma: 1}),
      {guide: Gaussian({mu: param({name: 'u'}) * tanh(x), sigma: 0.8})});
  });
};
model`,
  'an index outside of its list, where the item is looked at': program(
    'var x = ps[i % 3 - 1] || 0.1; if (tanh(x) > 0) { factor(tanh(m)); } observe(Gaussian({mu: draw(m, x), sigma: 1}), d.y);',
  ),
};

test.each(Object.keys(LAWFUL))('%s', async (name) => {
  await expectTheLaw(LAWFUL[name]);
});
