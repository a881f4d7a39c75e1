/** Bodies of data as people write them, under gradients: side by side gives what one by one gives, and steps are compiled. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fewGroups } from '../../src/lanes/together.ts';
import { iwae } from '../../src/optimize/iwae.ts';
import { openAfter } from '../../src/optimize/open-steps.ts';
import { rws } from '../../src/optimize/rws.ts';
import { type Conduct, courseOf, difference, objectiveOf } from './estimates.ts';

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

async function expectTheLaw(
  code: string,
  asked?: Pick<Conduct, 'options' | 'objective'>,
  steps = STEPS,
): Promise<string> {
  const together = await courseOf(code, { sequential: false, compiled: true, steps, ...asked });
  const apart = await courseOf(code, { sequential: true, compiled: false, steps, ...asked });
  expect(together.objectives).toHaveLength(steps);
  expect(difference(apart, together)).toBeUndefined();
  return together.explanation;
}

/** Bodies whose steps are compiled. */
const COMPILED: Readonly<Record<string, string>> = {
  'a loop through rows of several lengths, with break and continue': `
    let t = 0;
    for (const x of d.row) { if (draw(m, x) > 1) { break; } if (x < 0) { continue; } t += x * draw(m, d.y); }
    observe(Gaussian({mu: t, sigma: 1}), d.y);`,
  'choices after a loop as long as the datum says, which choices end': `
    let t = 0;
    for (let j = 0; j < d.k; j++) { if (draw(m, 0.5) > 0) { t = 1; break; } }
    observe(Gaussian({mu: t + draw(m, 1), sigma: 1}), d.y);`,
  'choices of each item of rows of several lengths': `
    var on = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(param({name: 'w'}))})});
    map(function(x) { observe(Gaussian({mu: on ? draw(m, x) : 0, sigma: 1}), x); }, d.row);
    observe(Gaussian({mu: draw(m, 1), sigma: 1}), d.y);`,
  'lists of numbers changed at places that choices name': `
    const counts = [0, 0, 0], sums = [m, 0, 0.5];
    for (let i = 0; i < 3; i++) {
      const k = sample(Discrete({ps: [0.3, 0.3, 0.4]}), {guide: Discrete({ps: [sigmoid(param({name: 'w'})), 1, 1]})});
      counts[k]++;
      if (draw(m, d.y) > 0) { sums[k] += draw(m, 0.3); } else { sums[2] = sums[k] * 0.5; }
      if (i > 1) { counts[k] = d.k; }
    }
    observe(Gaussian({mu: sums[0] - sums[2] * counts[1], sigma: 1 + Math.max(...counts)}), d.y);`,
  'variables exchanged by a pattern, where a choice decides': `
    let a = draw(m, d.y), b = draw(m, 0.2), c = 1;
    if (a > b) { [a, b] = [b, a]; ({c, d: c = 2} = {}); }
    observe(Gaussian({mu: b - a + c, sigma: 1}), d.y);`,
  'words that choose the weights of the next one': `
    let w = 'low';
    for (const x of [0.1, 0.5, -0.3]) {
      w = sample(Categorical({vs: ['low', 'high'], ps: {low: [0.7, 0.3], high: [0.2, 0.8]}[w]}), {guide: Categorical({vs: ['low', 'high'], ps: [sigmoid(param({name: 'w'})), 1]})});
      observe(Gaussian({mu: {low: m, high: 1}[w], sigma: 1}), x * d.y);
    }`,
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

/** Choices that are compared with other values, or with other executions, and decide. */
const coin = (rule: string): string =>
  `sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(param({name: 'b'}) + d.y)}), gradient: '${rule}'})`;
const COMPARED: Readonly<Record<string, string>> = {
  'families in data': `
    const near = RULE;
    observe(near ? Gaussian({mu: m, sigma: 1}) : Laplace({location: d.y, scale: 2}), d.y);`,
  'choices in data': `
    const x = RULE ? draw(m, d.y) : m;
    const t = RULE && d.k > 0 ? x * draw(0, 1) : x;
    observe(Gaussian({mu: t + draw(m, 0.3), sigma: 1}), d.y);`,
  'functions that return early': `
    const find = (x) => { if (RULE) { return x; } return draw(x, 1); };
    observe(Gaussian({mu: find(m), sigma: 1}), d.y);`,
};
const RULES: Readonly<Record<string, number>> = { measure: 1, muprop: 1, rebar: 1, leaveOneOut: 3 };

describe.each(Object.keys(RULES))('by the rule %s', (rule) => {
  const options = { gradients: 'named', samples: RULES[rule] } as const;
  test.each(Object.keys(COMPARED))('%s', async (name) => {
    const explained = await expectTheLaw(program(COMPARED[name].replaceAll('RULE', coin(rule))), { options }, 14);
    expect(explained).toMatch(/steps: [1-9]\d* compiled/);
  });
});

/** Choices with automatic guides on a side, where data have such parameters several times or not all of them. */
const OWN = `let t = draw(m, d.y) > 0 ? sample(Gaussian({mu: m, sigma: 1})) : 0.3;
  if (t > 0.1) { t += sample(Gaussian({mu: t, sigma: 1})); }
  observe(Gaussian({mu: t, sigma: 1}), d.y);`;
const COIN =
  "const c = sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(param({name: 'b'}))}), gradient: 'measure'});";

test.each([
  { name: 'in minibatches', code: program(OWN, ', batchSize: 3'), samples: 1 },
  { name: 'in several executions', code: program(OWN), samples: 3 },
  { name: 'in several executions of minibatches', code: program(OWN, ', batchSize: 3'), samples: 3 },
  { name: 'with several values', code: program(COIN + OWN.replace('t > 0.1', 'c && t > 0.1')), samples: 1 },
  { name: 'with several values, in minibatches', code: program(COIN + OWN, ', batchSize: 3'), samples: 1 },
])('parameters of data on sides: $name', async ({ code, samples }) => {
  const explained = await expectTheLaw(code, { options: { gradients: 'named', samples } }, 16);
  expect(explained).toMatch(/steps: [1-9]\d* compiled/);
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
  'objects that conditions on the data pick, compared': program(
    `var kinds = [{a: 1, b: m}, {a: 1, b: 1}, {a: 1, b: 2}];
    var kind = d.y > 0.5 ? kinds[1] : kinds[2];
    observe(Gaussian({mu: (kind === kinds[1] ? draw(m, 1) : 0) + (kind !== kinds[i % 3] ? m : 2), sigma: 1}), d.y);`,
    ', batchSize: 3',
  ),
  // A side of it leads to more values than there is room for, and is recorded before any lane takes it.
  'choices in a loop that goes on for some': `
var model = function() {
  var unused = modelParam;
  var named = mem(unused);
  mapData({data: [1, 1]}, function(d) {
    for (let j = 0; j < 3; j++) { if (flip(0.6)) { continue; } sample(Categorical({vs: [-1, 0.5, 1]})); }
  });
};
model`,
  'an index outside of its list, where the item is looked at': program(
    'var x = ps[i % 3 - 1] || 0.1; if (tanh(x) > 0) { factor(tanh(m)); } observe(Gaussian({mu: draw(m, x), sigma: 1}), d.y);',
  ),
  'numbers and a gap in a list, beside something that JavaScript looks at': program(
    'var x = Number([m]); observe(Gaussian({mu: ([tanh(d.y), , d.y][d.k] ?? 0.3) + x, sigma: 1}), d.y);',
  ),
  // Two values of the first choice, and indices that differ: data of a single execution come into as many groups as there are lanes.
  'values of a choice that are tried, and minibatches in many groups': `
var model = function() {
  var m = modelParam({name: 'm', mu: 0.2});
  var shared = sample(Categorical({ps: [0.3, 0.7], vs: [0.5, 1]}));
  mapData({data: [0.3, -0.2, 1.1, 0.8], batchSize: 3}, function(d, i) {
    repeat(6, function() { if (shared > 0.7) { factor(0.1 * m); } return 'abc'[i]; });
  });
};
model`,
  'mem on a side of a condition, for a number that is computed there': program(
    `let x = 0;
    do { x += 0.4 + 0.1 * tanh(named((d.k + 1) % 3)); } while (x < 1.5 && flip(0.6));
    observe(Gaussian({mu: x, sigma: 1}), d.y);`,
  ).replace('var ps', 'var named = mem(function(k) { return sample(Gaussian({mu: k, sigma: 1})); });\n  var ps'),
  'particles of each datum, within it': program(
    `var known = Infer({method: 'SMC', particles: 4}, function() { var a = flip(0.3); factor(a ? m : d.y); return a ? 1 : 0; });
    observe(Gaussian({mu: m, sigma: 1}), d.y + expectation(known));`,
  ),
  // What the first samples were to be of is found out too late: they have met parameters that no step has.
  'choices of as many as a coin says, and one that mem remembers': `
var model = function() {
  var m = modelParam({name: 'm', mu: 0.2});
  var ask = mem(function(k) { return sample(Gaussian({mu: k, sigma: 1})); });
  var go = function(n) { return n === 9 || flip(0.3) ? m : go(n + 1) + gaussian(0, 1); };
  mapData({data: [0.1, 0.2, 0.3, 0.4]}, function(d) {
    observe(Gaussian({mu: go(0), sigma: 1}), d + ask(1));
  });
};
model`,
  // Whether a result is there already is not the same side by side, and in compiled steps: choices that come after draw the same.
  'inferences whose results are kept': `
var outside = cache(function(k) { return Infer(function() { return flip(0.3 + 0.2 * k); }); });
var model = function() {
  var m = modelParam({name: 'm', mu: 0.2});
  mapData({data: [0.1, 0.2, 0.3]}, function(d, i) {
    var known = cache(function(k) { return Infer(function() { return flip(0.3 + 0.2 * k); }); });
    var p = Math.exp(known(i).score(true) + known(1).score(false) + outside(i).score(true));
    observe(Gaussian({mu: sample(Gaussian({mu: m, sigma: 1})), sigma: 1}), d + p);
  });
};
model`,
  'what functions of JavaScript find in objects that an index picks, where parameters are in them': program(
    `var kinds = [{a: m, b: 1}, {a: 1, b: 2}];
    var kind = kinds[i % 2];
    var x = sum(Object.values(kind)) + _.get(kind, 'a') + _.pick(kinds[d.k % 2], ['a']).a + _.head([[m, 1], [0.3, 2]][i % 2]);
    observe(Gaussian({mu: draw(m, 1) * x, sigma: 1}), d.y);`,
  ),
  'a step that makes no choice, over rows of several lengths, and a choice after it': program(
    'var t = foldData({data: d.row, init: 1}, function(t, x) { return t + x; }); observe(Gaussian({mu: draw(m, t), sigma: 1}), d.y);',
  ),
  'truth values from a list': program(
    `var on = sample(Categorical({ps: [0.3, 0.7], vs: [true, false]}));
    observe(Gaussian({mu: on === true ? m : draw(m, d.y), sigma: 1}), d.y);`,
  ),
};

test.each(Object.keys(LAWFUL))('%s', async (name) => {
  await expectTheLaw(LAWFUL[name]);
  await expectTheLaw(LAWFUL[name], { options: { gradients: 'automatic' } });
});

// By then it is known that data are better off one by one, which would be no reason to try no values any more.
test('values of choices around data, and of data that come into many groups', async () => {
  const code = `
var model = function() {
  var m = modelParam({name: 'm', mu: 0.2});
  var tree = function(x, n) {
    if (n === 3 || x > 0.8 || (n > 0 && flip(0.4))) { return sample(Gaussian({mu: x, sigma: 1})); }
    var left = tree(x / 2, n + 1);
    return tanh(left + tree(x - left, n + 1));
  };
  var shared = sample(Categorical({ps: [0.2, 0.8], vs: [-1, 1]}));
  mapData({data: [0.1, 0.4, -0.3, 1.2, 0.7, -1.1, 0.6, 0.2]}, function(d, i) {
    mapData({data: [0.3, -0.2]}, function(y) {
      var word = sample(Categorical({ps: [0.2, 0.5, 0.3], vs: ['a', 'b', 'c']}));
      observe(Gaussian({mu: word === 'a' ? m : 1, sigma: 1}), y);
    });
    observe(Gaussian({mu: shared + tree(d, 0), sigma: 1}), d);
  });
};
model`;
  await expectTheLaw(code, { options: { gradients: 'automatic' } }, STEPS + 2);
});

/** Those in which it matters that there are several samples. */
const WEIGHED = [
  'choices of as many as a coin says, and one that mem remembers',
  'truth values from a list',
  'particles of each datum, within it',
];
const SEVERAL = { iwae: objectiveOf(iwae, { samples: 3 }), rws: objectiveOf(rws, { samples: 3, dream: 0 }) };

test.each(WEIGHED)('several samples: %s', async (name) => {
  for (const objective of Object.values(SEVERAL)) await expectTheLaw(LAWFUL[name], { objective });
});

/** Samples that are weighed against each other, of data, of a minibatch, and of whole executions. */
const WAYS = [
  { of: 'data', objective: objectiveOf(iwae, { samples: 3 }), options: '' },
  { of: 'a minibatch', objective: objectiveOf(rws, { samples: 3, dream: 0 }), options: ', batchSize: 3' },
  { of: 'executions', objective: objectiveOf(iwae, { samples: 3, per: 'execution' }), options: '' },
];
const DECIDED = {
  'a loop that data leave at different times':
    COMPILED['a loop through rows of several lengths, with break and continue'],
  'choices with parameters of their own on sides': OWN,
  'choices of each item of rows of several lengths': COMPILED['choices of each item of rows of several lengths'],
};

describe.each(WAYS)('several samples of $of are compiled', ({ objective, options }) => {
  test.each(Object.keys(DECIDED) as (keyof typeof DECIDED)[])('%s', async (name) => {
    const explained = await expectTheLaw(program(DECIDED[name], options), { objective }, 16);
    // (Where the longest row is in no minibatch yet, that of a side that nobody takes is unknown.)
    if (options === '') expect(explained).toMatch(/steps: [1-9]\d* compiled/);
  });
});
