import { describe, expect, expectTypeOf, test } from 'vitest';
import { type Calibration, calibrate, Gaussian, gaussian, observe } from '../../../src/index.ts';
import { run } from '../../../src/program/run.ts';

interface Ran {
  readonly value: Calibration;
  readonly texts: string[];
  readonly warnings: string[];
}

async function ran(code: string, seed = 1): Promise<Ran> {
  const texts: string[] = [];
  const warnings: string[] = [];
  const { value } = await run(code, {
    seed,
    file: 'program.wppl',
    output: (_, text) => texts.push(text),
    warn: (text) => warnings.push(text),
  });
  return { value: value as Calibration, texts, warnings };
}

/** The mean of three data: given these, it is N(sum / 4, 1 / 2). */
const NORMAL = `
  var model = function(ys) {
    var mu = gaussian(0, 1);
    map(function(y) { observe(Gaussian({mu: mu, sigma: 1}), y); }, ys);
    return mu;
  };
  var posterior = function(scale, shift) { return function(ys) {
    return Gaussian({mu: sum(ys) / 4 + shift, sigma: scale / 2});
  }; };`;

const normal = (method: string, more = ''): string =>
  `${NORMAL} calibrate(model, {example: [0, 0, 0], method: ${method}, level: 0.01 ${more}})`;

describe('posteriors in closed form', () => {
  test.each([
    ['posterior(1, 0)', 'calibrated', 0.9],
    ['posterior(0.7, 0)', 'too narrow', 0.751],
    ['posterior(1.5, 0)', 'too wide', 0.986],
    ['posterior(1, 0.25)', 'too high', 0.86],
    ['posterior(1, -0.25)', 'too low', 0.86],
    ['posterior(0.6, 0.25)', 'too high and too narrow', 0.64],
  ])('%s: %s', async (method, finding, coverage) => {
    const { value } = await ran(normal(method, ', simulations: 200'));
    expect(value.quantities.value.finding).toBe(finding);
    expect(value.calibrated).toBe(finding === 'calibrated');
    expect(value.verdict).toContain(finding === 'calibrated' ? 'Calibrated, as far as 200' : `value are ${finding}`);
    const held = value.quantities.value.ranks.filter((u) => Math.abs(2 * u - 1) <= 0.9).length / 200;
    expect(Math.abs(held - coverage)).toBeLessThan(5 * Math.sqrt((coverage * (1 - coverage)) / 200) + 0.01);
  });

  test('a shape that is wrong without shift or spread', async () => {
    // Two lumps with the mean and about the spread of the normal distribution.
    const { value } = await ran(
      normal(`function(ys) {
        return Mixture({dists: [Gaussian({mu: sum(ys) / 4 - 0.42, sigma: 0.17}), Gaussian({mu: sum(ys) / 4 + 0.42, sigma: 0.17})], ps: [0.5, 0.5]});
      }`, ', simulations: 400'), // biome-ignore format: one program
    );
    expect(value.quantities.value.finding).toBe('of another shape');
  });

  test('the log score against the prior is the information in the data', async () => {
    const { value } = await ran(normal('posterior(1, 0)', ', simulations: 400'));
    const { gain, se, posterior, prior } = value.quantities.value.logScore;
    expect(gain).toBeCloseTo(posterior - prior, 10);
    // Kernels cost a little.
    expect(Math.abs(gain - Math.log(2))).toBeLessThan(5 * se + 0.03);
    const { value: worse } = await ran(
      normal('function() { return Gaussian({mu: 5, sigma: 0.5}); }', ', simulations: 60'),
    );
    expect(worse.verdict).toContain('Of value the posterior knows less than the prior.');
  });
});

describe('methods', () => {
  test.each([
    "'SMC'",
    "{method: 'SMC', particles: 300}",
    "{method: 'importance', samples: 300}",
    "{method: 'MCMC', samples: 300, burn: 50}",
    "{method: 'MCMC', kernel: 'NUTS', samples: 50, burn: 50}",
    "{method: 'MCMC', kernel: {HMC: {steps: 5, stepSize: 0.2}}, samples: 50, burn: 50, chains: 2}",
  ])('%s', async (method) => {
    const { value } = await ran(normal(method, ', simulations: 60'));
    expect(value.verdict).toMatch(/^Calibrated/);
    expect(value.quality.draws).toBeGreaterThan(10);
  });

  test('chains that move slowly are thinned, and those that are too short are found', async () => {
    const { value } = await ran(normal("{method: 'MCMC', samples: 30}", ', simulations: 60'));
    expect(value.quality.draws).toBeLessThan(20);
    expect(value.verdict).toContain('independent draws in the median, which is few: raise its samples.');
  });

  test('advice of single inferences is given once, with how often', async () => {
    const { warnings } = await ran(`
      var model = function(y) {
        var scale = Math.exp(gaussian(0, 4));
        var x = gaussian(0, scale);
        observe(Gaussian({mu: x, sigma: 0.1}), y);
        return x;
      };
      calibrate(model, {example: 1, method: {method: 'MCMC', kernel: 'NUTS', samples: 20, burn: 20}, simulations: 20})`);
    const said = warnings.filter((text) => text.includes('diverged'));
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/^calibrate, in \d+ of 20 simulations: NUTS: /);
  });
});

/** Counts of kinds: whole numbers, truths and names, of a list whose length differs, read before it is observed. */
const STRUCTURE = `
  var model = function(d) {
    var kind = uniformDraw(['a', 'b', 'c']);
    var n = 1 + randomInteger(2);
    var parts = repeat(n, function() { return flip(0.4); });
    var heads = filter(function(part) { return part; }, parts).length;
    mapIndexed(function(i, x) {
      observe(Bernoulli({p: i % 2 == 0 ? (heads + 1) / (n + 2) : {a: 0.1, b: 0.5, c: 0.9}[kind]}), x);
    }, d.xs);
    observe(Poisson({mu: n}), d.count);
    return {kind: kind, n: n, parts: parts};
  };
  var exampleOf = function() { return {xs: repeat(2 + randomInteger(4), function() { return true; }), count: 0}; };`;

describe('values of any structure', () => {
  test('are looked at in all their parts', async () => {
    const { value } = await ran(
      `${STRUCTURE} calibrate(model, {exampleOf: exampleOf, method: 'enumerate', simulations: 150, level: 0.01})`,
    );
    expect(Object.keys(value.quantities).sort()).toEqual(
      ['kind = a', 'kind = b', 'kind = c', 'n', 'parts.length', 'parts[0]', 'parts[1]'].sort(),
    );
    expect(value.verdict).toMatch(/^Calibrated/);
    expect(value.quality.draws).toBe(Infinity);
    for (const { logScore } of Object.values(value.quantities)) expect(logScore.gain).toBeGreaterThan(-4 * logScore.se);
  });

  test('a posterior that is wrong in one part is wrong in that part', async () => {
    const { value } = await ran(
      `${STRUCTURE} calibrate(model, {exampleOf: exampleOf, simulations: 100, level: 0.01, method: function(d) {
        return Infer({method: 'enumerate', model: function() {
          var value = sample(Infer({method: 'enumerate', model: function() { return model(d); }}));
          return {kind: flip(0.7) ? 'a' : value.kind, n: value.n, parts: value.parts};
        }});
      }})`,
    );
    const wrong = Object.entries(value.quantities).filter(([, { calibrated }]) => !calibrated);
    expect(wrong.map(([name]) => name)).toEqual(expect.arrayContaining(['kind = a']));
    expect(value.quantities.n.calibrated).toBe(true);
    expect(value.quantities['parts[0]'].calibrated).toBe(true);
  });

  test('quantities of any kind, which may look at the data', async () => {
    const { value } = await ran(
      normal(
        'posterior(1, 0)',
        ", simulations: 100, quantities: {error: function(mu, ys) { return mu - sum(ys) / 3; }, positive: function(mu) { return mu > 0; }}", // biome-ignore format: one text
      ),
    );
    expect(Object.keys(value.quantities)).toEqual(['error', 'positive']);
    expect(value.calibrated).toBe(true);
  });
});

describe('data of mapData, one by one', () => {
  const model = (sigma: number): string => `
    var model = function() {
      mapData({data: [1, 2]}, function(y) {
        var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: y / 2, sigma: ${sigma}})});
        observe(Gaussian({mu: x, sigma: 1}), y);
        return x;
      });
    };`;
  const by = (sigma: number, method: string): Promise<Ran> =>
    ran(
      `${model(sigma)} calibrate(model, {method: {method: '${method}', ${method === 'SMC' ? "particles: 100, importance: 'autoGuide'" : 'samples: 100, guide: true'}}, simulations: 100, level: 0.01})`,
    );

  test('a good guide is calibrated by itself', async () => {
    expect((await by(Math.SQRT1_2, 'forward')).value.calibrated).toBe(true);
  });

  test.each(['importance', 'SMC'])('a wide guide is calibrated by %s, and not by itself', async (method) => {
    expect((await by(1.2, 'forward')).value.quantities.value.finding).toBe('too wide');
    const { value } = await by(1.2, method);
    expect(value.calibrated).toBe(true);
    expect(value.quality.khat?.median).toBeLessThan(0.7);
  });

  test('a narrow guide is found out, with advice', async () => {
    const { value } = await by(0.3, 'importance');
    expect(value.calibrated).toBe(false);
    expect(value.verdict).toMatch(/Pareto k̂ is above 0\.7 in \d+ % of the simulations/);
  });
});

test('a network of Amortize makes up data by itself', async () => {
  const by = async (method: string): Promise<Calibration> =>
    (
      await ran(`${NORMAL}
        var net = Amortize(model, {example: [0, 0, 0], steps: 10, samples: 32, verbose: false});
        calibrate(net, {simulations: 80, level: 0.01, method: {samples: 200, method: '${method}'}})`)
    ).value;
  const weighed = await by('importance');
  expect(weighed.calibrated).toBe(true);
  expect(weighed.quality.khat).toBeDefined();
  // After so few steps it is hardly more than the prior, which forgets the data.
  expect((await by('forward')).quantities.value.logScore.gain).toBeLessThan(weighed.quantities.value.logScore.gain);
});

describe('the run', () => {
  test('follows from the seed', async () => {
    const ranks = async (seed: number) =>
      (await ran(normal("{method: 'MCMC', samples: 20}", ', simulations: 20'), seed)).value.quantities.value.ranks;
    expect(await ranks(3)).toEqual(await ranks(3));
    expect(await ranks(3)).not.toEqual(await ranks(4));
  });

  test('shows progress, and ends when it is told to', async () => {
    const controller = new AbortController();
    const code = normal("{method: 'MCMC', samples: 3000}", ', simulations: 5000');
    const seen: string[] = [];
    const ended = run(code, {
      file: 'program.wppl',
      seed: 1,
      signal: controller.signal,
      progress: (label) => {
        seen.push(label);
        return { update: (done) => done > 5 && controller.abort(new Error('enough')), finish() {} };
      },
    });
    await expect(ended).rejects.toThrow('enough');
    expect(seen).toEqual(['calibrate']);
  });

  test('is shown as a table, and drawn', async () => {
    const { texts } = await ran(`${NORMAL}
      var found = calibrate(model, {example: [0, 0, 0], method: posterior(0.6, 0), simulations: 100});
      display(found); viz(found); viz.calibration(found, {title: 'Ranks'});`);
    const [shown, drawing, titled] = texts;
    expect(shown).toMatch(
      /^Not calibrated \(100 simulations, 3 tests.*\n {2}quantity +90 % holds .*\n {2}value .* too narrow$/s,
    );
    expect(drawing).toContain('value: too narrow. Distribution of ranks less the straight line, in its band:');
    expect(titled.startsWith('Ranks\n')).toBe(true);
  });
});

describe('what it cannot do, it says', () => {
  test.each([
    ['calibrate(3)', 'calibrate takes a model first'],
    [
      'calibrate(function(y) { return gaussian(0, 1); }, {example: 1, simulations: 3})',
      'simulations must be an integer of at least 20',
    ],
    ['calibrate(function(y) { return gaussian(0, 1); }, {example: 1, level: 2})', 'level must be below 1'],
    ["calibrate(function(y) { return gaussian(0, 1); }, {example: 1, metod: 'SMC'})", "Did you mean 'method'?"],
    ["calibrate(function() { return gaussian(0, 1); }, {method: 'importance'})", 'Make them an argument of the model'],
    [
      "calibrate(function() { return gaussian(0, 1); }, {method: 'MCMC'})",
      'with data of mapData, method must be one of',
    ],
    [
      "calibrate(function(y) { factor(y); return gaussian(0, 1); }, {example: 1, method: 'SMC'})",
      'the model must use observe, not factor',
    ],
    [
      "calibrate(function(y) { observe(Gaussian({mu: 0, sigma: 1}), 2 * y); }, {example: 1, method: 'SMC'})",
      'observes 2, which is no part of them as it stands',
    ],
    [
      "calibrate(function(y) { observe(Gaussian({mu: 0, sigma: 1}), y); return 1; }, {example: 1, method: 'SMC'})",
      'finds nothing to look at: the model returns 1 each time',
    ],
    [
      'calibrate(function(y) { return gaussian(0, 1); }, {example: 1, method: function() { return 3; }})',
      'the method must give a distribution for the data, got 3',
    ],
    [
      "calibrate(function(y) { return gaussian(0, 1); }, {example: 1, method: 'SMC', quantities: {a: 1}})",
      'quantities must be functions',
    ],
    [
      "calibrate(function(y) { return gaussian(0, 1); }, {example: 1, method: 'SMC', quantities: {a: function() { return 'x'; }}})",
      'the quantity a must give a number, true or false; it gave the string',
    ],
    [
      "Infer({method: 'forward', samples: 1, model: function() { calibrate(function(y) { return 1; }, {example: 1}); }})",
      'calibrate must be called outside models',
    ],
    ['viz.calibration({})', 'viz.calibration needs what calibrate returns'],
  ])('%s', async (code, message) => {
    // biome-ignore format: a table
    await expect(ran(code)).rejects.toThrow(message);
  });
});

test('types follow from the model', () => {
  const model = (d: { y: number }): { mu: number } => {
    const mu = gaussian(0, 1);
    observe(Gaussian({ mu, sigma: 1 }), d.y);
    return { mu };
  };
  const typed = (): Calibration =>
    calibrate(model, { example: { y: 0 }, method: 'MCMC', quantities: { mu: ({ mu }, { y }) => mu - y } });
  expectTypeOf(typed).returns.toEqualTypeOf<Calibration>();
  // @ts-expect-error the example has another form
  expectTypeOf(() => calibrate(model, { example: { x: 0 }, method: 'MCMC' })).toBeFunction();
  // @ts-expect-error there is no such method
  expectTypeOf(() => calibrate(model, { example: { y: 0 }, method: 'MCMCM' })).toBeFunction();
  // @ts-expect-error a quantity is a number
  expectTypeOf(() => calibrate(model, { example: { y: 0 }, quantities: { mu: () => 'a' } })).toBeFunction();
});
