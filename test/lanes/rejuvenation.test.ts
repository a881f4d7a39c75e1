import { describe, expect, test } from 'vitest';
import type { Trace } from '../../src/inference/chains/trace.ts';
import { run } from '../../src/program/run.ts';
import { both } from './both-ways.ts';
import { columnProgram } from './column-program.ts';
import { PROGRAMS } from './operated-programs.ts';

async function holds(code: string, seeds: readonly number[], how: string): Promise<void> {
  for (const seed of seeds) {
    const found = await both(code, seed);
    expect(found.together, code).toEqual(found.alone);
    expect(found.how).toContain(how);
  }
}

describe.each(['rejuvSteps: 2', 'rejuvSteps: 1, finalRejuv: false'])(
  'SMC with %s side by side gives what it gives one by one',
  (options) => {
    test.each(Object.keys(PROGRAMS))('%s', async (name) => {
      await holds(PROGRAMS[name].replace('$', `method: 'SMC', particles: 100, ${options}`), [1], 'side by side');
    });
  },
);

test('random programs are rejuvenated side by side', async () => {
  const ran: string[] = [];
  for (let number = 0; number < 30; number++) {
    const code = columnProgram(number).replace('$', "method: 'SMC', particles: 60, rejuvSteps: 2");
    const { together, alone, how } = await both(code, number);
    expect(together, code).toEqual(alone);
    ran.push(how);
  }
  expect(ran.filter((how) => how.includes('side by side')).length).toBeGreaterThan(20);
});

const MODELS: Readonly<Record<string, string>> = {
  'particles that end at different factors, and others that are copied into their places': `
    var walk = function(x, n) {
      observe(Gaussian({mu: x, sigma: 1}), 2);
      return n === 0 || flip(0.4) ? x : walk(gaussian(x, 1), n - 1);
    };
    Infer({method: 'SMC', particles: 80, rejuvSteps: 2, model() { return [walk(0, 6), flip(0.5)]; }})`,
  'factors on one side only, so that a choice is old in some and new in others': `
    Infer({method: 'SMC', particles: 80, rejuvSteps: 3, model() {
      var a = flip(0.5);
      if (a) { observe(Gaussian({mu: 0, sigma: 1}), 0.3); }
      var x = gaussian(a ? 1 : -1, 1);
      if (x > 0) { factor(-x); } else { var y = gaussian(x, 1); factor(y); }
      observe(Gaussian({mu: x, sigma: 1}), 0.5);
      return {a: a, x: x};
    }})`,
  'choices whose family changes with others': `
    Infer({method: 'SMC', particles: 80, rejuvSteps: 3, model() {
      var d = flip(0.5) ? Gaussian({mu: 0, sigma: 1}) : Uniform({a: 0, b: 1});
      var x = sample(d);
      factor(-x * x);
      var y = sample(x > 0.5 ? Gamma({shape: 2, scale: 1}) : Categorical({vs: ['a', 'b']}));
      factor(y === 'a' ? 0.5 : 0);
      return [x, y];
    }})`,
  'loops that go on for different times': `
    var last = function(p) {
      for (var i = 0; i < 4; i++) { if (flip(p)) { return i; } }
      return 4;
    };
    Infer({method: 'SMC', particles: 60, rejuvSteps: 2, model() {
      var p = uniform(0.2, 0.8);
      factor(p);
      var n = last(p);
      factor(-n);
      return n;
    }})`,
  'particles that die, and values that a later change makes impossible': `
    Infer({method: 'SMC', particles: 80, rejuvSteps: 2, model() {
      var b = uniform(0, 2);
      var x = uniform(0, b);
      condition(x < 1.2);
      var y = gaussian(x, 1);
      condition(y > -0.5);
      factor(-y);
      return [b, x, y];
    }})`,
  guides: `
    Infer({method: 'SMC', particles: 80, rejuvSteps: 2, model() {
      var x = sample(Gaussian({mu: 0, sigma: 2}), {guide: function() { return Gaussian({mu: 1, sigma: 1}); }});
      observe(Gaussian({mu: x, sigma: 0.5}), 1.7);
      var y = sample(Gaussian({mu: x, sigma: 1}), {guide: function() { return Gaussian({mu: x + 1, sigma: 1.5}); }});
      observe(Gaussian({mu: y, sigma: 0.5}), 2);
      return [x, y];
    }})`,
  'guides that are not asked': `
    Infer({method: 'SMC', particles: 80, rejuvSteps: 1, importance: 'ignoreGuide', model() {
      var x = sample(Gaussian({mu: 0, sigma: 2}), {guide: function() { return Gaussian({mu: 1, sigma: 1}); }});
      observe(Gaussian({mu: x, sigma: 0.5}), 1.7);
      return x;
    }})`,
  'drift kernels': `
    Infer({method: 'SMC', particles: 80, rejuvSteps: 3, model() {
      var x = gaussianDrift({mu: 0, sigma: 1, width: 0.2});
      observe(Gaussian({mu: x, sigma: 0.5}), 1);
      var u = uniformDrift({a: 0, b: 2, width: 0.5});
      observe(Gaussian({mu: x + u, sigma: 0.5}), 1.5);
      return x + u;
    }})`,
  'the best particle': `
    Infer({method: 'SMC', particles: 60, rejuvSteps: 2, onlyMAP: true, model() {
      var x = gaussian(0, 1);
      factor(-x);
      return x;
    }})`,
  'discrete choices alone': `
    Infer({method: 'SMC', particles: 80, rejuvSteps: 3, rejuvKernel: {MH: {discreteOnly: true}}, model() {
      var x = gaussian(0, 1);
      var n = poisson(2);
      factor(flip(0.5) ? x : -n);
      var y = n > 2 ? (randomInteger(4) + (flip(0.3) ? 1 : 0)) : gaussian(n, 1);
      observe(Gaussian({mu: x + y, sigma: 1}), 1.5);
      return [x, n, y];
    }})`,
  'discrete choices alone, of which there are none': `
    Infer({method: 'SMC', particles: 60, rejuvSteps: 1, rejuvKernel: {MH: {discreteOnly: true}}, model() {
      var x = gaussian(0, 1);
      factor(x);
      return x;
    }})`,
  'no choices at all': `
    Infer({method: 'SMC', particles: 60, rejuvSteps: 2, model() { factor(-1); return 3; }})`,
};

test.each(Object.keys(MODELS))('SMC with rejuvenation side by side: %s', async (name) => {
  await holds(MODELS[name], [1, 2, 3], 'side by side');
});

const X = 'var x = gaussian(0, 1); factor(x); return x;';

/** What runs one by one, and why. */
const ONE_BY_ONE: Readonly<Record<string, readonly [string, string, string]>> = {
  'another kernel': ["rejuvKernel: 'HMC'", X, 'each is rejuvenated by HMC'],
  'impossible executions allowed': [
    'rejuvKernel: {MH: {permissive: true}}',
    X,
    'each is rejuvenated by MH with the option permissive',
  ],
  'a drift kernel that sees the model': [
    'finalRejuv: true',
    `var s = gamma(2, 1);
     var x = sample(Gaussian({mu: 0, sigma: 1}), {driftKernel: function(v) { return Gaussian({mu: v, sigma: s}); }});
     factor(x);
     return x;`,
    'a drift kernel is a function of the program',
  ],
  'draws outside': ['finalRejuv: true', 'factor(-1); return flip() ? 1 : Math.random();', 'Math.random'],
};

test.each(Object.keys(ONE_BY_ONE))('one by one: %s', async (name) => {
  const [options, body, reason] = ONE_BY_ONE[name];
  const code = `Infer({method: 'SMC', particles: 40, rejuvSteps: 1, ${options}, model() { ${body} }})`;
  const { together, alone, how } = await both(code, 3);
  if (name !== 'draws outside') expect(together).toEqual(alone);
  expect(how).toContain('one by one');
  expect(how).toContain(reason);
});

test.each(['particles: 60, rejuvSteps: 2', 'particles: 60, rejuvSteps: 1, finalRejuv: false', 'particles: 1000'])(
  'executions are kept: %s',
  async (options) => {
    const code = `
    Infer({method: 'SMC', saveTraces: true, ${options}, model() {
      var x = gaussian(0, 1);
      if (x > 0) { factor(flip(0.3) ? 2 : 0); }
      var n = sample(Infer({method: 'forward', samples: 3, model() { return poisson(2); }}));
      observe(Gaussian({mu: x, sigma: 1 + n}), 1);
      return [x, n];
    }})`;
    const outcome = async (sequential: boolean) => {
      const said: string[] = [];
      const engine = { sequential, explainBatching: true };
      const { value } = await run(code, { seed: 4, engine, warn: (message) => said.push(message) });
      const { samples, traces } = value as { samples: unknown; traces: Trace<unknown>[] };
      const kept = traces.map(({ choices, length, value, score }) => {
        return { value, score, choices: choices.slice(0, length).map((choice) => [choice.value, choice.score]) };
      });
      return { samples, kept, said: said.join() };
    };
    const together = await outcome(false);
    const alone = await outcome(true);
    expect(together.kept).toEqual(alone.kept);
    expect(together.samples).toEqual(alone.samples);
    expect(together.said).toContain('particles side by side');
  },
);
