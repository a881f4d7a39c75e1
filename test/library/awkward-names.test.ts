/** Names that every object inherits something under are names like any other, wherever programs give names. */
import { expect, test } from 'vitest';
import { toJsonValue } from '../../src/io/json-value.ts';
import { run } from '../../src/program/run.ts';

const NAMES = [
  'constructor',
  'toString',
  '__proto__',
  'hasOwnProperty',
  'valueOf',
  'isPrototypeOf',
  '__defineGetter__',
];

/** A program for each use of a name, and whether its value is what it would be with the name `x`. */
const USES: readonly (readonly [string, (name: string) => string])[] = [
  ['countBy', (n) => `_.toPairs(countBy(function(x) { return x; }, ['${n}', 'a', '${n}']))`],
  ['groupBy', (n) => `groupBy(function(a, b) { return a === b; }, ['${n}', 'a', '${n}'])`],
  [
    'globalStore',
    (n) => `var before = globalStore['${n}'] === undefined;
     Infer({method: 'forward', samples: 2, model: function() {
       var inside = globalStore['${n}'] === undefined && !('${n}' in globalStore);
       globalStore['${n}'] = flip(0.5);
       return [before, inside, typeof globalStore['${n}'], Object.keys(globalStore).length];
     }}).samples.map(function(s) { return s.value; })`,
  ],
  ['unique', (n) => `unique(['${n}', 'a', '${n}'])`],
  ['extend', (n) => `_.toPairs(extend({a: 1}, _.fromPairs([['${n}', 2]])))`],
  ['extend of what has it', (n) => `_.toPairs(extend({['${n}']: 1, b: 2}, {['${n}']: 3}))`],
  ['mergeObj', (n) => `_.toPairs(mergeObj({['${n}']: 1}, {a: 2}))`],
  ['mapObject', (n) => `_.toPairs(mapObject(function(k, v) { return k + v; }, {['${n}']: 1}))`],
  ['mem', (n) => `var f = mem(function(k) { return uniform(0, 1); }); [f('${n}') === f('${n}'), f('${n}') !== f('a')]`],
  [
    'mem of an object',
    (n) => `var f = mem(function(k) { return uniform(0, 1); });
     [f({['${n}']: 1}) === f({['${n}']: 1}), f({['${n}']: 1}) !== f({['${n}']: 2}), f({['${n}']: 1}) !== f({})]`,
  ],
  ['cache', (n) => `var f = cache(function(k) { return k + '!'; }); [f('${n}'), f('${n}'), f('a')]`],
  [
    'query',
    (n) => `Infer({method: 'enumerate'}, function() { query.add('${n}', flip()); return query; }).support().map(
     function(v) { return _.toPairs(v); })`,
  ],
  [
    'query that is not there',
    (n) => `Infer({method: 'enumerate'}, function() { flip(); return query.get('${n}') === undefined; })`,
  ],
  ['Categorical', (n) => `Categorical({ps: [1, 3], vs: ['${n}', 'a']})`],
  ['marginal', (n) => `Infer({method: 'enumerate'}, function() { return flip(0.25) ? '${n}' : 'a'; })`],
  [
    'marginal over objects',
    (n) => `var d = Infer({method: 'enumerate'}, function() { return {['${n}']: flip(0.25), b: 1}; });
     map(function(v) { return [_.toPairs(v), Math.round(8 * Math.exp(d.score(v)))]; }, d.support())`,
  ],
  ['samples', (n) => `Infer({method: 'forward', samples: 50}, function() { return flip(0.25) ? '${n}' : 'a'; })`],
  [
    'samples that are objects',
    (n) => `var d = Infer({method: 'forward', samples: 8}, function() { return {['${n}']: flip(0.5)}; });
     map(function(s) { return _.toPairs(s.value); }, d.samples)`,
  ],
  [
    'objects side by side',
    (n) => `var d = Infer({method: 'importance', samples: 8}, function() {
       var o = flip(0.5) ? {['${n}']: 1} : {['${n}']: 2}; factor(o['${n}']); return extend(o, {k: o['${n}'] + 1}); });
     map(function(s) { return _.toPairs(s.value); }, d.samples)`,
  ],
  [
    'objects in particles',
    (n) => `var d = Infer({method: 'SMC', particles: 8}, function() {
       var o = flip(0.5) ? {['${n}']: 1} : {['${n}']: 2}; factor(o['${n}']); return o; });
     map(function(s) { return _.toPairs(s.value); }, d.samples)`,
  ],
  [
    'objects in a chain',
    (n) => `var d = Infer({method: 'MCMC', samples: 20}, function() {
       var x = uniform(0, 1); observe(Gaussian({mu: x, sigma: 1}), 0); return {['${n}']: x, b: [x]}; });
     map(function(s) { return _.toPairs(s.value); }, d.samples)`,
  ],
  [
    'marginalize',
    (n) =>
      `marginalize(Infer({method: 'enumerate'}, function() { return {['${n}']: flip(0.25), b: flip()}; }), '${n}')`,
  ],
  [
    'summary',
    (n) =>
      `_.toPairs(summary(Infer({method: 'forward', samples: 20}, function() { return {['${n}']: gaussian(0, 1), b: 1}; })))`,
  ],
  ['display', (n) => `display({['${n}']: 1, b: {['${n}']: [2]}}); display(Categorical({vs: [{['${n}']: 1}, '${n}']}))`],
  ['JSON', (n) => `JSON.stringify({['${n}']: 1, b: {['${n}']: [2]}})`],
  [
    'a parameter',
    (n) => `var ps = Optimize({model: function() {
       factor(-Math.pow(modelParam({name: '${n}', sigma: 0}) - 1, 2)); }, steps: 5}); [_.keys(ps), T.toScalars(ps['${n}']), _.keys(getParams())]`,
  ],
  [
    'a guide of parameters',
    (n) => `var ps = Optimize({model: function() {
       var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: function() { return Gaussian({mu: param({name: '${n}', sigma: 0}), sigma: 1}); }});
       observe(Gaussian({mu: x, sigma: 1}), 1); }, steps: 5}); [_.keys(ps), T.toScalars(ps['${n}'])]`,
  ],
  ['parameters given', (n) => `setParams(_.fromPairs([['${n}', Vector([2])]])); T.toScalars(getParams()['${n}'])`],
  [
    'a layer',
    (n) => `var net = linear('${n}', {in: 2, out: 1}); var ps = Optimize({model: function() {
       factor(-Math.pow(T.get(net(Vector([1, 2])), 0), 2)); }, steps: 3}); _.keys(ps).length`,
  ],
  [
    'objects in lanes',
    (n) => `var ps = Optimize({model: function() {
       map(function(d) { var o = {['${n}']: d['${n}'] * 2}; observe(Gaussian({mu: modelParam({name: 'm'}), sigma: 1}), o['${n}']); },
         [{['${n}']: 1}, {['${n}']: 2}, {['${n}']: 3}, {['${n}']: 4}]); }, steps: 5}); T.toScalars(ps.m)`,
  ],
  [
    'objects that lanes give',
    (n) => `var ps = Optimize({model: function() {
       var os = map(function(y) { return {['${n}']: gaussian(y, 1)}; }, [1, 2, 3, 4]);
       map(function(o) { observe(Gaussian({mu: o['${n}'], sigma: modelParam({name: 's'}) * 0 + 1}), 1); }, os); }, steps: 5}); _.keys(ps).length`,
  ],
  [
    'a recorded enumeration',
    (n) => `Infer({method: 'enumerate'}, function() {
       var a = flip(0.3), b = flip(0.6), c = flip(0.2); var o = {['${n}']: a + b}; condition(o['${n}'] + c > 0); return o['${n}']; })`,
  ],
  ['util.serialize', (n) => `util.deserialize(util.serialize({a: 1, ['${n}']: 2}))['${n}']`],
  [
    'histogram of samples',
    (n) => `viz.table(Infer({method: 'forward', samples: 20}, function() { return flip() ? '${n}' : 'a'; })); 1`,
  ],
];

/** The value and what was shown, with the name replaced by `x`, and the order of fields as it is. */
async function told(code: string, name: string): Promise<string> {
  const { value, outputs } = await run(code, { seed: 1, warn() {} });
  const text = JSON.stringify([toJsonValue(value), outputs.map((output) => output.text)]);
  return text.replaceAll(name, 'x').replaceAll(/ {2,}|[─-╿]+|-{2,}/g, ' ');
}

test.each(USES)('%s', async (_, use) => {
  const expected = await told(use('x'), 'x');
  const failures: string[] = [];
  for (const name of NAMES) {
    const found = await told(use(name), name).catch((error) => String(error.message).split('\n')[0]);
    if (found !== expected) failures.push(`${name}: ${found}, not ${expected}`);
  }
  expect(failures).toEqual([]);
});
