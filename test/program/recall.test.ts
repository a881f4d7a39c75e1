/** Inner enumerations that are recalled in place of being made again. */
import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';
import { machine } from '../../src/runtime/machine.ts';

/** Makes a program one that keeps state, in which nothing is recalled. */
const STATE = '\nvar unused = function() { globalStore.x = 1; };\n';

async function outcome(
  code: string,
  language: 'wppl' | 'ts' = 'wppl',
): Promise<{ value: unknown; executions: number }> {
  const before = machine.executions;
  const { value } = await run(code, { seed: 1, language, file: `model.${language}` });
  return { value, executions: machine.executions - before };
}

const INNER = `
  var inner = function(p) {
    return Infer({method: 'enumerate', model() {
      var coins = repeat(4, function() { return flip(p); });
      condition(any(function(c) { return c; }, coins));
      return sum(coins);
    }});
  };`;

const REPEATED: readonly [what: string, code: string][] = [
  [
    'by the value of a parameter',
    `${INNER} var model = function() { var i = randomInteger(40); observe(inner(i % 2 ? 0.25 : 0.5), 2); return i; };
     expectation(Infer({method: 'enumerate', model}))`,
  ],
  [
    'without a method',
    `${INNER.replace("method: 'enumerate', ", '')}
     expectation(Infer({method: 'enumerate', model() { var i = randomInteger(40); observe(inner(0.25), i % 4); return i; }}))`,
  ],
  [
    'under a method that draws samples',
    `${INNER} expectation(Infer({method: 'MCMC', samples: 40, model() {
       var i = randomInteger(40); factor(inner(0.5).score(i % 4)); return i; }}))`,
  ],
  [
    'of a model declared at top level',
    `var inner = function() { return sum(repeat(4, flip)); };
     var model = function() { var i = randomInteger(40); factor(Infer({model: inner}).score(i % 4)); return i; };
     expectation(Infer({method: 'enumerate', model}))`,
  ],
  [
    'three levels deep, by the identity of an object',
    `${INNER} var things = map(function(i) { return {p: 0.1 * (i + 1)}; }, _.range(4));
     var middle = function(thing) { return Infer({model() { var k = randomInteger(5); observe(inner(thing.p), k); return k; }}); };
     expectation(Infer({method: 'enumerate', model() {
       var i = randomInteger(40); observe(middle(things[i % 4]), 1 + i % 3); return i; }}))`,
  ],
];

describe('is recalled', () => {
  test.each(REPEATED)('%s', async (_what, code) => {
    const recalled = await outcome(code);
    const repeated = await outcome(STATE + code);
    expect(recalled.value).toBe(repeated.value);
    expect(recalled.executions).toBeLessThan(repeated.executions / 4);
  });
});

/** Programs in which what an inner inference finds is not the same each time, with what they give. */
const DIFFERENT: readonly [what: string, code: string, value: unknown][] = [
  [
    'if it asks what mem remembers of the execution around it',
    `var bias = mem(function(name) { return flip(0.5) ? 1 : 0; });
     var model = function() {
       var first = bias('a');
       var inner = Infer({method: 'enumerate', model() { return flip(0.5) ? bias('a') : 2; }});
       return inner.support().join();
     };
     Infer({method: 'enumerate', model}).support().sort().join(' ')`,
    '0,2 1,2',
  ],
  [
    'if a variable that it sees is assigned to',
    `var twice = function() {
       var x = 1;
       var read = function() { return x; };
       var inner = function() { return Infer({method: 'enumerate', model() { return read() + (flip(0.5) ? 1 : 0); }}); };
       var before = inner().support().join();
       x = 10;
       return before + ' ' + inner().support().join();
     };
     Infer({method: 'enumerate', model() { return twice(); }}).support()[0]`,
    '2,1 11,10',
  ],
  [
    'if the program has gone on at top level',
    `var x = 1;
     var model = function() { return Infer({method: 'enumerate', model() { return x + (flip(0.5) ? 1 : 0); }}).support().join(); };
     var before = Infer({method: 'enumerate', model}).support()[0];
     x = 10;
     before + ' ' + Infer({method: 'enumerate', model}).support()[0]`,
    '2,1 11,10',
  ],
  [
    'for zeros of different sign',
    `var model = function() {
       var zero = flip(0.5) ? 0 : -0;
       return Infer({method: 'enumerate', model() { return flip(0.5) ? 1 / zero : 0; }}).support().join();
     };
     Infer({method: 'enumerate', model}).support().sort().join(' ')`,
    '-Infinity,0 Infinity,0',
  ],
];

describe('is not recalled', () => {
  test.each(DIFFERENT)('%s', async (_what, code, value) => {
    expect((await outcome(code)).value).toBe(value);
  });

  test('if it draws random numbers', async () => {
    const code = `
      var noisy = function() { return Infer({method: 'enumerate', model() {
        return flip(0.5) ? expectation(Infer({method: 'forward', samples: 3, model() { return gaussian(0, 1); }})) : 0; }}); };
      Infer({method: 'forward', samples: 5, model() { return noisy().support()[0]; }}).support().length`;
    expect((await outcome(code)).value).toBe(5);
  });

  test('if it depends on parameters, which change', async () => {
    const code = `
      var inner = function() { return Infer({method: 'enumerate', model() { return flip(sigmoid(param({name: 'p', mu: 0, sigma: 0}))); }}); };
      var model = function() { return inner().score(true); };
      var infer = function(p) { return Infer({method: 'enumerate', params: {p: p}, model}).support()[0]; };
      Math.exp(infer(0)) + ' ' + (Math.exp(infer(1)) > 0.6)`;
    expect((await outcome(code)).value).toBe('0.5 true');
  });

  test('if it prints', async () => {
    const code = `
      var inner = function() { return Infer({method: 'enumerate', model() { print('here'); return flip(0.5); }}); };
      Infer({method: 'enumerate', model() { var i = randomInteger(3); return [i, inner().score(true)]; }})`;
    const { outputs } = await run(code, { seed: 1, language: 'wppl' });
    expect(outputs).toHaveLength(6);
  });

  test('in loops of TypeScript, whose variables change', async () => {
    const code = `
      import { Infer, flip } from 'waymark';
      const model = () => {
        let seen = '';
        let last = () => 0;
        const inner = (f: () => number) => Infer({ method: 'enumerate', model: () => f() + (flip(0.5) ? 1 : 0) });
        for (let i = 0; i < 4; i += 2) {
          if (i === 0) last = () => i;
          seen += \`\${inner(last).support()} \`;
          i++;
          seen += \`\${inner(last).support()} \`;
          i--;
        }
        return seen;
      };
      export default Infer({ method: 'enumerate', model }).support()[0];`;
    expect((await outcome(code, 'ts')).value).toBe('1,0 2,1 1,0 1,0 ');
  });
});

test('models that are different every time are not kept', async () => {
  const code = `
    var model = function() {
      var x = {value: gaussian(0, 1)};
      factor(Infer({method: 'enumerate', model() { return flip(0.5) ? x.value : 0; }}).score(0));
      return 1;
    };
    Infer({method: 'forward', samples: 1000, model}).support().length`;
  const { value, executions } = await outcome(code);
  expect(value).toBe(1);
  // Two for each inner inference; the outer executions run side by side.
  expect(executions).toBeGreaterThan(2000);
});
