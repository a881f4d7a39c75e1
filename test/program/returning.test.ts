import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';
import { makeUnit, readFile } from '../../src/program/unit.ts';

const outcome = async (code: string, language: 'wppl' | 'ts' = 'wppl'): Promise<unknown> =>
  (await run(code, { seed: 1, language, file: `model.${language}` })).value;

const STEPS = 60;
const DATA = Array.from({ length: STEPS }, (_, i) => (i * 7) % 3 === 0);

/** P(last state is true | data) and log P(data) of the hidden Markov model below, by the forward algorithm. */
function filtered(): { last: number; logZ: number } {
  let yes = 0.5;
  let no = 0.5;
  let logZ = 0;
  for (const datum of DATA) {
    const a = (0.7 * yes + 0.3 * no) * (datum ? 0.9 : 0.1);
    const b = (0.3 * yes + 0.7 * no) * (datum ? 0.1 : 0.9);
    logZ += Math.log(a + b);
    yes = a / (a + b);
    no = b / (a + b);
  }
  return { last: yes, logZ };
}

const HMM = `
  var data = ${JSON.stringify(DATA)};
  var transition = function(s) { return s ? flip(0.7) : flip(0.3); };
  var step = function(i, s) {
    if (i === data.length) { return s; }
    var next = transition(s);
    observe(Bernoulli({p: next ? 0.9 : 0.1}), data[i]);
    return step(i + 1, next);
  };`;

describe('paths that come to the same call', () => {
  test('are added up: a hidden Markov model with 2^61 paths', async () => {
    const [score, logZ] = (await outcome(`${HMM}
      var dist = Infer({method: 'enumerate', model() { return step(0, flip(0.5)); }});
      [dist.score(true), dist.logZ]`)) as number[];
    const { last, logZ: evidence } = filtered();
    expect(score).toBeCloseTo(Math.log(last), 10);
    expect(logZ).toBeCloseTo(evidence, 9);
  });

  test('are added up in TypeScript, through arrows and conditional expressions', async () => {
    const dist = (await outcome(
      `import { Infer, flip } from 'waymark';
       const walk = (n: number, x: number): number => n === 0 ? x : flip(0.5) ? walk(n - 1, x + 1) : walk(n - 1, x - 1);
       export default Infer({ method: 'enumerate', model: () => walk(50, 0) });`,
      'ts',
    )) as { score(x: number): number; support(): number[] };
    const logChoose = (n: number, k: number) => {
      let sum = 0;
      for (let i = 1; i <= k; i++) sum += Math.log((n - k + i) / i);
      return sum;
    };
    expect(dist.support().length).toBe(51);
    for (const k of [0, 10, 25, 50]) {
      expect(dist.score(2 * k - 50)).toBeCloseTo(logChoose(50, k) - 50 * Math.log(2), 10);
    }
  });

  test('keep the order in which values are first met', async () => {
    const walk = `var walk = function(n, x) { return n === 0 ? x : walk(n - 1, x + randomInteger(3)); };`;
    const support = async (options: string) =>
      outcome(`${walk} Infer({${options}, model() { return walk(6, 0); }}).support()`);
    expect(await support(`method: 'enumerate'`)).toEqual(
      await support(`method: 'enumerate', strategy: 'depthFirst', maxExecutions: 1e9`),
    );
  });

  test('are weighed by what came before them', async () => {
    const code = (options: string) => `
      var end = function(k) { return flip(0.25) ? k : -1; };
      var step = function(n, k) { return n === 0 ? end(k) : step(n - 1, flip(0.3) ? k + 1 : k); };
      Infer({method: 'enumerate'${options}, model() {
        var first = randomInteger(4);
        factor(first);
        return step(3, first % 2);
      }})`;
    const merged = (await outcome(code(''))) as { score(x: number): number };
    const all = (await outcome(code(`, strategy: 'depthFirst', maxExecutions: 1e6`))) as typeof merged;
    for (const k of [-1, 0, 1, 2, 3, 4]) expect(merged.score(k)).toBeCloseTo(all.score(k), 10);
  });

  test('are told apart by what mem remembers', async () => {
    const code = (options: string) => `Infer({method: 'enumerate'${options}, model() {
      return start();
    }})`;
    const program = (options: string) => `
      var coin = mem(function(i) { return flip(0.3); });
      var step = function(n) { return n === 0 ? coin(0) + coin(1) : again(n - 1); };
      var again = function(n) { var c = coin(n % 2); condition(c || coin(1)); return step(n); };
      var start = function() { var a = flip(0.5); return a ? step(3) : step(3); };
      ${code(options)}`;
    const merged = (await outcome(program(''))) as { score(x: number): number };
    const all = (await outcome(program(`, strategy: 'likelyFirst', maxExecutions: 1e6`))) as typeof merged;
    for (const k of [0, 1, 2]) {
      if (all.score(k) === -Infinity) expect(merged.score(k)).toBe(-Infinity);
      else expect(merged.score(k)).toBeCloseTo(all.score(k), 10);
    }
  });

  test('are told apart by what an inner inference draws', async () => {
    const program = (options: string) => `
      var guess = function() { return expectation(Infer({method: 'forward', samples: 10}, function() { return flip(0.5); })); };
      var step = function(n) { return n === 0 ? 'end' : step(n - 1); };
      var last = function(n) { var g = guess(); flip(0.5); return [n, g]; };
      Infer({method: 'enumerate'${options}, model() {
        return flip(0.5) ? last(1) : flip(0.5) ? last(guess() + 2) : last(1);
      }}).support()`;
    expect(await outcome(program(''))).toEqual(await outcome(program(`, strategy: 'breadthFirst'`)));
  });
});

describe('programs with state of their own', () => {
  const outcomes = async (code: string, language: 'wppl' | 'ts') =>
    ((await outcome(code, language)) as { support(): unknown[] }).support();

  test('are executed from the start: a list that is changed', async () => {
    const code = `import { Infer, flip } from 'waymark';
      const step = (n: number, xs: number[]): string => {
        if (n === 0) return xs.join('');
        xs.push(flip(0.5) ? 1 : 0);
        return step(n - 1, xs);
      };
      export default Infer({ method: 'enumerate', model: () => step(2, []) });`;
    expect((await outcomes(code, 'ts')).sort()).toEqual(['00', '01', '10', '11']);
  });

  test('are executed from the start: a variable of another function', async () => {
    const code = `import { Infer, flip } from 'waymark';
      const model = () => {
        let heads = 0;
        const step = (n: number): number => {
          if (n === 0) return heads;
          if (flip(0.5)) heads++;
          return step(n - 1);
        };
        return step(3);
      };
      export default Infer({ method: 'enumerate', model });`;
    expect((await outcomes(code, 'ts')).sort()).toEqual([0, 1, 2, 3]);
  });

  test('are executed from the start: the global store', async () => {
    const code = `
      var step = function(n) {
        if (n === 0) { return globalStore.heads; }
        globalStore.heads = globalStore.heads + (flip(0.5) ? 1 : 0);
        return step(n - 1);
      };
      Infer({method: 'enumerate', model() { globalStore.heads = 0; return step(3); }})`;
    expect((await outcomes(code, 'wppl')).sort()).toEqual([0, 1, 2, 3]);
  });
});

describe('a condition that fails', () => {
  const methods = [`method: 'enumerate'`, `method: 'rejection', samples: 200`];

  test.each([
    ['in the model', `var x = randomInteger(4); condition(x > 1); return x;`],
    ['in a branch', `var x = randomInteger(4); if (x < 2) { condition(false); } return x;`],
    ['in a loop', `var x = randomInteger(4); for (var i = 0; i < 2; i++) { condition(x !== i); } return x;`],
    ['in a function called', `var x = randomInteger(4); check(x); return x;`],
    [
      'in a callback',
      `var x = randomInteger(4); map(function(i) { condition(x !== i); return i; }, [0, 1]); return x;`,
    ],
    [
      'in a callback of the host',
      `var x = randomInteger(4); [0, 1].forEach(function(i) { condition(x !== i); }); return x;`,
    ],
    ['in the function returned', `return keep(randomInteger(4));`],
    ['as the value of an expression', `var x = randomInteger(4); var y = [condition(x > 1)]; return x;`],
    ['before a call that must not be made', `var x = randomInteger(4); condition(x > 1); return checked(x);`],
  ])('%s', async (_name, body) => {
    for (const method of methods) {
      const support = (await outcome(`
        var check = function(x) { condition(x > 1); };
        var keep = function(x) { condition(x > 1); return x; };
        var checked = function(x) { return x > 1 ? x : error('not reached'); };
        Infer({${method}, model() { ${body} }}).support()`)) as number[];
      expect([...support].sort()).toEqual([2, 3]);
    }
  });

  test('inside try goes past catch, and finally is run', async () => {
    const code = (method: string) => `
      import { Infer, condition, randomInteger } from 'waymark';
      let cleared = 0;
      const dist = Infer({ ${method}, model: () => {
        const x = randomInteger(4);
        try { condition(x > 1); } catch (e) { return 9; } finally { cleared++; }
        return x;
      }});
      export default [[...dist.support()].sort(), cleared >= 4];`;
    for (const method of methods) expect(await outcome(code(method), 'ts')).toEqual([[2, 3], true]);
  });

  test('in a model that a host function wraps', async () => {
    const support = (await outcome(`
      var base = function() { var x = randomInteger(4); condition(x > 1); return x; };
      var twice = _.flow([base, function(x) { return x * 2; }]);
      Infer({method: 'enumerate', model: twice}).support()`)) as number[];
    expect([...support].sort()).toEqual([4, 6]);
  });

  test('in a model given to mem, or used as a part of another', async () => {
    const support = (await outcome(`
      var base = function() { var x = randomInteger(4); condition(x > 1); return x; };
      var one = Infer({method: 'enumerate', model: mem(base)}).support();
      var two = Infer({method: 'enumerate', model: base}).support();
      var three = Infer({method: 'enumerate', model() { var x = base(); return [x]; }}).support();
      [one, two, three]`)) as number[][];
    expect(support).toEqual([
      [2, 3],
      [2, 3],
      [[2], [3]],
    ]);
  });
});

test('recursion in return position needs no stack under enumeration', async () => {
  const value = await outcome(`
    var count = function(n, x) { observe(Bernoulli({p: 1}), true); return n === 0 ? x : count(n - 1, x); };
    Infer({method: 'enumerate', model() { return count(200000, flip(0.5)); }}).score(true)`);
  expect(value).toBeCloseTo(Math.log(0.5), 12);
});

test('calls back in return position without end are an error', async () => {
  await expect(
    outcome(`
      var forever = function(x) { factor(0); return forever(x); };
      Infer({method: 'enumerate', model() { return forever(flip(0.5)); }})`),
  ).rejects.toThrow(/without ending/);
}, 60_000);

describe('which programs keep no state of their own', () => {
  const stateless = (code: string, language: 'wppl' | 'ts' = 'wppl') =>
    makeUnit(readFile(code, `model.${language}`, language), {}).compiled.stateless;

  test.each([
    'var f = function(x) { return x + 1; }; map(f, [1])',
    'var f = function(xs) { for (var i = 0; i < 3; i++) { flip(); } return _.range(3); }; f()',
    'var x = 1; var x = x + 1; x',
    'query.add("a", 1)',
    'T.add(1, 2)',
    'Math.max(1, 2)',
    '_.extend({}, {a: 1})',
  ])('%s', (code) => {
    expect(stateless(code)).toBe(true);
  });

  test.each([
    'globalStore.x = 1',
    'globalStore',
    '[].push(1)',
    'var o = {}; o["f"]()',
    'new Map().set(1, 2)',
    'var o = {}; _.extend(o, {a: 1})',
    '_.merge({a: [1]}, {a: [2]})',
    'webpplEval("1")',
    'require("fs")',
    'Math.x = 1',
    'var m = Math; m.x = 1',
    'Object.defineProperty(Math, "x", {value: 1})',
    'Object.assign(Math, {x: 1})',
    'Object.setPrototypeOf(Array.prototype, {})',
    'Array.prototype.__defineGetter__("x", function() { return 1; })',
    '_.extend(Array.prototype, {x: 1})',
    '_.set(Array.prototype, "x", 1)',
    '_top.x = 1',
  ])('not %s', (code) => {
    expect(stateless(code)).toBe(false);
  });

  test.each([
    'let x = 0; const f = () => { x = 1; }; f();',
    'const o = { a: 1 }; o.a = 2;',
    'const o = { a: 1 }; o.a++;',
    'const o: { a?: number } = { a: 1 }; delete o.a;',
    'const xs = [0]; for (xs[0] of [1, 2]) {}',
    'const xs = [1, 2]; [xs[0], xs[1]] = [2, 1];',
    "import { globalStore as g } from 'waymark'; export default g;",
  ])('not %s in TypeScript', (code) => {
    expect(stateless(code, 'ts')).toBe(false);
  });
});

describe('which programs keep no state but in globalStore', () => {
  const resumable = (code: string): boolean => makeUnit(readFile(code, 'model.wppl', 'wppl'), {}).compiled.resumable;

  test.each([
    'globalStore.x = 1',
    'globalStore.n = globalStore.n + 1; globalStore["a"] = [globalStore.n]',
    'var f = function() { return globalStore.x; }; f()',
  ])('%s', (code) => {
    expect(resumable(code)).toBe(true);
  });

  test.each([
    'globalStore',
    'var f = function(s) { return s; }; f(globalStore).x',
    'globalStore.list.push(1)',
    'globalStore.o.x = 1',
    'globalStore.x = 1; var o = {}; _.extend(o, {a: 1})',
  ])('not %s', (code) => {
    expect(resumable(code)).toBe(false);
  });
});

test('particles take up executions with the store as it was there', async () => {
  const walk = (before: string, count: string): string => `
    var data = map(function(i) { return Math.sin(i / 9); }, _.range(100));
    var walk = function(i, x) {
      if (i === data.length) { return {x: x, count: ${count}}; }
      var next = gaussian(x, 0.3);
      ${before}
      observe(Gaussian({mu: next, sigma: 0.5}), data[i]);
      return walk(i + 1, next);
    };
    var dist = Infer({method: 'SMC', particles: 30, model() { return walk(0, 0); }});
    [dist.logZ, expectation(dist, function(s) { return s.x; }), _.uniq(map(function(s) { return s.count; }, dist.support()))]`;
  const [logZ, mean] = (await outcome(walk('', '100'))) as [number, number];
  const stored = await outcome(
    walk('globalStore.count = (globalStore.count || 0) + 1; globalStore.last = next;', 'globalStore.count'),
  );
  expect(stored).toEqual([logZ, mean, [100]]);
});

describe('particles of long executions', () => {
  const T = 120;
  const ys = Array.from({ length: T }, (_, i) => Math.sin(i / 7) * 3);

  /** Mean and variance of the last state, and log P(ys), by Kalman's filter. */
  function kalman(): { mean: number; logZ: number } {
    let mean = 0;
    let variance = 1;
    let logZ = 0;
    for (const y of ys) {
      variance += 0.25;
      const total = variance + 0.49;
      logZ += -0.5 * Math.log(2 * Math.PI * total) - (0.5 * (y - mean) ** 2) / total;
      const gain = variance / total;
      mean += gain * (y - mean);
      variance *= 1 - gain;
    }
    return { mean, logZ };
  }

  test.each([
    ['SMC', `method: 'SMC', particles: 2000`],
    ['SMC that looks for guides', `method: 'SMC', particles: 2000, importance: 'autoGuide'`],
  ])('are taken up again where they were: %s', async (_name, options) => {
    const [mean, logZ] = (await outcome(`
      var ys = ${JSON.stringify(ys)};
      var step = function(i, x) {
        if (i === ys.length) { return x; }
        var next = gaussian(x, 0.5);
        observe(Gaussian({mu: next, sigma: 0.7}), ys[i]);
        return step(i + 1, next);
      };
      var dist = Infer({${options}, model() { return step(0, gaussian(0, 1)); }});
      [expectation(dist), dist.logZ]`)) as number[];
    const exact = kalman();
    // Standard deviations over 40 other seeds: 0.018 of the mean, 0.3 of logZ.
    expect(Math.abs(mean - exact.mean)).toBeLessThan(5 * 0.018);
    expect(Math.abs(logZ - exact.logZ)).toBeLessThan(5 * 0.3);
  });

  test('go on as if they had been executed from the start', async () => {
    // Whether the program keeps state decides if executions are taken up again, and must not decide what comes of them.
    const program = (state: string) => `
      var step = function(i, xs) {
        if (i === 70) { return xs; }
        ${state}
        var x = flip(0.5);
        factor(x ? -0.01 : 0);
        return step(i + 1, i % 10 === 0 ? xs.concat([x]) : xs);
      };
      map(function(s) { return s.value; }, Infer({method: 'rejection', samples: 50, model() { return step(0, []); }}).samples)`;
    expect(await outcome(program(''))).toEqual(await outcome(program('globalStore.i = i;')));
  });
});
