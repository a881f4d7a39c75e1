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

/** Objects of two inferences are two, whether or not the second was made, and wherever they are compared. */
test.each([
  ['var a = one(1); var b = one(1); [a === b, one(1) === a]', [false, false]],
  ["Infer({method: 'enumerate', model() { flip(0.5); return one(1) === one(1); }}).support()", [false]],
  ["Infer({method: 'enumerate', model() { flip(0.5); return [one(1), one(2)].indexOf(one(1)); }}).support()", [-1]],
  [
    `var outer = function() { return Infer({method: 'enumerate', model() { flip(0.5); return one(1); }}).support()[0]; };
     [outer() === outer(), _.isEqual(outer(), outer())]`,
    [false, true],
  ],
  // Within one value; those that are one stay one, wherever they were made.
  [
    `var v = Infer({method: 'enumerate', model() { flip(0.5); return [one(1), one(1)]; }}).support()[0];
     [v[0] === v[1], _.isEqual(v[0], v[1])]`,
    [false, true],
  ],
  [
    `var v = Infer({method: 'enumerate', model() { flip(0.5); var a = one(1); return {a, b: [a, one(1)]}; }}).support()[0];
     [v.a === v.b[0], v.a === v.b[1]]`,
    [true, false],
  ],
  [
    `var known = {k: 1};
     var draw = function(u) {
       return Infer({method: 'enumerate', model() { return {of: flip(0.5) ? known : known, u}; }}).support()[0]; };
     var v = Infer({method: 'enumerate', model() { flip(0.5); return [draw(1), draw(1)]; }}).support()[0];
     [v[0] === v[1], v[0].of === v[1].of, v[0].of === known]`,
    [false, true, true],
  ],
])('%s', async (code, expected) => {
  const inner = `var one = function(u) {
    return Infer({method: 'enumerate', model() { return {u: u, v: flip(0.5)}; }}).support()[0]; };`;
  expect((await outcome(`${inner}\n${code}`)).value).toEqual(expected);
  expect((await outcome(`${STATE}${inner}\n${code}`)).value).toEqual(expected);
});

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
  [
    'through mutual recursion, of functions inside another',
    `var makeAgent = function(horizon) {
       var act = function(state, time) {
         return Infer({model() { var a = uniformDraw([-1, 0, 1]); factor(expected(state, a, time)); return a; }});
       };
       var expected = function(state, a, time) {
         if (time === horizon) { return state; }
         return state + expectation(Infer({model() {
           var next = state + a;
           return expected(next, sample(act(next, time + 1)), time + 1);
         }}));
       };
       return act;
     };
     var act = makeAgent(4);
     expectation(act(0, 0))`,
  ],
  [
    'by the contents of objects that are new each time',
    `${INNER} var of = function(state) { return inner(state.p[0]); };
     var middle = function(state) { return Infer({model() { var k = randomInteger(5); observe(of(state), k); return k; }}); };
     expectation(Infer({method: 'enumerate', model() {
       var i = randomInteger(40); observe(middle({p: [i % 2 ? 0.25 : 0.5], name: 'x'}), 1 + i % 3); return i; }}))`,
  ],
  [
    'by what functions were made from, in circles too',
    `var makeAgent = function(wants) {
       var value = function(state) { return state === wants.place ? wants.much : 0; };
       var actions = {list: function(state) { return state > 2 ? [-1, 0] : [-1, 0, 1]; }};
       var act = function(state, time) {
         return Infer({model() { var a = uniformDraw(actions.list(state)); factor(expected(state, a, time)); return a; }});
       };
       var expected = dp.cache(function(state, a, time) {
         if (time === 0) { return value(state); }
         return value(state) + expectation(Infer({model() {
           var next = state + a;
           return expected(next, sample(act(next, time - 1)), time - 1);
         }}));
       });
       return {act: act, wants: wants};
     };
     expectation(Infer({method: 'MCMC', samples: 30, model() {
       var agent = makeAgent({place: uniformDraw([-1, 2]), much: 1});
       observe(agent.act(0, 2), 1);
       return agent.wants.place;
     }}))`,
  ],
  [
    'in inferences at top level, one after the other',
    `${INNER} sum(map(function(i) { return expectation(inner(i % 2 ? 0.25 : 0.5)); }, _.range(20)))`,
  ],
  [
    'by the identity of objects that are compared',
    `${INNER} var things = map(function(i) { return {p: 0.1 * (i + 1)}; }, _.range(4));
     var middle = function(thing) { return Infer({model() {
       var k = randomInteger(4); var other = things[k]; observe(inner(thing.p), k); return other === thing; }}); };
     expectation(Infer({method: 'enumerate', model() {
       var i = randomInteger(40); observe(middle(things[i % 4]), i % 3 === 0); return i; }}))`,
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
  [
    'if a function is called before it is there, and the program catches that',
    `var twice = function() {
       var inner = function() { return Infer({method: 'enumerate', model() { return read() + (flip(0.5) ? 1 : 0); }}); };
       var read = function() { return late === undefined ? 1 : late(); };
       var before = inner().support().join();
       var late = function() { return 10; };
       return before + ' ' + inner().support().join();
     };
     Infer({method: 'enumerate', model() { return twice(); }}).support()[0]`,
    '2,1 11,10',
  ],
  [
    'if a variable is declared at top level in between',
    `var model = function() { return Infer({method: 'enumerate', model() { return (x === undefined ? 1 : 10) + (flip(0.5) ? 1 : 0); }}).support().join(); };
     var before = model();
     var x = 10;
     before + ' ' + model()`,
    '2,1 11,10',
  ],
  [
    'for functions made with other values, deep inside others',
    `var make = function(x) {
       var deep = function() { return x; };
       var next = function(n) { return n === 0 ? last(n) : deep() + 0 * n; };
       var last = function(n) { return next(n + 1); };
       return {f: [next, last]};
     };
     var infer = function(made) { return Infer({method: 'enumerate', model() { var f = made.f[0]; return f(0) + (flip(0.5) ? 1 : 0); }}); };
     Infer({method: 'enumerate', model() { return infer(make(uniformDraw([1, 10]))).support().join(); }}).support().sort().join(' ')`,
    '11,10 2,1',
  ],
  [
    'for another order of fields',
    `var names = function(thing) { return Infer({method: 'enumerate', model() { return flip(0.5) ? _.keys(thing).join('') : ''; }}); };
     Infer({method: 'enumerate', model() {
       return names(flip(0.5) ? {a: 1, b: 2} : {b: 2, a: 1}).support().join(); }}).support().sort().join(' ')`,
    'ab, ba,',
  ],
];

/** Programs that compare objects by what they are, which other objects of the same contents are not. */
const IDENTITIES: readonly [what: string, code: string, value: unknown][] = [
  [
    'in the inner model',
    `var first = {x: 1}; var second = {x: 1};
     var isFirst = function(thing) { return Infer({method: 'enumerate', model() { return flip(0.5) ? thing === first : 0; }}); };
     Infer({method: 'enumerate', model() {
       return isFirst(flip(0.5) ? first : second).support().join(); }}).support().sort().join(' ')`,
    'false,0 true,0',
  ],
  [
    'that an inner inference returned',
    `var mirror = function(thing) { return Infer({method: 'enumerate', model() { return flip(1) ? thing : 0; }}); };
     Infer({method: 'enumerate', model() {
       var thing = {x: flip(0.5)}; return mirror(thing).support()[0] === thing; }}).support().join()`,
    'true',
  ],
  [
    'one returned by an inference, the other inside another object',
    `var mirror = function(thing) { return Infer({method: 'enumerate', model() { return flip(1) ? thing.part : 0; }}); };
     Infer({method: 'MCMC', samples: 50, model() {
       var part = [flip(0.5)]; return mirror({part: part}).support()[0] !== part; }}).support().join()`,
    'false',
  ],
  [
    'that are functions',
    `var pick = function(f, g) { return Infer({method: 'enumerate', model() { return flip(0.5) ? f === g : 0; }}); };
     Infer({method: 'enumerate', model() {
       var a = function() { return 1; };
       var make = function() { return function() { return 2; }; };
       var x = make(); var y = make();
       return flip(0.5) ? pick(x, y).support().join() : pick(x, x).support().join(); }}).support().sort().join(' ')`,
    'false,0 true,0',
  ],
  [
    'by looking for one in a list',
    `var things = [{x: 1}, {x: 1}];
     var place = function(thing) { return Infer({method: 'enumerate', model() { return flip(0.5) ? things.indexOf(thing) : 7; }}); };
     Infer({method: 'enumerate', model() { return place(uniformDraw(things)).support().join(); }}).support().sort().join(' ')`,
    '0,7 1,7',
  ],
];

describe('identities are what they are without recalling', () => {
  test.each(IDENTITIES)('of objects compared %s', async (_what, code, value) => {
    expect((await outcome(code)).value).toBe(value);
    expect((await outcome(STATE + code)).value).toBe(value);
  });
});

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
