/** Objects that functions make and change, for data side by side under gradients. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fewGroups } from '../../src/lanes/together.ts';
import { openAfter } from '../../src/optimize/open-steps.ts';
import { courseOf, difference } from './estimates.ts';

const each = (body: string): string =>
  `var data = [0.3, -1.2, 2.5, 0.1, 1.7, -0.4, 0.9];
   var model = function() { mapData({data: data}, function(y, i) { ${body} }); }; model`;
const coin = (name: string): string =>
  `sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(param({name: '${name}'}) + 0.3 * y)})})`;
const normal = (name: string): string =>
  `sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: '${name}'}) * y + 0.2, sigma: 0.8})})`;

/** In all of them data run side by side. */
const TOGETHER: Readonly<Record<string, string>> = {
  'a list that grows': each(`
    const xs = [];
    for (let k = 0; k < 4; k++) { xs.push(${normal('m')} + (k > 0 ? xs[k - 1] : 0)); observe(Gaussian({mu: xs[k], sigma: 1}), y); }
    factor(-0.1 * sum(xs) * xs.length);`),
  'elements, fields and keys that are assigned': each(`
    const state = new Array(4).fill(0); const o = {n: 0, last: y}; const seen = new Map([['a', 1]]); const kinds = new Set();
    for (let k = 1; k < 4; k++) { state[k] = state[k - 1] + ${normal('m')}; o.n += state[k]; o.last = k; seen.set('b' + k, o.n); kinds.add(k % 2); }
    [state[0], state[1]] = [state[1], state[0]];
    observe(Gaussian({mu: state[0] + o.n * o.last + seen.get('b2') + seen.size + kinds.size, sigma: 5}), y);`),
  'what sides change': each(`
    const o = {n: 0, sum: 0.1, kind: 'none'}; const xs = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      o.n++;
      if (${coin('p')}) { o.sum += ${normal('m')}; xs[k] = o.sum; if (o.sum > 0.3) { o.kind = 'far'; xs[0] -= 1; } }
      else { o.n = o.n * 2; }
    }
    observe(Gaussian({mu: o.sum + o.n + sum(xs) + (o.kind === 'far' ? 1 : 0), sigma: 2}), y);`),
  'lists that grow on one side': each(`
    const heads = []; const tails = [];
    for (let k = 0; k < 2; k++) { if (${coin('p')}) { heads.push(${normal('m')}); } else { tails.push(k); } }
    observe(Gaussian({mu: heads.length + sum(heads), sigma: 1}), y + tails.length);`),
  'one in each call, and on each side': each(`
    const collect = (n) => { const xs = []; for (let k = 0; k < n; k++) { xs.push(${normal('m')}); } if (xs[0] > 0) { xs[0] = 2; } return xs; };
    const f = () => { if (${coin('p')}) { const two = collect(2); return two[0] + two[1]; } return collect(1)[0]; };
    observe(Gaussian({mu: f() + f(), sigma: 1}), y);`),
  'what callbacks and loops change': each(`
    const total = {value: 0, turns: 0};
    [1, 2].forEach((x) => { total.value += x * ${normal('m')}; });
    let n = 0;
    while (n < 3 && ${coin('p')}) { n = n + 1; total.value += 0.5 * ${normal('q')}; total.turns++; }
    observe(Gaussian({mu: total.value + total.turns, sigma: 1}), y);`),
  'a place that differs': each(`
    const counts = [0, 0, 0];
    for (let k = 0; k < 2; k++) { const z = sample(Discrete({ps: [0.2, 0.3, 0.5]})); counts[z] += 1; }
    observe(Gaussian({mu: counts[0] - counts[2], sigma: 1}), y);`),
};

/** The same for objects that go by several names. */
const UNDER_SEVERAL_NAMES: Readonly<Record<string, string>> = {
  'fields of the object that the datum names': each(`
    const arms = [0, 1].map(() => ({wins: 1, pulls: 2}));
    for (let k = 0; k < 3; k++) {
      const arm = (i + k) % 2;
      const rate = ${normal('m')};
      if (y > 0.2) arms[arm].wins++;
      arms[arm].pulls += rate;
    }
    observe(Gaussian({mu: arms[0].wins - arms[1].pulls, sigma: 2}), y);`),
  'fields of the object that a choice names': each(`
    const boxes = [{n: 0}, {n: 1}, {n: 2}];
    const picked = boxes[sample(Discrete({ps: [0.2, 0.3, 0.5]}), {guide: Discrete({ps: softmax(param({name: 'k', dims: [3, 1]}))})})];
    picked.n += ${normal('m')}; boxes[1].n *= 2;
    observe(Gaussian({mu: picked.n - boxes[1].n, sigma: 1}), y);`),
  'a function that changes what it is given': each(`
    const move = (thing, by) => { thing.x += by; if (thing.x > 0.5) { thing.far++; } thing.last = by; };
    const [a, b] = [{x: 0, last: 0, far: 0}, {x: y, last: 0, far: 0}];
    move(a, ${normal('m')}); move(b, 0.5); move(a, y);
    const ahead = a.x > b.x ? a : b;
    ahead.far += 10;
    observe(Gaussian({mu: a.far + b.far + a.last + b.x, sigma: 3}), y);`),
  'an object with methods': each(`
    const account = (start) => { const self = {balance: start, fees: 0, pay: (x) => { self.balance -= x; if (self.balance < 0) { self.fees++; } }}; return self; };
    const mine = account(0.3);
    for (let k = 0; k < 3; k++) { if (${coin('p')}) { mine.pay(${normal('m')}); } else { mine.balance += 0.2; } }
    observe(Gaussian({mu: mine.balance + mine.fees, sigma: 1}), y);`),
  'lists in objects': each(`
    const o = {log: [], hits: 0};
    const note = (x) => { o.log.push(x); if (x > 0) o.hits++; };
    note(y); note(${normal('m')}); note(0.1);
    observe(Gaussian({mu: sum(o.log) + o.hits + o.log.length, sigma: 2}), y);`),
};

/** In these the data see each other's changes. */
const APART: Readonly<Record<string, string>> = {
  'an object made before the data': `var model = function() {
      const seen = []; const total = {n: 0};
      mapData({data: [0.3, -1.2, 2.5]}, function(y) { total.n += 1; seen.push(${normal('m')}); observe(Gaussian({mu: seen[0] + total.n, sigma: 1}), y); });
    }; model`,
};

/** Models without data, whose executions change what they made, under whatever name. */
const EXECUTIONS: Readonly<Record<string, string>> = {
  'what a function is given': `var model = () => {
      const teams = [0, 1, 2].map((k) => ({k, n: 0, skill: ${normal('m').replace('* y', '* k')}}));
      const bump = (team, by) => { team.n++; team.skill += by; team.seen ??= []; team.seen.push(by); };
      for (const [i, j, by] of [[0, 1, 1.2], [1, 2, -0.3], [0, 2, 0.8]]) {
        const [home, away] = [teams[i], teams[j]];
        observe(Gaussian({mu: home.skill - away.skill + home.n, sigma: 1}), by);
        bump(home, by); bump(by > 0 ? away : home, -by);
      }
      factor(-teams[0].seen.length * teams[1].skill * teams[2].skill);
    }; model`,
  'a method with the name of one of lists': `
    const cart = (x) => ({x, push: (v) => cart(x + v), add: (v) => cart(x - v)});
    var model = () => {
      let one = cart(0);
      [1, 2].forEach((y) => { one = one.push(${normal('m')}).add(0.5); observe(Gaussian({mu: one.x, sigma: 1}), y); });
    }; model`,
  'objects and lists in Maps': `var model = () => {
      const groups = new Map();
      [0.3, -1.2, 2.5, 0.1].forEach((y) => {
        const key = y > 0 ? 'up' : 'down';
        if (!groups.has(key)) groups.set(key, {sum: ${normal('m')}, all: []});
        const own = groups.get(key); own.sum += y; own.all.push(own.sum);
      });
      for (const [, {sum, all}] of groups) observe(Gaussian({mu: sum * all.length + all[0], sigma: 1}), 1);
    }; model`,
  'the object that a choice picks': `var model = () => {
      const arms = [{n: 0}, {n: 1}];
      for (const y of [0.3, -1.2, 2.5]) {
        arms[sample(Discrete({ps: [0.5, 0.5]}), {guide: Discrete({ps: softmax(param({name: 'k', dims: [2, 1]}))})})].n += y * ${normal('m').replace('* y', '')};
        observe(Gaussian({mu: arms[0].n - 2 * arms[1].n, sigma: 1}), y);
      }
    }; model`,
  'what data share': `var model = () => {
      const boxes = [{sum: 0}, {sum: 1}];
      const put = (box, x) => { box.sum += x; };
      mapData({data: [0.3, -1.2, 2.5]}, (y, i) => { put(boxes[i % 2], ${normal('m')}); observe(Gaussian({mu: boxes[0].sum, sigma: 1}), y); });
    }; model`,
};

/** Executions of these change what others see. */
const LASTING: Readonly<Record<string, string>> = {
  'an object that outlives the execution': `const state = {n: 0}; const count = (o) => { o.n++; return o.n; };
    var model = () => { observe(Gaussian({mu: ${normal('m').replace('* y', '')} + count(state), sigma: 1}), 1); }; model`,
};

const STEPS = 8;

async function bothWays(code: string): Promise<string> {
  const apart = await courseOf(code, { sequential: true, compiled: false, steps: STEPS });
  const together = await courseOf(code, { sequential: false, compiled: true, steps: STEPS });
  expect(apart.error).toBeUndefined();
  expect(difference(apart, together), together.explanation).toBeUndefined();
  return together.explanation;
}

describe('objects that functions make and change are each lane’s own', () => {
  const { most } = fewGroups;
  const { steps } = openAfter;
  beforeEach(() => {
    openAfter.steps = 1;
  });
  afterEach(() => {
    fewGroups.most = most;
    openAfter.steps = steps;
  });
  const cases = Object.entries({ ...TOGETHER, ...UNDER_SEVERAL_NAMES }).flatMap(([name, code]) => [
    { title: `${name}, in groups`, code, groups: most },
    { title: `${name}, on sides`, code, groups: 1 },
  ]);
  test.each(cases)('$title', async ({ code, groups }) => {
    fewGroups.most = groups;
    expect(await bothWays(code)).toContain('7 data side by side');
  });

  test.each(Object.entries(EXECUTIONS))(
    'and those of an execution its own, so that steps are compiled: %s',
    async (_name, code) => {
      expect(await bothWays(code)).toMatch(/[67] compiled, [12] with the program run/);
    },
  );

  test.each(Object.entries(LASTING))('but not %s: steps run the program', async (_name, code) => {
    expect(await bothWays(code)).toContain('0 compiled');
  });

  test.each(Object.entries(APART))('but not %s', async (_name, code) => {
    expect(await bothWays(code)).toContain('one by one');
  });
});
