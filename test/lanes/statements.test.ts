/** Statements, operators and other forms of syntax that look at a choice, run in every way, against plain JavaScript. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';
import { both } from './both-ways.ts';
import { ALL_WAYS, faultsOf, waysByTurns } from './every-way.ts';

/** The rows of `statements.txt`, by their headings. */
const KINDS = readFileSync(new URL('statements.txt', import.meta.url), 'utf8')
  .split('\n## ')
  .slice(1)
  .map((section) => {
    const [kind, ...bodies] = section.trim().split('\n');
    return { kind, bodies };
  });

describe.each(KINDS)('$kind', ({ bodies }) => {
  test.each(bodies.map((body, i) => ({ body, i })))('$body', async ({ body, i }) => {
    // Some of them in TypeScript.
    const language = i % 5 === 2 ? 'ts' : 'wppl';
    expect(await faultsOf({ body }, { language }, i % 48 === 0 ? ALL_WAYS : waysByTurns(i))).toEqual([]);
  });
});

/** Bodies of models that make choices inside such statements. */
const CHOOSING: Readonly<Record<string, string>> = {
  'try and catch': `
    try {
      if (flip(0.4)) throw {cost: gaussian(0, 1)};
      return gaussian(2, 1);
    } catch ({cost}) { factor(-cost * cost); return flip(0.5) ? cost : 7; }`,
  'a function that throws, finally': `
    var draw = function(p) { if (flip(p)) throw 'no'; return uniform(0, 1); };
    let n = 0;
    try { n += draw(0.3); n += draw(0.3); } catch (e) { n += 10; } finally { n += flip(0.5) ? 100 : 200; }
    return n;`,
  'switch (true)': `
    var x = gaussian(0, 1);
    switch (true) {
      case x > 1: return flip(0.2) ? x : 1;
      case x > 0: observe(Gaussian({mu: x, sigma: 1}), 0.3); break;
      default: return gaussian(x, 1);
    }
    return flip(0.5) ? 2 : x;`,
  'switch that falls through': `
    let t = 0;
    switch (randomInteger(4)) { case 0: t += flip(0.5) ? 1 : 2; case 1: t += uniform(0, 1); break; case 2: t = 9; }
    return t + (flip(0.3) ? 1 : 0);`,
  'logical assignment': `
    let a = flip(0.5) ? 0 : gaussian(0, 1);
    a ||= gaussian(5, 1);
    let b = flip(0.5);
    b &&= flip(0.9);
    return b ? a : -a;`,
  'optional chains': `
    var o = flip(0.5) ? {draw: function(s) { return gaussian(0, s); }} : undefined;
    return (o?.draw(2) ?? uniform(3, 4)) + (flip(0.5) ? 1 : 0);`,
  'an iterator': `
    var many = {[Symbol.iterator]: function() { return {next: function() { return {done: flip(0.4), value: uniform(0, 1)}; }}; }};
    let t = 0;
    for (const x of many) t += x;
    return t;`,
  'an iterator in a function that seems to make no choices': `
    var draw = function() {
      var many = {[Symbol.iterator]: function() { return {next: function() { return {done: flip(0.4), value: uniform(0, 1)}; }}; }};
      let t = 0;
      for (const x of many) { t += x; if (t > 3) break; }
      return t;
    };
    return draw() + 10 * draw();`,
};

describe.each([
  "method: 'forward', samples: 100",
  "method: 'importance', samples: 100",
  "method: 'SMC', particles: 60",
])('choices, %s', (options) => {
  test.each(Object.keys(CHOOSING))('%s', async (name) => {
    const { together, alone } = await both(`Infer({${options}, model() {${CHOOSING[name]}}})`, 3);
    expect(together).toEqual(alone);
    expect(typeof together).toBe('object');
  });
});

/** Iterations see what those before them have left. */
const LEAVING: Readonly<Record<string, string>> = {
  'for (o.x of …)': 'for (box.v of [1, y]) { }',
  'for (o[k] in …)': "for (box['v'] in {1: 1, [y]: 1}) { }",
  'delete o.x': 'if (y > 1) { delete box.v; } else { box.v = y; }',
  'o.x ||= y': 'box.v &&= y; box.v ||= 2;',
};

test.each(Object.keys(LEAVING))('data that leave something by %s', async (name) => {
  const code = `var box = {v: 1};
    Optimize({steps: 2, verbose: false, checkGradients: false, optMethod: {sgd: {stepSize: 0.1}}, model: function() {
      var m = param({name: 'm', mu: 0, sigma: 0});
      mapData({data: [3, 1, 2, 4]}, function(y) { factor(m * (box.v ?? 10)); ${LEAVING[name]} });
    }});
    getParams().m.data[0]`;
  const found = async (sequential: boolean): Promise<unknown> =>
    (await run(code, { seed: 1, engine: { sequential }, warn: () => {} })).value;
  expect(await found(false)).toBe(await found(true));
});
