import { describe, expect, test } from 'vitest';
import { loadProgram } from '../../src/program/load.ts';
import { Entry } from '../../src/runtime/execution.ts';
import type { Handler } from '../../src/runtime/handler.ts';
import { machine, type Run } from '../../src/runtime/machine.ts';

/** Runs a program whose choices all go to a probing handler; the addresses of its choices, in order. */
async function addressesOf(code: string, executions = 1): Promise<string[][]> {
  const program = await loadProgram({ code: `var probed = function() {\n${code}\n}; probed` });
  const run: Run = {
    seed: 1,
    folder: '.',
    args: [],
    output() {},
    warn() {},
    progress: () => ({ update() {}, finish() {} }),
  };
  const model = program.run(run) as () => unknown;
  const entry = new Entry();
  const all: string[][] = [];
  for (let i = 0; i < executions; i++) {
    const seen: string[] = [];
    const handler: Handler = {
      name: 'the probe',
      sample(distribution, _options, address) {
        seen.push(address.toString());
        return distribution.draw(machine.stream.begin());
      },
      factor(_score, address) {
        seen.push(address.toString());
      },
    };
    entry.execute(handler, model, entry.streamOf(0));
    all.push(seen);
  }
  return all;
}

const FLIP = 'var coin = function(p) { return sample(Bernoulli({p: p})); };';

/** Every way to make several choices, and how many it makes. */
const PROGRAMS: readonly [code: string, choices: number][] = [
  ['sample(Bernoulli({p: 1})); sample(Bernoulli({p: 1}))', 2],
  [`${FLIP} coin(1); coin(1); coin(0)`, 3],
  [`${FLIP} [coin(1), coin(1)].concat([coin(1)])`, 3],
  [`${FLIP} coin(coin(1) ? 1 : 0)`, 2],
  [`${FLIP} var f = function(n) { return n === 0 ? 0 : coin(1) + f(n - 1); }; f(10)`, 10],
  [`${FLIP} for (var i = 0; i < 5; i++) { coin(1); coin(1); }`, 10],
  [`${FLIP} for (const p of [1, 0, 1]) coin(p)`, 3],
  [`${FLIP} for (const k in {a: 1, b: 2}) { coin(1); }`, 2],
  [`${FLIP} var n = 0; while (coin(n < 3 ? 1 : 0)) { n++; coin(1); }`, 7],
  [`${FLIP} var n = 0; do { n++; coin(1); } while (coin(n < 3 ? 1 : 0))`, 6],
  [`${FLIP} for (var i = coin(0) ? 1 : 0; coin(i < 2 ? 1 : 0); i += coin(1)) { coin(1); }`, 8],
  [`${FLIP} for (var i = 0; i < 3; i++) { for (var j = 0; j < 2; j++) { coin(1); } coin(1); }`, 9],
  [
    `${FLIP} outer: for (const i of [0, 1, 2]) { for (const j of [0, 1]) { coin(1); if (j === 0) continue outer; } }`,
    3,
  ],
  [`${FLIP} for (const {p = coin(1)} of [{}, {p: 1}, {}]) { coin(1); }`, 5],
  [`${FLIP} [1, 0, 1].map(p => coin(p))`, 3],
  [`${FLIP} [1, 0, 1].map(coin)`, 3],
  [`${FLIP} [[1, 1], [0]].map(ps => ps.map(p => coin(p)))`, 3],
  [`${FLIP} [1, 1].map(p => coin(p)).map(() => coin(1))`, 4],
  [`${FLIP} [3, 1, 2].reduce((acc, x) => acc + coin(1), coin(1))`, 4],
  [`${FLIP} Array.from({length: 4}, () => coin(1))`, 4],
  [`${FLIP} _.map([1, 1, 1], coin)`, 3],
  [`${FLIP} _.times(3, () => coin(1))`, 3],
  [`${FLIP} [2, 1].sort((a, b) => { coin(1); return a - b; }).length`, 1],
  [`${FLIP} "aXbX".replace(/X/g, () => coin(1))`, 2],
  [`${FLIP} map(coin, [1, 1, 1])`, 3],
  [`${FLIP} repeat(3, function() { return coin(1); })`, 3],
  [`${FLIP} map(function(x) { return map(coin, x); }, [[1, 1], [1]])`, 3],
  [`${FLIP} var o = {coin: coin, deep: {coin: coin}}; o.coin(1); o.deep.coin(1); o["coin"](1)`, 3],
  [`${FLIP} var t = function() { return coin(1); }; t(); t(); t()`, 3],
  [`${FLIP} var o = {t: function() { return coin(1); }}; o.t(); o.t(); o?.t(); o.t?.()`, 4],
  [`${FLIP} var k = "t"; var o = {t: function() { return coin(1); }}; o[k](); o[k]()`, 2],
  [`${FLIP} var mk = function() { coin(1); return function() { return coin(1); }; }; mk()(); mk()()`, 4],
  [`${FLIP} var mk = function() { coin(1); return {t: function() { return coin(1); }}; }; mk().t(); mk()?.t()`, 4],
  [`${FLIP} var f = function(x = coin(1), {y = coin(1)} = {}) { return coin(1); }; f(); f(1)`, 5],
  [`${FLIP} var {a = coin(1), b = coin(1)} = {}; var [c = coin(1)] = []`, 3],
  [`${FLIP} var tag = function(s, x) { return coin(1); }; tag\`a\${1}\`; tag\`b\``, 2],
  [`${FLIP} coin(...[1]); coin(...[coin(1) ? 1 : 0])`, 3],
  [`${FLIP} coin(1) ? coin(1) : coin(0); coin(1) && coin(1); coin(0) || coin(1)`, 6],
  [`${FLIP} switch (coin(1)) { case coin(0): 1; case coin(1): 2; }`, 3],
  [`${FLIP} try { coin(1); throw coin(1); } catch (e) { coin(1); } finally { coin(1); }`, 4],
  [`${FLIP} var x = 0; x += coin(1); var o = {n: 0}; o.n += coin(1); o[coin(1) ? "a" : "b"] = coin(1)`, 4],
  [`${FLIP} var xs = [1, 2]; xs[coin(0) ? 1 : 0] + xs[coin(1) ? 1 : 0]`, 2],
  [`${FLIP} ({a: coin(1), [coin(1) ? "b" : "c"]: coin(1), get d() { return coin(1); }}).d`, 4],
  [`${FLIP} \`\${coin(1)} \${coin(1)}\``, 2],
  [`${FLIP} var f = (() => coin(1)); f(), f(), (0, f)()`, 3],
  [`${FLIP} function P() { return {v: coin(1)}; } new P(); new P()`, 2],
  [`${FLIP} var f = function() { return arguments.length + coin(1); }; f(1); f()`, 2],
  [`${FLIP} [coin, coin].map(f => f(1))`, 2],
  [`${FLIP} var fs = [coin]; fs[0](1); fs[0](1)`, 2],
  [`${FLIP} sample(Gaussian({mu: coin(1) ? 1 : 0, sigma: 1}))`, 2],
];

describe('every choice of an execution has its own address', () => {
  test.each(PROGRAMS)('%s', async (code, choices) => {
    const [first, second] = await addressesOf(code, 2);
    expect(first).toHaveLength(choices);
    expect(new Set(first).size).toBe(choices);
    // The same program taking the same way meets the same addresses.
    expect(second).toEqual(first);
  });
});

test('a choice keeps its address when another before it is not made', async () => {
  const code = (p: number) =>
    `${FLIP} var f = function() { if (coin(${p})) { coin(1); coin(1); } for (var i = 0; i < 2; i++) { coin(1); } }; f()`;
  const [withThem] = await addressesOf(code(1));
  const [without] = await addressesOf(code(0));
  expect(without).toHaveLength(3);
  expect(withThem.filter((address) => without.includes(address))).toEqual(without);
});

test('addresses go on after a caught error as if nothing had happened', async () => {
  const [seen] = await addressesOf(
    `${FLIP} var deep = function(n) { if (n === 0) { throw 'x'; } return coin(1) + deep(n - 1); };
     var f = function() { try { deep(2); } catch (e) {} return coin(1); }; f(); f()`,
  );
  expect(seen).toHaveLength(6);
  expect(new Set(seen).size).toBe(6);
  expect(seen[2].split('/').length).toBe(seen[5].split('/').length);
});
