import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';

interface Found {
  support(): unknown[];
  score(value: unknown): number;
  logZ: number;
}

async function enumerated(definitions: string, body: string, strategy: string): Promise<Found> {
  const { value } = await run(
    `${definitions}
     Infer({method: 'enumerate', strategy: '${strategy}', model() { ${body} }})`,
    { seed: 1 },
  );
  return value as Found;
}

/** Breadth first, every execution runs all of its iterations. */
async function compare(body: string, definitions = ''): Promise<void> {
  const again = await enumerated(definitions, body, 'depthFirst');
  const all = await enumerated(definitions, body, 'breadthFirst');
  expect(again.logZ).toBeCloseTo(all.logZ, 12);
  expect(again.support().length).toBe(all.support().length);
  for (const value of all.support()) expect(again.score(value)).toBeCloseTo(all.score(value), 12);
}

describe('iterations that are not run again give what they would', () => {
  test.each([
    ['repeat', `return repeat(4, function() { return flip(0.3); });`],
    ['map', `return map(function(x) { return x + randomInteger(2); }, [1, 2, 3]);`],
    ['map2', `return map2(function(x, y) { return flip(0.3) ? x : y; }, [1, 2, 3], [4, 5, 6]);`],
    ['mapN', `return mapN(function(i) { return randomInteger(i + 1); }, 4);`],
    ['mapIndexed', `return mapIndexed(function(i, x) { return flip(0.1 * (i + 1)) ? x : i; }, ['a', 'b', 'c']);`],
    [
      'one after the other',
      `var a = repeat(2, flip); var b = repeat(3, function() { return flip(a[0] ? 0.2 : 0.7); }); return [a, b];`,
    ],
    ['one inside the other', `return mapN(function(i) { return repeat(i, function() { return flip(0.3); }); }, 4);`],
    ['as many as were chosen', `return repeat(randomInteger(4), function() { return flip(0.3); });`],
    ['with factors', `return repeat(3, function() { var x = flip(0.3); factor(x ? 1 : 0); return x; });`],
    [
      'with conditions',
      `return map(function(i) { var x = randomInteger(3); condition(x !== i); return x; }, [0, 1, 2]);`,
    ],
    [
      'without choices',
      `var x = flip(0.3); return map(function(i) { factor(x ? i : 0); return i * 2; }, [1, 2]).concat([x]);`,
    ],
    ['some without choices', `return mapN(function(i) { return i === 1 ? 'none' : flip(0.3); }, 4);`],
    [
      'with choices after them',
      `var a = repeat(2, flip); var b = flip(a[0] ? 0.1 : 0.6); condition(a[1] || b); return [a, b, flip(0.4)];`,
    ],
    [
      'in a function called twice',
      `var f = function(p) { return repeat(2, function() { return flip(p); }); }; return [f(0.2), f(0.6)];`,
    ],
    [
      'in a callback of the host',
      `return [0.2, 0.6].map(function(p) { return repeat(2, function() { return flip(p); }); });`,
    ],
    [
      'with an inner inference',
      `return repeat(2, function() {
        var p = expectation(Infer({method: 'enumerate', model() { var c = flip(0.4); factor(c ? 1 : 0); return c; }}));
        return flip(p);
      });`,
    ],
    [
      'with mem',
      `var eye = mem(function(who) { return flip(0.3); }); return map(function(who) { return eye(who); }, ['a', 'b', 'a']);`,
    ],
  ])('%s', async (_name, body) => {
    await compare(body);
  });

  test.each([
    [
      'before other choices',
      `var d = Infer({method: 'forward', samples: 5, model() { return flip(0.4); }});
       var p = expectation(d); var a = flip(p), b = flip(0.3); condition(a || b); return [p, a, b];`,
    ],
    [
      'between choices',
      `var a = flip(0.3);
       var p = expectation(Infer({method: 'rejection', samples: 4, model() { return flip(a ? 0.2 : 0.9); }}));
       return [a, p, flip(p), flip(0.5), flip(0.1)];`,
    ],
    [
      'in calls from several places',
      `var mean = function(p) { return expectation(Infer({method: 'forward', samples: 5, model() { return flip(p); }})); };
       var a = mean(0.2), x = flip(0.5), b = mean(x ? 0.4 : 0.8), y = flip(0.5);
       return [a, x, b, y, mean(y ? 0.1 : 0.6), flip(0.5)];`,
    ],
    [
      'in callbacks of the host',
      `var means = [0.2, 0.7].map(function(p) {
         return expectation(Infer({method: 'forward', samples: 5, model() { return flip(p); }}));
       });
       return [means, flip(0.4), flip(0.5)];`,
    ],
    [
      'in iterations',
      `return mapN(function(i) {
         var p = expectation(Infer({method: 'forward', samples: 5, model() { return flip(0.3); }}));
         return [p, flip(0.5)];
       }, 3);`,
    ],
    [
      'with what mem remembers',
      `var f = mem(function(i) { return flip(0.3); });
       var p = expectation(Infer({method: 'forward', samples: 5, model() { return flip(f(1) ? 0.2 : 0.7); }}));
       return [p, f(1), flip(0.5), f(2)];`,
    ],
  ])('inner inferences that draw samples: %s', async (_name, body) => {
    await compare(body);
  });

  test('where the host calls back from one place, with other arguments', async () => {
    // A function that makes no addresses is called twice, and makes the same call.
    const definitions = `
      var twice = function(f) { return [f(1), f(2)]; };
      var shift = function(k) { return map(function(x) { return x + k * randomInteger(2); }, [0, 10]); };`;
    await compare('return twice(shift);', definitions);
    await compare(`return _.flatMap([1, 2], shift);`, definitions);
  });

  test('in programs with state of their own, which are run from the start', async () => {
    await compare(`
      globalStore.n = 0;
      var xs = repeat(3, function() { globalStore.n = globalStore.n + 1; return flip(0.3) ? globalStore.n : 0; });
      return [xs, globalStore.n];`);
  });
});
