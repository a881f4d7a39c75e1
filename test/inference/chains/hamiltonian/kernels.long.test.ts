/** HMC and NUTS against posteriors known in closed form, by summation or by integration on a grid. */
import { describe, expect, test } from 'vitest';
import type { Posterior } from '../../../../src/inference/algorithm.ts';
import { componentsOf } from '../../../../src/inference/diagnostics/components.ts';
import { effectiveSize } from '../../../../src/inference/diagnostics/convergence.ts';
import { runProgram } from './programs.ts';

interface Moments {
  mean: number;
  sd: number;
}

/**
 * Holds the mean and the mean square of draws against the truth. Both are judged by their own effective sample size; 5
 * standard errors leave one failure in a million.
 */
function expectMoments(draws: readonly number[], { mean, sd }: Moments): void {
  const judge = (values: Float64Array, expected: number): void => {
    const average = values.reduce((sum, x) => sum + x, 0) / values.length;
    const variance = values.reduce((sum, x) => sum + (x - average) ** 2, 0) / values.length;
    const size = Math.min(values.length, effectiveSize([values]));
    expect(size).toBeGreaterThan(100);
    expect(Math.abs(average - expected)).toBeLessThan(5 * Math.sqrt(variance / size));
  };
  judge(Float64Array.from(draws), mean);
  judge(
    Float64Array.from(draws, (x) => (x - mean) ** 2),
    sd * sd,
  );
}

const component = (result: Posterior<unknown>, name: string): number[] =>
  result.samples!.map(({ value }) => componentsOf(value).get(name) as number);

/** Mean and standard deviation of a density given up to a constant, by the midpoint rule. */
function byGrid(logDensity: (x: number) => number, lower: number, upper: number, points = 20_000): Moments {
  const xs = Array.from({ length: points }, (_, i) => lower + ((i + 0.5) * (upper - lower)) / points);
  const logs = xs.map(logDensity);
  const largest = Math.max(...logs.slice(0, 10_000), ...logs.slice(10_000));
  const weights = logs.map((log) => Math.exp(log - largest));
  const total = weights.reduce((sum, w) => sum + w, 0);
  const mean = weights.reduce((sum, w, i) => sum + w * xs[i], 0) / total;
  const square = weights.reduce((sum, w, i) => sum + w * (xs[i] - mean) ** 2, 0) / total;
  return { mean, sd: Math.sqrt(square) };
}

const betaMoments = (a: number, b: number): Moments => ({
  mean: a / (a + b),
  sd: Math.sqrt((a * b) / ((a + b) ** 2 * (a + b + 1))),
});

/** A model, and what is known of the components of its value. */
const MODELS: [string, string, Record<string, Moments>][] = [
  [
    'normal mean',
    'var m = gaussian(1, 2); map(function(y) { observe(Gaussian({mu: m, sigma: 1}), y); }, [2, 3, 2.5]); return m;',
    { value: { mean: (1 / 4 + 7.5) / (1 / 4 + 3), sd: Math.sqrt(1 / (1 / 4 + 3)) } },
  ],
  ['coin', 'var p = beta(2, 3); observe(Binomial({p: p, n: 20}), 14); return {p: p};', { p: betaMoments(16, 9) }],
  [
    'rate',
    'var r = gamma(3, 2); map(function(k) { observe(Poisson({mu: r}), k); }, [4, 2, 5]); return [r];',
    { '[0]': { mean: 14 / 3.5, sd: Math.sqrt(14) / 3.5 } },
  ],
  [
    'correlated normals',
    'return multivariateGaussian(Vector([1, -1]), Matrix([[1, 0.9], [0.9, 2]]));',
    { '[0]': { mean: 1, sd: 1 }, '[1]': { mean: -1, sd: Math.SQRT2 } },
  ],
  [
    'probabilities of three outcomes',
    'var p = dirichlet(Vector([1, 2, 3])); observe(Multinomial({ps: p, n: 10}), [5, 3, 2]); return T.toScalars(p);',
    { '[0]': betaMoments(6, 10), '[1]': betaMoments(5, 11), '[2]': betaMoments(5, 11) },
  ],
  [
    'a funnel, not centred',
    'var v = gaussian(0, 3); var x = gaussian(0, 1) * Math.exp(v / 2); return {v: v, z: x / Math.exp(v / 2)};',
    { v: { mean: 0, sd: 3 }, z: { mean: 0, sd: 1 } },
  ],
  [
    'an interval with data',
    'var x = uniform(-1, 4); factor(-x * x / 2 + x); return x;',
    { value: byGrid((x) => (-x * x) / 2 + x, -1, 4) },
  ],
  [
    'an interval that ends at a choice',
    'var x = uniform(0, 2); var y = uniform(0, x); return [x, y];',
    { '[0]': { mean: 1, sd: Math.sqrt(1 / 3) }, '[1]': { mean: 0.5, sd: Math.sqrt(4 / 9 - 1 / 4) } },
  ],
  [
    'numbers in order',
    'var a = sample(ImproperUniform()); observe(Gaussian({mu: 0, sigma: 1}), a); var b = sample(ImproperUniform({a: a})); observe(Gaussian({mu: 0, sigma: 1}), b); return b - a;',
    // The distance of two standard normals is |d| with d of variance 2.
    { value: { mean: 2 / Math.sqrt(Math.PI), sd: Math.sqrt(2 - 4 / Math.PI) } },
  ],
  [
    'a branch',
    'var x = gaussian(0, 1); if (x > 0.5) { factor(1); } else { factor(-x); } return x;',
    { value: byGrid((x) => (-x * x) / 2 + (x > 0.5 ? 1 : -x), -12, 12) },
  ],
  [
    'a flat number below a bound',
    'var x = sample(ImproperUniform({b: 3})); observe(Gaussian({mu: x, sigma: 1}), 2.5); return x;',
    { value: byGrid((x) => -((x - 2.5) ** 2) / 2, -12, 3) },
  ],
  [
    'a correlation',
    'var l = sample(LKJCholesky({dim: 2, eta: 2})); return T.get(l, 2);',
    { value: byGrid((r) => Math.log(1 - r * r), -1, 1) },
  ],
  [
    'a covariance matrix',
    'var s = wishart(5, Matrix([[2, 0.5], [0.5, 1]])); return {a: T.get(s, 0), b: T.get(s, 1)};',
    { a: { mean: 10, sd: Math.sqrt(2 * 5 * 4) }, b: { mean: 2.5, sd: Math.sqrt(5 * (0.25 + 2)) } },
  ],
];

const infer = (body: string, options: string): string =>
  `var model = function() { ${body} }; Infer({method: 'MCMC', model: model, ${options}})`;

describe('NUTS', () => {
  test.each(MODELS)('%s', async (_name, body, expected) => {
    const { value: result } = await runProgram(infer(body, "kernel: 'NUTS', samples: 4000, burn: 500"), 21);
    for (const [name, moments] of Object.entries(expected)) expectMoments(component(result, name), moments);
    const { acceptance, stepSize } = result.diagnostics as Record<string, number>;
    expect(acceptance).toBeGreaterThan(0.5);
    expect(stepSize).toBeGreaterThan(0);
  });

  // A trajectory that moves all of a hundred numbers at once is what the method is for.
  test('many dimensions of different scales', async () => {
    const body = 'return map(function(i) { return gaussian(i, Math.pow(1.05, i)); }, _.range(100));';
    const { value: result } = await runProgram(infer(body, "kernel: 'NUTS', samples: 1000, burn: 500"), 3);
    for (const i of [0, 50, 99]) expectMoments(component(result, `[${i}]`), { mean: i, sd: 1.05 ** i });
  });

  test('discrete choices beside continuous ones, against the sum over them', async () => {
    const body =
      'var z = flip(0.3); var k = discrete([1, 1, 2]); var x = gaussian(z ? 2 : -1, 1 + k); observe(Gaussian({mu: x, sigma: 1}), 0.5); return {z: z, k: k, x: x};';
    // The evidence of each pair of discrete values is that of a normal; given them, x is normal.
    const pairs = [0, 1].flatMap((z) =>
      [0, 1, 2].map((k) => {
        const [mu, variance] = [z === 1 ? 2 : -1, (1 + k) ** 2];
        const evidence = Math.exp((-0.5 * (0.5 - mu) ** 2) / (variance + 1)) / Math.sqrt(variance + 1);
        const weight = (z === 1 ? 0.3 : 0.7) * [0.25, 0.25, 0.5][k] * evidence;
        const precision = 1 / variance + 1;
        return { z, k, weight, mean: (mu / variance + 0.5) / precision, variance: 1 / precision };
      }),
    );
    const total = pairs.reduce((sum, { weight }) => sum + weight, 0);
    const average = (f: (pair: (typeof pairs)[0]) => number): number =>
      pairs.reduce((sum, pair) => sum + (pair.weight / total) * f(pair), 0);
    const moments = (mean: number, square: number): Moments => ({ mean, sd: Math.sqrt(square - mean * mean) });
    const expected = {
      z: moments(
        average(({ z }) => z),
        average(({ z }) => z),
      ),
      k: moments(
        average(({ k }) => k),
        average(({ k }) => k * k),
      ),
      x: moments(
        average(({ mean }) => mean),
        average(({ mean, variance }) => mean * mean + variance),
      ),
    };
    for (const kernel of ["'NUTS'", '{HMC: {steps: 10, stepSize: 0.4}}']) {
      const { value: result } = await runProgram(infer(body, `kernel: ${kernel}, samples: 8000, burn: 500`), 8);
      for (const [name, truth] of Object.entries(expected)) expectMoments(component(result, name), truth);
    }
  });

  test('continuous choices that come and go with a discrete one', async () => {
    const body =
      'var z = flip(0.5); var x = z ? gaussian(0, 1) + gaussian(0, 1) : gaussian(1, 1); observe(Gaussian({mu: x, sigma: 1}), 1); return [z, x];';
    const evidence = (mu: number, variance: number): number =>
      Math.exp((-0.5 * (1 - mu) ** 2) / (variance + 1)) / Math.sqrt(variance + 1);
    const p = evidence(0, 2) / (evidence(0, 2) + evidence(1, 1));
    const { value: result } = await runProgram(infer(body, "kernel: 'NUTS', samples: 8000, burn: 500"), 8);
    expectMoments(component(result, '[0]'), { mean: p, sd: Math.sqrt(p * (1 - p)) });
    const x = { yes: 2 / 3, no: 1 };
    const mean = p * x.yes + (1 - p) * x.no;
    const square = p * (x.yes ** 2 + 2 / 3) + (1 - p) * (x.no ** 2 + 1 / 2);
    expectMoments(component(result, '[1]'), { mean, sd: Math.sqrt(square - mean * mean) });
  });

  test('puts a warm-up before the samples if no burn-in is given', async () => {
    const body = 'return gaussian(3, 0.01);';
    const { value: result } = await runProgram(infer(body, "kernel: 'NUTS', samples: 800"), 2);
    expect(result.samples).toHaveLength(800);
    // An untuned start would not be within 0.1 at once.
    expectMoments(component(result, 'value'), { mean: 3, sd: 0.01 });
  });

  test('a centred funnel makes it diverge, and it says so', async () => {
    const body =
      'var v = gaussian(0, 3); var xs = repeat(9, function() { return gaussian(0, Math.exp(v / 2)); }); return v;';
    const { value: result, warnings } = await runProgram(
      infer(body, "kernel: 'NUTS', samples: 500, burn: 300, chains: 4"),
      2,
    );
    expect(result.diagnostics!.divergences).toBeGreaterThan(0);
    expect(warnings.join()).toMatch(/NUTS: \d+ trajectories diverged on the way to 2000 samples/);
  });
});

describe('HMC', () => {
  const chosen = MODELS.filter(([name]) => !name.includes('funnel') && !name.includes('covariance'));

  test.each(chosen)('%s', async (_name, body, expected) => {
    const kernel = 'kernel: {HMC: {steps: 12, stepSize: 0.25}}';
    const { value: result } = await runProgram(infer(body, `${kernel}, samples: 6000, burn: 200`), 22);
    for (const [name, moments] of Object.entries(expected)) expectMoments(component(result, name), moments);
  });

  test('HMConly leaves discrete choices alone', async () => {
    const body = 'var z = flip(0.5); return [z, gaussian(z ? 5 : -5, 1)];';
    const { value: result } = await runProgram(infer(body, "kernel: 'HMConly', samples: 200"), 4);
    expect(new Set(component(result, '[0]')).size).toBe(1);
  });

  test('without continuous choices it is Metropolis–Hastings', async () => {
    const body = 'var z = flip(0.3); factor(z ? 1 : 0); return z;';
    const p = (0.3 * Math.E) / (0.3 * Math.E + 0.7);
    const { value: result } = await runProgram(infer(body, "kernel: 'HMC', samples: 4000"), 4);
    expectMoments(component(result, 'value'), { mean: p, sd: Math.sqrt(p * (1 - p)) });
  });

  test('rejuvenates particles', async () => {
    const body =
      'var m = gaussian(0, 3); map(function(y) { observe(Gaussian({mu: m, sigma: 1}), y); }, [1, 2, 3]); return m;';
    const options = 'particles: 300, rejuvSteps: 2, rejuvKernel: {HMC: {steps: 5, stepSize: 0.3}}';
    const code = `var model = function() { ${body} }; Infer({method: 'SMC', model: model, ${options}})`;
    const { value: result } = await runProgram(code, 4);
    const precision = 1 / 9 + 3;
    const values = component(result, 'value');
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
    // 300 particles, each at least as good as an independent draw after two moves.
    expect(Math.abs(mean - 6 / precision)).toBeLessThan(5 * Math.sqrt(1 / precision / 300));
  });

  test('records the density of all particles that have come to a factor once', async () => {
    const { value: executions } = await runProgram(
      `var seen = [];
      Infer({method: 'SMC', particles: 100, rejuvSteps: 2, rejuvKernel: {HMC: {steps: 5, stepSize: 0.3}}, model() {
        seen.push(1);
        var x = gaussian(0, 1);
        observe(Gaussian({mu: x, sigma: 1}), 1);
        var y = gaussian(x, 1);
        observe(Gaussian({mu: y, sigma: 1}), 2);
        return y;
      }});
      seen.length`,
      4,
    );
    // To each of two factors and to the end, every particle is executed to go on and to be moved from there, and may be again
    // after each of two moves. A recording for each of them would be 300 more.
    expect(executions).toBeLessThan(3 * 100 * (1 + 1 + 2) + 10);
  });
});

describe('what a chain is told and tells', () => {
  const body = 'var x = gaussian(0, 1); return {x: x, twice: [2 * x]};';

  test('several chains, one after the other', async () => {
    const { value: result } = await runProgram(infer(body, "kernel: 'NUTS', samples: 500, burn: 200, chains: 4"), 6);
    expect(result.samples).toHaveLength(2000);
    expect(result.diagnostics).toMatchObject({ chains: 4, divergences: 0 });
    const { convergence } = result.diagnostics as { convergence: Record<string, { rhat: number; bulkEss: number }> };
    expect(Object.keys(convergence)).toEqual(['x', 'twice[0]']);
    expect(convergence.x.rhat).toBeLessThan(1.02);
    expect(convergence.x.bulkEss).toBeGreaterThan(500);
    expect(convergence['twice[0]']).toEqual(convergence.x);
    const starts = [0, 500, 1000, 1500].map((i) => component(result, 'x')[i]);
    expect(new Set(starts).size).toBe(4);
  });

  test('the first chain is the same whether or not there are others', async () => {
    for (const kernel of ["'NUTS'", "'MH'"]) {
      const code = (chains: number) => infer(body, `kernel: ${kernel}, samples: 20, burn: 5, chains: ${chains}`);
      const [alone, among] = [await runProgram(code(1), 6), await runProgram(code(3), 6)];
      expect(component(among.value, 'x').slice(0, 20)).toEqual(component(alone.value, 'x'));
    }
  });

  test('chains that do not mix have a large R-hat', async () => {
    const stuck = 'var x = gaussian(0, 10); factor(-10 * (Math.abs(x) - 5) * (Math.abs(x) - 5)); return x;';
    // One chain in the mode of all others is as good as sure with 8 of them, and enough.
    const { value: result } = await runProgram(infer(stuck, "kernel: 'NUTS', samples: 300, burn: 200, chains: 8"), 6);
    const { convergence } = result.diagnostics as { convergence: Record<string, { rhat: number }> };
    expect(convergence.value.rhat).toBeGreaterThan(1.5);
  });

  test('scores are those of the executions, with or without somebody watching', async () => {
    const model = 'var s = gamma(2, 1); var x = gaussian(0, s); factor(-x * x); return [s, x];';
    const { value: unwatched } = await runProgram(infer(model, "kernel: 'NUTS', samples: 50, burn: 20"), 6);
    const { value: watched } = await runProgram(
      infer(model, "kernel: 'NUTS', samples: 50, burn: 20, callbacks: [{iteration: function() {}}]"),
      6,
    );
    unwatched.samples!.forEach(({ value, score }, i) => {
      const [s, x] = value as number[];
      const expected = Math.log(s) - s - Math.log(s) - x ** 2 / (2 * s * s) - 0.5 * Math.log(2 * Math.PI) - x * x;
      expect(score).toBeCloseTo(expected, 9);
      expect(watched.samples![i].score).toBeCloseTo(expected, 9);
      expect((watched.samples![i].value as number[])[1]).toBeCloseTo(x, 9);
    });
  });

  test('values that cannot be read from a recording are those of executions', async () => {
    const model = 'var x = gaussian(0, 1); return {f: function() { return x; }, d: Gaussian({mu: x, sigma: 1})};';
    const { value: result } = await runProgram(infer(model, "kernel: 'NUTS', samples: 20, burn: 20"), 6);
    for (const { value } of result.samples!) {
      const { f, d } = value as { f(): number; d: { params: { mu: number } } };
      expect(typeof f()).toBe('number');
      expect(d.params.mu).toBe(f());
    }
  });

  test('also where only some branches return such values', async () => {
    const model = 'var x = gaussian(0, 1); return x > 0 ? {f: function() { return x; }} : {x: x};';
    const { value: result } = await runProgram(infer(model, "kernel: 'NUTS', samples: 200, burn: 50"), 6);
    const draws = result.samples!.map(({ value, score }) => {
      const { f, x } = value as { f?(): number; x?: number };
      const draw = f === undefined ? (x as number) : f();
      expect(draw > 0).toBe(f !== undefined);
      expect(score).toBeCloseTo(-0.5 * draw * draw - 0.5 * Math.log(2 * Math.PI), 10);
      return draw;
    });
    // Neither a function nor a number of an earlier sample.
    expect(new Set(draws).size).toBeGreaterThan(150);
    expect(draws.some((draw) => draw > 0) && draws.some((draw) => draw < 0)).toBe(true);
  });

  test('options are checked', async () => {
    const wrong = (kernel: string) => runProgram(infer(body, `kernel: ${kernel}, samples: 2`));
    await expect(wrong('{HMC: {steps: 0}}')).rejects.toThrow('MCMC kernel HMC: steps must be an integer of at least 1');
    await expect(wrong('{NUTS: {targetAcceptance: 2}}')).rejects.toThrow('must be a number between 0 and 1, got 2');
    await expect(wrong('{NUTS: {maxdepth: 3}}')).rejects.toThrow("MCMC kernel NUTS has no option 'maxdepth'");
    await expect(wrong("'Nuts'")).rejects.toThrow("'NUTS'");
  });

  test('a program compiled without gradients is told how to have them', async () => {
    const code = "var name = ['H', 'MC'].join(''); Infer({method: 'MCMC', kernel: name, samples: 2, model: flip})";
    const { gradientKernels } = await import('../../../../src/inference/chains/kernel.ts');
    const { current } = gradientKernels;
    gradientKernels.current = null;
    try {
      await expect(runProgram(code)).rejects.toThrow(
        'The kernel HMC follows gradients, and this program was compiled without them',
      );
    } finally {
      gradientKernels.current = current;
    }
  });
});
