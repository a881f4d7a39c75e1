import { describe, expect, test } from 'vitest';
import { both } from './both-ways.ts';
import { columnProgram } from './column-program.ts';
import { PROGRAMS } from './operated-programs.ts';

const METHODS: Readonly<Record<string, string>> = {
  forward: "method: 'forward', samples: 200",
  importance: "method: 'importance', samples: 200",
  SMC: "method: 'SMC', particles: 100",
};

describe.each(Object.keys(METHODS))('%s side by side gives what it gives one by one', (method) => {
  test.each(Object.keys(PROGRAMS))('%s', async (name) => {
    const code = PROGRAMS[name].replace('$', METHODS[method]);
    for (const seed of [1, 2, 3]) {
      const { together, alone, how } = await both(code, seed);
      expect(together).toEqual(alone);
      expect(how).toContain('side by side');
    }
  });
});

const REJECTION: Readonly<Record<string, string>> = {
  'conditions that hold or not': `
    Infer({method: 'rejection', samples: 300, model() {
      var a = gaussian(0, 1);
      var b = gaussian(a, 1);
      var c = flip(b > 0 ? 0.8 : 0.2);
      condition(c && a + b > 2);
      return {a: a, b: flip(0.5) ? b : 'none'};
    }})`,
  'numbers under conditions, in several rounds': `
    Infer({method: 'rejection', samples: 1500, model() {
      var a = gaussian(0, 1);
      condition(a > (flip(0.5) ? 1 : 0.5));
      return a;
    }})`,
  'numbers that all are accepted': `
    Infer({method: 'rejection', samples: 700, model() {
      var a = uniform(0, 1);
      factor(0);
      return a;
    }})`,
  'numbers of which some score less': `
    Infer({method: 'rejection', samples: 400, model() {
      var a = gaussian(0, 1);
      condition(a > -1);
      factor(a > 0 ? 0 : -1);
      return a;
    }})`,
  'truth values': `
    Infer({method: 'rejection', samples: 300, model() {
      var a = flip(0.5);
      condition(flip(a ? 0.9 : 0.2));
      return a;
    }})`,
  'numbers in some rounds, and text too in others': `
    Infer({method: 'rejection', samples: 600, model() {
      var a = gaussian(0, 1);
      condition(a > 0);
      return a > 3.2 ? 'large' : a;
    }})`,
  'few that may be rejected one after the other': `
    Infer({method: 'rejection', samples: 300, maxRejections: 200, model() {
      var a = gaussian(0, 1);
      condition(a > 1);
      return a;
    }})`,
  'scores below a bound': `
    Infer({method: 'rejection', samples: 100, maxScore: 0.5, model() {
      var x = gaussian(0, 1);
      factor(-x * x / 2);
      factor(flip(0.5) ? 0.5 : -0.5);
      return x;
    }})`,
};

test.each(Object.keys(REJECTION))('rejection side by side gives what it gives one by one: %s', async (name) => {
  for (const seed of [1, 2, 3]) {
    const { together, alone, how } = await both(REJECTION[name], seed);
    expect(together).toEqual(alone);
    expect(how).toContain('side by side');
  }
});

const GUIDED = `
  Infer({$, model() {
    var x = sample(Gaussian({mu: 0, sigma: 2}), {guide: function() { return Gaussian({mu: 1, sigma: 1}); }});
    var c = sample(Bernoulli({p: 0.3}), {guide: Bernoulli({p: 0.6})});
    var y = sample(Gaussian({mu: x, sigma: 1}), {guide: function() { return Gaussian({mu: x + (c ? 1 : 0), sigma: 1.5}); }});
    observe(Gaussian({mu: c ? y : x, sigma: 0.5}), 1.7);
    var z = flip(0.4) ? sample(Uniform({a: 0, b: 1}), {guide: function() { return Beta({a: 2, b: 1}); }}) : 0;
    factor(z);
    return [x, y, z, c];
  }})`;

test.each([
  "method: 'forward', samples: 100, guide: true",
  "method: 'importance', samples: 100, guide: true",
  "method: 'SMC', particles: 100",
  "method: 'SMC', particles: 100, importance: 'ignoreGuide'",
])('guides: %s', async (options) => {
  for (const seed of [1, 2]) {
    const { together, alone, how } = await both(GUIDED.replace('$', options), seed);
    expect(together).toEqual(alone);
    expect(how).toContain('side by side');
  }
});

const LEARNED = `
  var data = [1.1, 0.9, 1.3];
  var model = function() {
    var m = gaussian(0, 2);
    var s = gamma(2, 1);
    var c = flip(m > 0 ? 0.7 : 0.3);
    var u = uniform(0, 1 + s);
    var z = gaussian(c ? m : -m, s);
    var k = sample(RandomInteger({n: c ? 2 : 3}));
    map(function(y) { observe(Gaussian({mu: z + u, sigma: 0.5}), y); }, data);
    return [m, s, c, u, z, k];
  };
  Optimize({model: model, steps: 5, optMethod: 'adam'});
  Infer({$, model: model})`;

test.each([
  "method: 'forward', samples: 100, guide: true",
  "method: 'importance', samples: 100, guide: true",
  "method: 'SMC', particles: 100, importance: 'autoGuide'",
  "method: 'SMC', particles: 60, importance: 'autoGuide', rejuvSteps: 1",
])('automatic guides that were learned: %s', async (options) => {
  for (const seed of [1, 2]) {
    const { together, alone, how } = await both(LEARNED.replace('$', options), seed);
    expect(together).toEqual(alone);
    expect(how).toContain('side by side');
  }
});

test('guides of particles that go on from factor to factor', async () => {
  const code = `
    Infer({method: 'SMC', particles: 1000, model() {
      var a = sample(Bernoulli({p: 0.2}), {guide: Bernoulli({p: 0.3})});
      if (a) { factor(3); }
      var x = sample(Gaussian({mu: 0, sigma: 1}), {guide() { return Gaussian({mu: a ? 1 : 0, sigma: 1.5}); }});
      observe(Gaussian({mu: x, sigma: 0.2}), 1);
      return x;
    }})`;
  const { together, alone, how } = await both(code, 2);
  expect(together).toEqual(alone);
  expect(how).toContain('side by side');
});

test('guides that are networks of what differs', async () => {
  const code = `
    var net = nn.linear(1, 2, 'l');
    var model = function() {
      var m = gaussian(0, 2);
      var guide = function() {
        var out = nneval(net, Vector([m]));
        return Gaussian({mu: T.get(out, 0), sigma: Math.exp(T.get(out, 1))});
      };
      var z = sample(Gaussian({mu: m, sigma: 1}), {guide: guide});
      observe(Gaussian({mu: z, sigma: 0.5}), 1);
      return z;
    };
    Infer({method: 'importance', guide: true, samples: 100, model: model})`;
  const { together, alone, how } = await both(code, 2);
  expect(together).toEqual(alone);
  expect(how).toContain('side by side');
});

test('a guide that does not suit its choice in some executions is refused', async () => {
  const code = `
    Infer({method: 'forward', samples: 50, guide: true, model() {
      var b = flip(0.5) ? 1 : 2;
      return sample(Uniform({a: 0, b: b}), {guide: function() { return Uniform({a: 0, b: 1.5}); }});
    }})`;
  const { together, alone } = await both(code, 2);
  expect(alone).toContain('Uniform cannot guide Uniform');
  expect(together).toEqual(alone);
});

test('data in globalStore, and parameters that are picked by a choice', async () => {
  const code = `
    globalStore.data = [0.3, -1.2, 2.5];
    var components = [{mu: -1, sigma: 1}, {mu: 2, sigma: 0.5}];
    var model = function() {
      return mapData({data: globalStore.data}, function(y) {
        var x = sample(Discrete({ps: [0.3, 0.7]}), {guide: Discrete({ps: [y > 0 ? 0.2 : 0.8, 0.5]})});
        observe(Gaussian(components[x]), y);
        return {x: x};
      });
    };
    globalStore.data = [1, 2, -2, 0];
    Infer({method: 'SMC', particles: 100, model: model})`;
  const { together, alone, how } = await both(code, 2);
  expect(together).toEqual(alone);
  expect(how).toContain('side by side');
});

test('particles that meet factors on sides, one for each item of a list that was made', async () => {
  const code = `
    import { flip, Gaussian, gaussian, Infer, observe } from 'waymark';
    const readings = [{t: 0, y: 1}, {t: 0, y: 3}, {t: 1, y: 2}, {t: 2, y: 0.3}, {t: 2, y: 3.5}];
    export default Infer({ method: 'SMC', particles: 2000, model: () => {
      let x = gaussian(1, 0.5);
      let failed = 0;
      for (let t = 0; t < 3; t++) {
        x += gaussian(1, 0.5);
        for (const { y } of readings.filter((r) => r.t === t)) {
          if (flip(0.2)) { failed++; observe(Gaussian({mu: 0, sigma: 3}), y); }
          else observe(Gaussian({mu: x, sigma: 0.5}), y);
        }
        const own = flip(0.5) ? [1, 2, t] : [2, 1, t];
        for (const w of own) { if (flip(0.3)) observe(Gaussian({mu: w, sigma: 1}), x); else observe(Gaussian({mu: 0, sigma: w + 1}), x); }
      }
      return [x, failed];
    } });`;
  const { together, alone, how } = await both(code, 4, 'ts');
  expect(together).toEqual(alone);
  expect(how).toContain('side by side');
});

test.each(['forward', 'importance', 'SMC'])('distributions whose parameters come out of tables: %s', async (method) => {
  const code = `
    import { Binomial, categorical, Discrete, Infer, Multinomial, observe, randomInteger, sample } from 'waymark';
    type State = 'rest' | 'hunt' | 'sleep';
    const next: Record<State, number[]> = {rest: [0.5, 0.3, 0.2], hunt: [0.2, 0.7, 0.1], sleep: [0.6, 0, 0.4]};
    const emits: Record<State, number[]> = {rest: [0.7, 0.2, 0.1], hunt: [0.1, 0.3, 0.6], sleep: [1, 0, 0]};
    const states: State[] = ['rest', 'hunt', 'sleep'];
    export default Infer({ ${METHODS[method]}, model: () => {
      let state: State = 'rest';
      const path: string[] = [];
      const shift = randomInteger(3);
      for (const symbol of [0, 1, 0, 2]) {
        state = categorical({ vs: states, ps: next[state] }) as State;
        const drawn = sample(Discrete({ ps: emits[state] }));
        const k = sample(Binomial({ n: shift + drawn, p: 0.3 }));
        if (symbol === 0 || state !== 'sleep') observe(Discrete({ ps: emits[state] }), symbol);
        observe(Binomial({ n: 4 + shift, p: 0.25 }), drawn);
        path.push(state + k);
      }
      return { path: path.join(), all: sample(Multinomial({ n: 2 + shift, ps: [0.5, 0.5] })) };
    } });`;
  const { together, alone } = await both(code, 6, 'ts');
  expect(together).toEqual(alone);
});

test('modules in TypeScript', async () => {
  const code = `import { condition, gaussian, flip, Gaussian, Infer, observe, repeat } from 'waymark';
    const walk = (x: number, left: number): number => {
      if (left === 0) return x;
      const { next, scale = 1 } = flip(0.5) ? { next: x + 1, scale: 2 } : { next: x - 1, scale: 0.5 };
      let y = next;
      for (let i = 0; i < 3; i++) y += gaussian(0, scale) / 10;
      observe(Gaussian({ mu: y, sigma: 1 }), left);
      return walk(y, left - 1);
    };
    export default Infer({ method: 'SMC', particles: 80, model: () => {
      const [a, b] = repeat(2, () => gaussian(0, 1));
      condition(!(a > 1 && b > 1));
      return { a, end: walk(a ?? b, 4), text: flip() ? 'x' : \`y\` };
    } });`;
  const { together, alone, how } = await both(code, 5, 'ts');
  expect(together).toEqual(alone);
  expect(how).toContain('side by side');
});

/** Programs that run one by one, and why. */
const ONE_BY_ONE: Readonly<Record<string, readonly [string, string]>> = {
  'keeps state': [
    'globalStore.n = 1; return flip() ? globalStore.n : 0;',
    'functions of the program change what others see',
  ],
  'functions that remember and are made at different points': [
    'var f = flip() ? function(i) { return i; } : (flip(), mem(function(i) { return flip(); })); return [f(1), f(2)];',
    'mem is called at different points of their executions',
  ],
  'changes what others see on one side': [
    'let n = 0; const add = function() { n++; return n; }; return flip(0.5) ? add() : n;',
    'functions of the program change what others see',
  ],
  'changes what is there before it': ['return make();', 'functions of the program change what others see'],
  'shows something': ['var x = gaussian(0, 1); display(x); return x;', 'display is called'],
  fails: ['var x = gaussian(0, 1); return gaussian(0, x);', 'parameters of Gaussian are not what they must be'],
  'types that differ': ["return typeof (flip() ? 1 : 'a');", 'the type of a value differs'],
};

test.each(Object.keys(ONE_BY_ONE))('one by one: %s', async (name) => {
  const [body, reason] = ONE_BY_ONE[name];
  const code = `var make = (function() { let n = 0; return function() { n++; return n + gaussian(0, 1); }; })();
    Infer({method: 'importance', samples: 50, model() { ${body} }})`;
  const { together, alone, how } = await both(code, 1);
  expect(together).toEqual(alone);
  expect(how).toContain(`one by one, because ${reason}`);
});

test('other names for functions of the library', async () => {
  const code = `
    var keep = filter;
    Infer({method: 'forward', samples: 50, model() { return keep(function(x) { return flip(0.5); }, [1, 2, 3]); }})`;
  const { together, alone } = await both(code, 1);
  expect(together).toEqual(alone);
});

test('which distribution a value is', async () => {
  const code = `
    Infer({method: 'forward', samples: 100, model() {
      var p = uniform(0.2, 0.8);
      var d = Bernoulli({p: p}), e = Bernoulli({p: p}), g = Bernoulli({p: 0.5});
      var w = flip(0.5) ? d : e, v = flip(0.5) ? d : g;
      return [d === d, d == d, d === e, w === d, w === e, w === w, v === d, v === g, [d, e].indexOf(w), [e, d].includes(d)];
    }})`;
  const { together, alone, how } = await both(code, 1);
  expect(together).toEqual(alone);
  expect(how).toContain('side by side');
});

test('executions that part into more groups than are worth it', async () => {
  const code = `
    var crp = function(n, counts) {
      if (n === 0) { return counts.length; }
      var t = discrete(counts.concat([1]));
      var next = t === counts.length ? counts.concat([1]) : mapIndexed(function(i, c) { return i === t ? c + 1 : c; }, counts);
      return crp(n - 1, next);
    };
    Infer({method: 'forward', samples: 300, model() { return crp(6, []); }})`;
  const { together, alone, how } = await both(code, 1);
  expect(together).toEqual(alone);
  expect(how).toMatch(/they part into too many groups|they are made sooner alone/);
});

test('executions that part', async () => {
  const code = `
    var count = function(n) {
      var i = 0;
      here: while (i < n && i < 5) { i = i + 1; if (i > 9) { break here; } }
      return i;
    };
    Infer({method: 'forward', samples: 100, model() { return count(poisson(2)) + gaussian(0, 1); }})`;
  const { together, alone, how } = await both(code, 1);
  expect(together).toEqual(alone);
  expect(how).toMatch(/side by side, in \d+ groups/);
});

/** Of 40 programs, so many run side by side at least; where particles part, they are run one by one. */
const BESIDE: Readonly<Record<string, number>> = { forward: 30, importance: 30, SMC: 4 };

describe.each(Object.keys(METHODS))('%s of random programs', (method) => {
  test.each([0, 1, 2])('from number %d00 on', async (hundred) => {
    const options = METHODS[method].replace(/\d+/, '60');
    let beside = 0;
    for (let number = 100 * hundred; number < 100 * hundred + 40; number++) {
      const code = columnProgram(number).replace('$', options);
      const { together, alone, how } = await both(code, number);
      expect(together, `program ${number}:\n${code}`).toEqual(alone);
      if (how.includes('side by side')) beside++;
    }
    expect(beside).toBeGreaterThan(BESIDE[method]);
  });
});
