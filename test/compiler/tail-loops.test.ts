import { expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';

const value = async (code: string, file = 'program.wppl'): Promise<unknown> =>
  (await run(code, { seed: 1, file })).value;

const MANY = 10_000_000;

test.each([
  ['a conditional', 'var loop = function(i, acc) { return i === 0 ? acc : loop(i - 1, acc + 1); };'],
  ['the other side', 'var loop = function(i, acc) { return i > 0 ? loop(i - 1, acc + 1) : acc; };'],
  ['the last expression', 'var loop = function(i, acc) { i === 0 ? acc : loop(i - 1, acc + 1) };'],
  ['an if', 'var loop = function(i, acc) { if (i === 0) { return acc; } return loop(i - 1, acc + 1); };'],
  ['an if with else', 'var loop = function(i, acc) { if (i === 0) { acc } else { loop(i - 1, acc + 1) } };'],
  [
    'a chain',
    'var loop = function(i, acc) { return i === 0 ? acc : i % 2 ? loop(i - 1, acc + 1) : loop(i - 1, acc + 1); };',
  ],
  [
    'variables',
    'var loop = function(i, acc) { var j = i - 1; var next = acc + 1; return i === 0 ? acc : loop(j, next); };',
  ],
  ['a declaration', 'function loop(i, acc) { return i === 0 ? acc : loop(i - 1, acc + 1); }'],
  [
    'a function inside',
    'var loop = function(i, acc) { var more = function(k) { return k + 1; }; return i === 0 ? acc : loop(i - 1, more(acc)); };',
  ],
  [
    'functions that keep variables',
    'var loop = function(i, acc) { var j = i - 1; var next = function() { return acc + (i - j); }; return i === 0 ? acc : loop(j, next()); };',
  ],
  ['an arrow', 'var loop = (i, acc) => i === 0 ? acc : loop(i - 1, acc + 1);'],
  ['the right side of ||', 'var loop = function(i, acc) { return (i === 0 && acc) || loop(i - 1, acc + 1); };'],
  ['the right side of &&', 'var loop = (i, acc) => i === 0 ? acc : i > 0 && loop(i - 1, acc + 1);'],
  [
    'the right side of ??',
    'var loop = function(i, acc) { if (i === 0) { acc } else { null ?? (false || loop(i - 1, acc + 1)) } };',
  ],
])('a function may call itself ten million times in return position: %s', async (_, loop) => {
  expect(await value(`${loop}\nloop(${MANY}, 0)`)).toBe(MANY);
});

test.each([
  [
    'two',
    'var isEven = function(n) { return n === 0 ? true : isOdd(n - 1); }; var isOdd = function(n) { return n === 0 ? false : isEven(n - 1); };',
    'isEven',
  ],
  [
    'two that end where a condition says so',
    'var isEven = function(n) { return n === 0 || isOdd(n - 1); }; var isOdd = function(n) { return n > 0 && isEven(n - 1); };',
    'isEven',
  ],
  [
    'three, with ifs and a function that keeps variables',
    'var a = function(n) { if (n === 0) { return true; } return b(n - 1); }; var b = function(n) { if (n === 0) { return false; } else { return c(function() { return n - 1; }); } };' +
      'var c = function(next) { return a(next()); };',
    'a',
  ],
  [
    'one that cannot be a loop',
    'var f = function(n) { if (n % 2) { var odd = 1; } return n === 0 ? odd === undefined : f(n - 1); };',
    'f',
  ],
])('functions may call each other a hundred thousand times in return position: %s', async (_, code, first) => {
  expect(await value(`${code}\n${first}(100000)`)).toBe(true);
});

test('functions that make choices may call each other tens of thousands of times', async () => {
  const code = `var f = function(n, k) { return n === 0 ? k : g(n, k + (flip(0.5) ? 1 : 1)); };
    var g = function(n, k) { return f(n - 1, k); };
    [f(50000, 0), MAP(Infer({method: 'MCMC', samples: 2}, function() { return f(50000, 0); })).val]`;
  expect(await value(code)).toEqual([50000, 50000]);
});

test('so may those that have many arguments', async () => {
  const code = `var f = function(n, k, a, b, c, d, e) { return n === 0 ? [k, a, e] : g(n, k + (flip(0.5) ? 1 : 1), b, c, d, e, a); };
    var g = function(n, k, a, b, c, d, e) { return f(n - 1, k, a, b, c, d, e); };
    [f(50000, 0, 1, 2, 3, 4, 5), MAP(Infer({method: 'MCMC', samples: 2}, function() { return f(50000, 0, 1, 2, 3, 4, 5); })).val]`;
  expect(await value(code)).toEqual([
    [50000, 1, 5],
    [50000, 1, 5],
  ]);
});

test('what is on the left of such a call decides, and is evaluated once', async () => {
  const code = `var seen = [];
    var look = function(x) { seen.push(x); return x; };
    var or = function(xs) { return xs.length > 0 && (look(xs[0]) || or(xs.slice(1))); };
    var given = function(n) { return look([0, null, undefined, ''][n]) ?? given(n - 1); };
    [or([0, '', 2, 3]), or([0, NaN]), given(3), given(2), seen.length]`;
  expect(await value(code)).toEqual([2, false, '', 0, 9]);
  const model =
    'function() { var f = function(n) { factor(-0.1); return n === 0 || (flip(0.5) && f(n - 1)); }; return f(3); }';
  const exact = 0.125 * Math.exp(-0.4);
  const stopped = 0.5 * Math.exp(-0.1) + 0.25 * Math.exp(-0.2) + 0.125 * Math.exp(-0.3);
  expect(await value(`Math.exp(Infer({method: 'enumerate', model: ${model}}).score(true))`)).toBeCloseTo(
    exact / (exact + stopped),
    12,
  );
  expect(await value(`Math.exp(Infer({method: 'SMC', particles: 4000, model: ${model}}).score(true))`)).toBeCloseTo(
    exact / (exact + stopped),
    1,
  );
});

test('functions that call each other are the same to everybody else', async () => {
  const code = `var f = function(n, p) { return n === 0 ? flip(p) : g(n, p); };
    var g = function(n, p) { return flip(p) ? f(n - 1, p) : false; };
    var even = function(n) { return n === 0 ? 0 : 1 + odd(n - 1); };
    var odd = function(n) { return n === 0 ? error('end') : even(n - 1); };
    var way = function(method) { return Math.exp(Infer(method, function() { return f(2, 0.5); }).score(true)); };
    [way({method: 'enumerate'}), way({method: 'enumerate', strategy: 'likelyFirst'}), map(function(n) { return g(n, 1); }, [1, 2]), even(8),
     way({method: 'importance', samples: 4000}) > 0.09, way({method: 'rejection', samples: 4000}) > 0.09]`;
  expect(await value(code)).toEqual(
    [0.125, 0.125, [true, true], 4, true, true].map((x) =>
      typeof x === 'number' && x < 1 ? expect.closeTo(x, 12) : x,
    ),
  );
});

test('a function that makes choices may call itself a hundred thousand times in return position', async () => {
  const code = `var loop = function(i, acc) { return i === 0 ? acc : loop(i - 1, acc + (flip(0.5) ? 1 : 1)); };
    [loop(100000, 0), expectation(Infer({method: 'forward', samples: 1}, function() { return loop(100000, 0); }))]`;
  expect(await value(code)).toEqual([100000, 100000]);
});

/** What must be as if every call had its own variables. */
test.each([
  [
    'arguments that depend on each other',
    'var f = function(a, b, n) { return n === 0 ? [a, b] : f(b, a + b, n - 1); }; f(0, 1, 10)',
    [55, 89],
  ],
  [
    'an argument that is left out',
    'var f = function(n, a) { return n === 0 ? a === undefined : f(n - 1); }; f(3, 1)',
    true,
  ],
  ['an argument too many', 'var f = function(n) { return n === 0 ? 7 : f(n - 1, 5); }; f(3)', 7],
  [
    'functions that keep variables',
    'var f = function(n, fs) { return n === 0 ? map(function(g) { return g(); }, fs) : f(n - 1, fs.concat([function() { return n; }])); }; f(3, [])',
    [3, 2, 1],
  ],
  ['a call that is not the last thing', 'var f = function(n) { return n === 0 ? 0 : 1 + f(n - 1); }; f(5)', 5],
  [
    'a call inside try',
    'var f = function(n) { try { return n === 0 ? error("end") : f(n - 1); } catch (e) { return n; } }; f(4)',
    0,
  ],
  [
    'a variable that only some calls give a value',
    'var f = function(n) { if (n === 2) { var x = 5; } return n === 0 ? x === undefined : f(n - 1); }; f(3)',
    true,
  ],
  [
    'a variable that is read too early',
    'var f = function(n, seen) { var s = seen.concat([typeof x]); var x = n; return n === 0 ? s : f(n - 1, s); }; f(1, [])',
    ['undefined', 'undefined'],
  ],
  [
    'a name that stands for another function inside',
    'var f = function(n) { return n; }; var g = function(f, n) { return n === 0 ? f(n) : g(f, n - 1); }; g(function(n) { return n + 1; }, 3)',
    1,
  ],
  [
    'a loop around the call',
    'var f = function(n) { for (var i = 0; i < 3; i++) { if (i === 1) { return n === 0 ? i : f(n - 1); } } }; f(3)',
    1,
  ],
  [
    'a body that returns nothing',
    'var f = function(n) { if (n > 0) { return f(n - 1); } var a = 1; }; f(3) === undefined',
    true,
  ],
  ['a conjunction', 'var f = function(n) { return n === 0 || f(n - 1); }; f(5)', true],
  [
    'choices',
    "var f = function(n, k) { return n === 0 ? k : f(n - 1, k + (flip(0.5) ? 1 : 0)); }; Infer({method: 'enumerate'}, function() { return f(3, 0); }).score(3) === Math.log(1 / 8)",
    true,
  ],
  [
    'variables that functions keep',
    'var f = function(n, fs) { var m = n * 10; return n === 0 ? map(function(g) { return g(); }, fs) : f(n - 1, fs.concat([function() { return [n, m]; }])); }; f(2, [])',
    [
      [2, 20],
      [1, 10],
    ],
  ],
  [
    'no parameters, and a variable that a function keeps',
    "var f = function() { var x = randomInteger(3); var g = function() { return x; }; return x === 0 ? f() : g(); }; Infer({method: 'rejection', samples: 50}, f).support().sort()",
    [1, 2],
  ],
  [
    'choices inside functions that keep variables',
    "var f = function(n, p) { var g = function() { return flip(p); }; return n === 0 ? g() : g() ? f(n - 1, p / 2) : false; }; Infer({method: 'enumerate'}, function() { return f(2, 0.5); }).score(true) === Math.log(1 / 64)",
    true,
  ],
])('%s', async (_, code, expected) => {
  expect(await value(code)).toEqual(expected);
});

test('default values, rest parameters and patterns', async () => {
  const code = `const f = (n: number, a = n): number => (n === 0 ? a : f(n - 1));
    const g = (n: number, ...rest: number[]): number => (n === 0 ? rest.length : g(n - 1, 1, 2));
    const h = ({ n, a }: { n: number; a: number }): number => (n === 0 ? a : h({ n: n - 1, a: a + 1 }));
    export default [f(3), g(3), h({ n: 3, a: 0 })];`;
  expect(await value(code, 'program.ts')).toEqual([0, 2, 3]);
});

test('under gradients and side by side', async () => {
  const code = `var power = function(n, x, acc) { return n === 0 ? acc : power(n - 1, x, acc * x); };
    var learned = Optimize({model: function() { factor(-power(2, modelParam({name: 'a', mu: 3, sigma: 0}) - 1, 1)); }, steps: 200,
      optMethod: {adam: {stepSize: 0.1}}});
    var drawn = Infer({method: 'importance', samples: 100}, function() { var x = uniform(1, 2); return power(3, x, 1) - x * x * x; });
    [Math.round(T.get(learned.a, 0)), expectation(drawn, Math.abs) < 1e-12]`;
  expect(await value(code)).toEqual([1, true]);
});
