import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure, numbersOf, runProgram } from './run-optimize.ts';

/** Minimising (mu − 3)² / 2: the gradient at mu is mu − 3. */
const QUADRATIC = `var model = function() {
  var mu = param({name: 'mu', mu: 1, sigma: 0});
  observe(Gaussian({mu: mu, sigma: 1}), 3);
};`;
const sgd = (options: string): string =>
  `${QUADRATIC} Optimize(model, {optMethod: {sgd: {stepSize: 0.1}}, ${options}})`;

const muOf = async (code: string): Promise<number> => numbersOf((await runProgram(code)).value).mu[0];

describe('Optimize', () => {
  test('takes one step by default', async () => {
    expect(await muOf(sgd(''))).toBeCloseTo(1.2, 12);
  });

  test('takes the model as an option, first or last', async () => {
    for (const call of [
      "Optimize({model: model, optMethod: 'sgd'})",
      "Optimize({model, optMethod: 'sgd'})",
      "Optimize({optMethod: 'sgd'}, model)",
      "Optimize(model, {optMethod: 'gd'})",
    ]) {
      expect(await muOf(`${QUADRATIC} ${call}`)).toBeCloseTo(1.2, 12);
    }
  });

  test('converges', async () => {
    expect(await muOf(sgd('steps: 200'))).toBeCloseTo(3, 6);
  });

  test('goes on from where the last one ended, or from given parameters, which it leaves alone', async () => {
    expect(await muOf(`${sgd('')}; Optimize(model, {optMethod: 'sgd'})`)).toBeCloseTo(1.38, 12);
    const { value } = await runProgram(`${QUADRATIC}
      var first = Optimize(model, {optMethod: 'sgd'});
      var second = Optimize(model, {optMethod: 'sgd', params: first});
      [first.mu, second.mu, getParams().mu]`);
    const [first, second, own] = value as { data: Float64Array }[];
    expect(first.data[0]).toBeCloseTo(1.2, 12);
    expect(second.data[0]).toBeCloseTo(1.38, 12);
    expect(own.data[0]).toBeCloseTo(1.2, 12);
  });

  test('gives the same result for the same seed', async () => {
    const code = `var model = function() { var x = flip(0.3); factor(x ? 1 : 0); }; Optimize(model, {steps: 20})`;
    expect(numbersOf((await runProgram(code)).value)).toEqual(numbersOf((await runProgram(code)).value));
  });

  test('onStep sees steps and objectives, and may stop it', async () => {
    const { value } = await runProgram(`${QUADRATIC}
      globalStore.seen = [];
      Optimize(model, {steps: 10, optMethod: 'sgd', onStep: function(i, objective) {
        globalStore.seen = globalStore.seen.concat([[i, objective]]);
        return i === 2;
      }});
      globalStore.seen`);
    const log = (mu: number): number => -((mu - 3) ** 2) / 2 - Math.log(Math.sqrt(2 * Math.PI));
    expect(value).toEqual([
      [0, expect.closeTo(log(1), 10)],
      [1, expect.closeTo(log(1.2), 10)],
      [2, expect.closeTo(log(1.38), 10)],
    ]);
  });

  test('says so if onStep stops it with something else than true', async () => {
    const { warnings } = await runProgram(sgd('steps: 5, onStep: function(i) { globalStore.last = [i]; }'));
    expect(warnings).toEqual([
      'Optimize stops after step 0, because onStep returned an array of length 1. ' +
        'It goes on where onStep returns false or nothing.',
    ]);
  });

  test('onFinish gets the history', async () => {
    const { value } = await runProgram(`${QUADRATIC}
      Optimize(model, {steps: 3, onFinish: function(result) { globalStore.length = result.history.length; }});
      globalStore.length`);
    expect(value).toBe(3);
  });

  test('callbacks can use what was learned so far, automatic guides too', async () => {
    const { value } = await runProgram(`var model = function() {
        var x = sample(Gaussian({mu: 0, sigma: 1}));
        observe(Gaussian({mu: x, sigma: 0.1}), 3);
        return x;
      };
      var mean = function() { return expectation(Infer({method: 'forward', guide: true, samples: 100}, model)); };
      globalStore.means = [];
      Optimize(model, {steps: 600, optMethod: {adam: {stepSize: 0.05}}, onStep: function(i) {
        if (i % 200 === 199) { globalStore.means = globalStore.means.concat([mean()]); }
        return false;
      }});
      globalStore.means.concat([mean()])`);
    const means = value as number[];
    expect(means).toHaveLength(4);
    // The posterior mean is 2.97, from which a guide of deviation below 0.3 is not far with 100 draws.
    for (const found of means.slice(1)) expect(Math.abs(found - 2.97)).toBeLessThan(0.15);
    expect(means[0]).toBeGreaterThan(2);
  });

  test('callbacks must not make choices', async () => {
    expect(await failure(`${QUADRATIC} Optimize(model, {onStep: function() { return flip(); }})`)).toBe(
      'onStep must not call sample: it is not part of the model. ' +
        'Make the choice in the model before it, or use the distribution itself (its mean, its score).',
    );
  });

  test('clips the gradient to a norm', async () => {
    expect(await muOf(sgd('clip: 0.5'))).toBeCloseTo(1.05, 12);
    expect(await muOf(sgd('clip: 5'))).toBeCloseTo(1.2, 12);
    const { value } = await runProgram(`var model = function() {
        observe(Gaussian({mu: param({name: 'a', mu: 0, sigma: 0}), sigma: 1}), 3);
        observe(Gaussian({mu: param({name: 'b', mu: 0, sigma: 0}), sigma: 1}), -4);
      }; Optimize(model, {optMethod: {sgd: {stepSize: 1}}, clip: 1})`);
    const { a, b } = numbersOf(value);
    expect(a[0]).toBeCloseTo(0.6, 12);
    expect(b[0]).toBeCloseTo(-0.8, 12);
  });

  test('weight decay adds to the gradient, before clipping', async () => {
    expect(await muOf(sgd('weightDecay: 0.5'))).toBeCloseTo(1.15, 12);
    expect(await muOf(sgd('weightDecay: {l2: {strength: 0.5}}'))).toBeCloseTo(1.15, 12);
    expect(await muOf(sgd('weightDecay: {l2: {}}'))).toBeCloseTo(1.1, 12);
    expect(await muOf(sgd('weightDecay: 0.5, clip: 0.3'))).toBeCloseTo(1.03, 12);
    expect(await muOf(sgd('steps: 300, weightDecay: 1'))).toBeCloseTo(1.5, 6);
  });

  test('verbose, showGradNorm and progress', async () => {
    const { warnings, notes } = await runProgram(sgd('steps: 2, verbose: true, showGradNorm: true, weightDecay: 0.5'));
    expect(warnings[0]).toBe('Weight decay adds 0.5 times each parameter to its gradient.');
    expect(warnings).toContain('Iteration 0: -2.9189385332046727');
    expect(warnings).toContain('Iteration 0: gradient norm 1.5');
    expect(warnings).toContain('Iteration 1: gradient norm 1.275');
    expect(notes[0]).toMatch(/^Optimize: ELBO -2\.9189, gradient 1\.50, \d+ steps\/s$/);
  });

  test('warns once of a gradient that is always zero', async () => {
    const code = (options: string): string =>
      `var model = function() { param({name: 'unused'}); factor(param({name: 'x', mu: 1, sigma: 0})); }; Optimize(model, {steps: 3, ${options}})`;
    const { warnings } = await runProgram(code(''));
    expect(warnings).toEqual(["The gradient of the parameter 'unused' is zero: the objective may not depend on it."]);
    expect((await runProgram(code('checkGradients: false'))).warnings).toEqual([]);
  });

  test('and of many such gradients in few lines', async () => {
    const code = `var model = function() { map(function(i) { param({name: 'p' + i}); }, _.range(9)); factor(param({name: 'x'})); };
Optimize(model, {steps: 3})`;
    const { warnings } = await runProgram(code);
    expect(warnings).toHaveLength(5);
    expect(warnings[4]).toBe("So are those of other parameters: 'p4', 'p5', 'p6', 'p7', and 1 more.");
  });

  test('but not of one that becomes zero, or is so by accident at first', async () => {
    const { warnings, value } = await runProgram(`${sgd('steps: 400')}; var ends = Optimize(model, {steps: 400});
      var balanced = function() {
        var a = param({name: 'a', mu: 0, sigma: 0});
        var b = param({name: 'b', mu: 0, sigma: 0});
        map(function(y) { observe(Gaussian({mu: a * y + b, sigma: 1}), y); }, [-1, 1]);
        factor(-Math.pow(a - b, 2));
      };
      Optimize(balanced, {steps: 30, optMethod: 'sgd'});
      ends.mu.data[0]`);
    expect(value).toBeCloseTo(3, 10);
    expect(warnings).toEqual([]);
  });

  test('warns at the tenth step, or at the end', async () => {
    const code = (steps: number): string => `var model = function() { param({name: 'unused'}); };
      Optimize(model, {steps: ${steps}, onStep: function(i) { display(i); }, onFinish: function() { display('end'); }})`;
    const told: string[] = [];
    const at = async (steps: number): Promise<string[]> => {
      told.length = 0;
      await runProgram(code(steps), {
        warn: () => void told.push('warning'),
        output: (_value, text) => void told.push(text),
      });
      return [...told];
    };
    expect(await at(2)).toEqual(['0', '1', 'warning', 'end']);
    expect((await at(20)).indexOf('warning')).toBe(9);
    expect(await at(20)).toHaveLength(22);
  });

  test('says so if there is nothing to improve', async () => {
    const { value, warnings } = await runProgram('Optimize(function() { factor(1); }, {steps: 3})');
    expect(value).toEqual({});
    expect(warnings).toEqual([
      'Optimize has met no parameters, so there was nothing to improve. Declare some with param or modelParam.',
    ]);
  });

  test('writes the objective over time to a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'waymark-'));
    try {
      await runProgram(sgd("steps: 3, logProgress: true, logProgressFilename: 'log.csv', logProgressThrottle: 0"), {
        folder,
      });
      const [head, ...rows] = readFileSync(join(folder, 'log.csv'), 'utf8').trim().split('\n');
      expect(head).toBe('index,iter,time,objective');
      expect(rows).toHaveLength(3);
      expect(rows[2]).toMatch(/^2,2,[\d.]+,-2\.23\d+$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('stops at a plateau', async () => {
    const { value } = await runProgram(`${QUADRATIC}
      globalStore.steps = 0;
      Optimize(model, {steps: 5000, optMethod: {sgd: {stepSize: 0.5}}, stopAtPlateau: 20,
        onStep: function(i) { globalStore.steps = i; return false; }});
      globalStore.steps`);
    expect(value).toBeGreaterThan(20);
    expect(value).toBeLessThan(2000);
  });

  test('skips bad steps, if allowed', async () => {
    const model = `var model = function() {
      var x = sample(Bernoulli({p: 0.7}), {guide: Bernoulli({p: sigmoid(param({name: 'a', mu: 0, sigma: 0}))})});
      condition(x);
    };`;
    const { warnings, value } = await runProgram(
      `${model} Optimize(model, {steps: 20, skipBadSteps: Infinity, optMethod: 'sgd'})`,
    );
    expect(numbersOf(value).a[0]).not.toBe(0);
    expect(
      warnings.some((line) =>
        /^Step \d+ is skipped: The factor at program\.wppl:\d+:\d+ \(address \S+\) is -Infinity\./.test(line),
      ),
    ).toBe(true);
    expect(await failure(`${model} Optimize(model, {steps: 20})`)).toMatch(
      /^The factor at program\.wppl:\d+:\d+ \(address \S+\) is -Infinity\. Guides cannot learn from what is impossible: soften the condition/,
    );
  });

  test('prints its parameters when a program ends in it', async () => {
    const { show } = await import('../../src/library/show/value.ts');
    expect(show((await runProgram(sgd(''))).value)).toBe('{ mu: Tensor [1] [1.200] }');
  });
});

describe('objectives that are no numbers', () => {
  /** Programs that go well for a while, so that steps are compiled when they go wrong. */
  const LATER: [string, string, number, RegExp][] = [
    [
      'a choice',
      `var s = param({name: 's', mu: 1, sigma: 0});
       mapData({data: [1, 2, 3]}, function(y) {
         sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: 0, sigma: s})});
         factor(-100 * s);
       });`,
      0.001,
      /^The choice at program\.wppl:3:10 \(address \S+\) for datum 0 drew \S+ from its guide Gaussian\(\{mu: 0, sigma: -\S+\}\) at program\.wppl:\d+:\d+, which has score NaN there\. /,
    ],
    [
      'a factor',
      `var s = param({name: 's', mu: 1, sigma: 0});
       mapData({data: [1, 2, 3]}, function(y) { factor(0.01 * Math.log(s * y) - 3 * s); });`,
      0.01,
      /^The factor at program\.wppl:2:49 \(address \S+\) for datum 0 is NaN\. /,
    ],
    [
      'an observation of a minibatch',
      `var s = param({name: 's', mu: 1, sigma: 0});
       mapData({data: [0.1, 0.2, 3, 4], batchSize: 2}, function(y, i) {
         factor(-50 * s);
         observe(Gaussian({mu: i, sigma: Math.sqrt(s)}), y);
       });`,
      0.001,
      /^The observation at program\.wppl:4:10 \(address \S+\) for datum (\d), \S+ under Gaussian\(\{mu: \1, sigma: NaN\}\), has score NaN\. /,
    ],
    [
      'a nested observation',
      `var s = param({name: 's', mu: 1, sigma: 0});
       mapData({data: [[1, 2], [3]]}, function(row) {
         factor(-100 * s);
         mapData({data: row}, function(y) { observe(Exponential({a: s}), y); });
       });`,
      0.001,
      /^The observation at program\.wppl:4:45 \(address \S+\) for datum 0 of datum 0, 1 under Exponential\(\{a: -\S+\}\), has score NaN\. /,
    ],
    [
      'gradients',
      `var s = param({name: 's', mu: 1, sigma: 0});
       mapData({data: [1, 2]}, function(y) { observe(Gaussian({mu: s * y, sigma: 1}), y + 1); });`,
      10,
      /^The gradients are so large that their norm is no finite number: the parameters have run away\. A smaller stepSize, or clip, often helps\.$/,
    ],
  ];
  test.each(LATER)('%s: compiled steps say what others say', async (_what, body, stepSize, message) => {
    const code = (more: string): string => `var model = function() { ${body} };
      Optimize(model, {steps: 3000, optMethod: {sgd: {stepSize: ${stepSize}}}, ${more}})`;
    const said = await failure(code(''));
    expect(said).toMatch(message);
    expect(await failure(code('onStep: function() {}'))).toBe(said);
  });

  test('name the choice, the datum, the guide and the target', async () => {
    expect(
      await failure(`var model = function() {
        mapData({data: [1, 2]}, function(y, i) {
          sample(Discrete({ps: i === 1 ? [0, 1] : [0.5, 0.5]}), {guide: Discrete({ps: [1, 0]})});
        });
      }; Optimize(model)`),
    ).toMatch(
      /^The choice at program\.wppl:3:11 \(address \S+\) for datum 1 drew 0 from its guide Discrete\(\{ps: \[1, 0\]\}\) at program\.wppl:3:\d+, which has score -Infinity under Discrete\(\{ps: \[0, 1\]\}\)\. A guide must not draw what the model rules out; a smaller stepSize, or clip, often helps\.$/,
    );
  });

  test('name the observation', async () => {
    expect(
      await failure(`var model = function() {
        mapData({data: [0.5, 2]}, function(y) {
          observe(Beta({a: softplus(param({name: 'a', mu: 0, sigma: 0})), b: 1}), y);
        });
      }; Optimize(model)`),
    ).toMatch(
      /^The observation at program\.wppl:3:11 \(address \S+\) for datum 1, 2 under Beta\(\{a: 0\.693\d+, b: 1\}\), has score -Infinity\. Guides cannot learn from what is impossible: /,
    );
  });

  test('name the factor', async () => {
    expect(
      await failure(`var model = function() {
        var x = param({name: 'x', mu: -1, sigma: 0});
        factor(Math.log(x));
      }; Optimize(model)`),
    ).toMatch(/^The factor at program\.wppl:3:9 \(address \S+\) is NaN\. A smaller stepSize, or clip, often helps\.$/);
  });
});

describe('mistakes', () => {
  const cases: [string, string, string][] = [
    ['no model', 'Optimize({steps: 2})', 'Optimize needs a model: a function of no arguments, given as the option model or as an argument of its own.'],
    ['no function', 'Optimize({model: 3})', 'Optimize: the model must be a function of no arguments, got 3.'],
    ['an unknown option', 'Optimize(model, {step: 3})', "Optimize has no option 'step'; it takes steps, optMethod, estimator,"],
    ['an unknown optimiser', "Optimize(model, {optMethod: 'adamm'})", "Optimize: optMethod must be one of 'adam', 'adamw', 'sgd', 'gd', 'adagrad', 'rmsprop', 'adadelta', or an object such as {adam: {…}} with its options, got the string \"adamm\"."],
    ['an unknown option of an optimiser', 'Optimize(model, {optMethod: {adam: {stepsize: 3}}})', "optMethod adam has no option 'stepsize'; it takes stepSize, decayRate1, decayRate2. Did you mean 'stepSize'?"],
    ['a bad step size', 'Optimize(model, {optMethod: {adam: {stepSize: -1}}})', 'optMethod adam: stepSize must be a number of at least 0, or a function of the step, got -1.'],
    ['an unknown estimator', "Optimize(model, {estimator: 'ELBOW'})", "Optimize: estimator must be one of 'ELBO', 'IWAE', 'EUBO', 'dream', 'RWS', 'wakeSleep', or an object such as {ELBO: {…}} with its options, or a list of objectives with weights, such as [{ELBO: 1}, {dream: 0.5}], got the string \"ELBOW\"."],
    ['bad steps', 'Optimize(model, {steps: 1.5})', 'Optimize: steps must be an integer of at least 0, got 1.5.'],
    ['negative weight decay', 'Optimize(model, {weightDecay: -1})', 'Optimize: weightDecay must be a number of at least 0, or {l2: {strength: number}}, got -1.'],
    ['another penalty', 'Optimize(model, {weightDecay: {l1: {}}})', 'Optimize: weightDecay must be a number of at least 0, or {l2: {strength: number}}, got an object with l1.'],
    ['a log that cannot be written', "Optimize(model, {logProgress: true, logProgressFilename: 'no/such/folder.csv'})", 'logProgressFilename: the file no/such/folder.csv could not be written (ENOENT'],
    ['a graph that cannot be written', "Optimize(model, {estimator: {ELBO: {dumpGraph: 'no/such/graph.dot'}}})", 'dumpGraph: the file no/such/graph.dot could not be written (ENOENT'],
    ['a bad clip', 'Optimize(model, {clip: 0})', 'Optimize: clip must be a number greater than 0, or false, got 0.'],
    ['no traces', "Optimize(model, {estimator: 'EUBO'})", "estimator EUBO needs the option 'traces': an array of executions, such as Infer({method: 'SMC', saveTraces: true, …}).traces."],
  ]; // biome-ignore format: a table

  test.each(cases)('%s', async (_name, call, message) => {
    expect(await failure(`${QUADRATIC} ${call}`)).toContain(message);
  });
});
