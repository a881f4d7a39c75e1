/** What functions of the host and of lodash make of data that differ, side by side and one by one. */
import { describe, expect, test } from 'vitest';
import { meter } from '../../src/lanes/columns/meter.ts';
import { run } from '../../src/program/run.ts';

const ROWS = `
  var rows = [
    {w: 'a', n: 0.5, k: 1, s: '3', b: true, xs: [1, 2, 3], o: {p: 1, q: 2}},
    {w: 'abc', n: -1.5, k: 2, s: '4.5', b: false, xs: [2, 2, 1], o: {p: 3, q: 2}, maybe: 4},
    {w: 'bcd', n: 2, k: 0, s: '7', b: true, xs: [3, 1], o: {p: 1, q: 2}},
    {w: 'a', n: 0.5, k: 1, s: '3', b: false, xs: [1, 1, 1], o: {p: 0, q: 5}}
  ];
  var table = {abc: 3, a: 1};
  var lists = [[1], [2, 3], [4, 5, 6]];`;

/** By the kind of value they look at. */
const EXPRESSIONS: Readonly<Record<string, readonly string[]>> = {
  text: [
    ...[
      'r.w.length',
      "r.w.charAt(r.k) === 'b' ? 1 : 0",
      "r.w[0] === 'a' ? 1 : 0",
      "r.w.indexOf('b')",
      '[...r.w].length',
    ],
    ...["r.w.split('b')[0].length", "(r.w + 'x').length", "(r.w + '-' + r.k).length", "r.w > 'ab' ? 1 : 0"],
    ...['/^a/.test(r.w) ? 1 : 0', "r.w.replace('a', 'zz').length", 'JSON.stringify(r.w).length', 'table[r.w] || 0'],
  ],
  'kinds and equality': [
    ...[
      "_.isEqual(r.w, 'abc') ? 1 : 0",
      '_.isString(r.w) ? 1 : 0',
      '_.isNumber(r.n) ? 1 : 0',
      '_.isBoolean(r.b) ? 1 : 0',
    ],
    ...[
      "Object.is(r.w, 'a') ? 1 : 0",
      "_.eq(r.w, 'a') ? 1 : 0",
      '_.isInteger(r.k) ? 1 : 0',
      'Number.isInteger(r.n) ? 1 : 0',
    ],
    ...['_.isEqual(r.o, {p: 1, q: 2}) ? 1 : 0', '_.isEqual(r.xs, [1, 2, 3]) ? 1 : 0', 'r === rows[1] ? 1 : 0'],
    ...["typeof r.w === 'string' ? 1 : 0", "_.matches({w: 'a'})(r) ? 1 : 0", "_.isMatch(r, {w: 'a'}) ? 1 : 0"],
  ],
  lists: [
    ...[
      '_.sum(r.xs)',
      '_.max(r.xs)',
      '_.uniq(r.xs).length',
      '_.zip(r.xs, r.xs).length',
      '_.difference(r.xs, [1]).length',
    ],
    ...[
      '_.indexOf(r.xs, 2)',
      'r.xs.includes(3) ? 1 : 0',
      "_.includes(['a', 'b'], r.w) ? 1 : 0",
      "[r.w].includes('a') ? 1 : 0",
    ],
    ...["['a', r.w].indexOf('abc')", '[r.o].includes(rows[0].o) ? 1 : 0', '[...r.xs.entries()].length', 'r.xs.length'],
    ...[
      '_.size(r.xs)',
      '_.last(r.xs)',
      '_.sortBy(r.xs)[0]',
      '_.flatten([r.xs, [1]]).length',
      'lists[r.k].concat(r.xs).length',
    ],
    ...[
      '_.chunk(r.xs, 2).length',
      '_.without(r.xs, 1).length',
      "_.countBy(r.xs)['1'] || 0",
      'sum(map(function(x) { return x * 2; }, r.xs))',
    ],
  ],
  'objects and numbers': [
    ...[
      '_.size(r.w)',
      "_.has(r.o, 'p') ? 1 : 0",
      "Object.hasOwn(r.o, 'p') ? 1 : 0",
      'Object.keys(r.o).length',
      '({...r.o}).p',
    ],
    ...['_.defaults({}, r.o).p', 'Object.assign({}, r.o, {z: 2}).q', '_.cloneDeep(r.o).q', 'Object.entries(r.o)[0][1]'],
    ...["_.get(r, 'o.p')", "_.pick(r.o, ['p']).p", 'r.maybe === undefined ? 1 : 0'],
    ...[
      'r.n.toString().length',
      'r.n.toFixed(1).length',
      'String(r.n).length',
      'r.b.toString().length',
      '+r.s',
      'r.k % 2',
      '~~r.n',
    ],
    ...['_.clamp(r.n, 0, 1)', '_.round(r.n)', 'Math.max(r.n, r.k)', '(r.k || 9)', 'parseFloat(r.s)'],
  ],
};

const body = (kind: string): string =>
  EXPRESSIONS[kind].map((code, i) => `(${code}) * ${(1 + (i % 7)) / 50}`).join(' + ');

async function outcome(code: string, sequential: boolean) {
  const said: string[] = [];
  const engine = { sequential, explainBatching: true, precision: 'double' as const };
  meter.isPatient = true;
  const { value } = await run(ROWS + code, { seed: 1, engine, warn: (message) => said.push(message) });
  meter.isPatient = false;
  return { value, said: said.join('\n') };
}

describe.each(Object.keys(EXPRESSIONS))('%s', (kind) => {
  test('in columns', async () => {
    const code = `
      Infer({method: 'importance', samples: 40, model() {
        var r = uniformDraw(rows);
        var v = ${body(kind)};
        factor(v);
        return v;
      }})`;
    const together = await outcome(code, false);
    const alone = await outcome(code, true);
    const samples = ({ value }: { value: unknown }): unknown => (value as { samples: unknown }).samples;
    expect(samples(together)).toEqual(samples(alone));
    expect(together.said).toContain('40 executions side by side');
  });

  test('in lanes', async () => {
    const code = `
      Optimize({steps: 2, verbose: false, model() {
        mapData({data: rows}, function(r) {
          var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'm'}), sigma: 1})});
          observe(Gaussian({mu: x, sigma: 1}), ${body(kind)});
        });
      }});
      getParams().m`;
    const together = await outcome(code, false);
    const alone = await outcome(code, true);
    const number = ({ value }: { value: unknown }): number => (value as { data: Float64Array }).data[0];
    expect(number(together)).toBeCloseTo(number(alone), 9);
    expect(together.said).toMatch(/data side by side/);
  });
});
