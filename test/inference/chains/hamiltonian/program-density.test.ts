import { describe, expect, test } from 'vitest';
import { type Continuous, coordinatesOf } from '../../../../src/guides/coordinates/coordinates.ts';
import { Chain } from '../../../../src/inference/chains/chain.ts';
import { Layout, pointAt } from '../../../../src/inference/chains/hamiltonian/layout.ts';
import { Placement } from '../../../../src/inference/chains/hamiltonian/placement.ts';
import { ProgramDensity } from '../../../../src/inference/chains/hamiltonian/program-density.ts';
import { Trace } from '../../../../src/inference/chains/trace.ts';
import '../../../../src/lifting/linkage.ts';
import { Entry } from '../../../../src/runtime/execution.ts';
import { machine } from '../../../../src/runtime/machine.ts';
import { sample } from '../../../../src/runtime/primitives.ts';
import { RandomStream } from '../../../../src/runtime/random.ts';
import { build, CONTINUOUS, label, TENSORS } from '../../../distributions/table.ts';
import { startTestRun } from '../../test-run.ts';
import { runProgram } from './programs.ts';

/** A program that is compiled for gradients, since it mentions NUTS, and whose value is its model. */
const modelOf = (body: string): string =>
  `var model = function() { ${body} }; var needs = function() { Infer({method: 'MCMC', kernel: 'NUTS', model}); }; model`;

/** The density of a model about its first execution. */
function densityOf(model: () => unknown) {
  const entry = new Entry();
  const chain = new Chain(entry, model, entry.streamOf(0), (k) => entry.streamOf(k + 1));
  chain.initialise('test', 1000);
  const layout = new Layout(chain.current);
  const position = new Float64Array(layout.dimension);
  layout.locate(chain.current, position);
  const origin = entry.streamOf(77);
  const make = () => new ProgramDensity(entry, model, layout, origin);
  const placement = new Placement(entry, model);

  /** The density as plain executions give it; undefined where there is none. */
  const plain = (at: Float64Array): number | undefined => {
    const trace = new Trace<unknown>(entry.address);
    if (!placement.run(layout, at, trace, origin.again(), Infinity)) return undefined;
    const volumes = layout.sites.map((site, i) => {
      if (!site.continuous) return 0;
      const { distribution, value } = trace.choices[i];
      return coordinatesOf(distribution, value as Continuous).place(pointAt(site, at)).logVolume as number;
    });
    return volumes.reduce((sum, volume) => sum + volume, trace.score);
  };
  return { layout, position, make, plain };
}

type Case = ReturnType<typeof densityOf>;

/** Points about the first one, near and far. */
function pointsAbout({ position }: Case, count: number): Float64Array[] {
  const random = RandomStream.fromSeed(5).begin();
  return Array.from({ length: count }, (_, k) => position.map((x) => x + (k === 0 ? 0 : 1) * random.gaussian()));
}

/** Compares density and gradient at the points with plain executions and their differences. */
function check(given: Case, points: readonly Float64Array[], kinks = false): number {
  const density = given.make();
  const gradient = new Float64Array(given.layout.dimension);
  let compared = 0;
  for (const point of points) {
    const value = density.evaluate(point, gradient);
    const expected = given.plain(point);
    if (expected === undefined) {
      expect(value).toBe(-Infinity);
      continue;
    }
    expect(Math.abs(value - expected)).toBeLessThan(1e-9 * (1 + Math.abs(expected)));
    for (let i = 0; i < point.length; i++) {
      const step = 1e-5 * (1 + Math.abs(point[i]));
      const at = (by: number): number => given.plain(point.map((x, j) => (j === i ? x + by : x))) ?? Number.NaN;
      const [far, near] = [(at(step) - at(-step)) / (2 * step), (at(step / 2) - at(-step / 2)) / step];
      // A difference across a jump or a kink says nothing of the slope.
      if (kinks && !(Math.abs(far - near) < 1e-4 * (1 + Math.abs(near)))) continue;
      expect(Math.abs(gradient[i] - near)).toBeLessThan(2e-5 * (1 + Math.abs(near)));
      compared++;
    }
  }
  return compared;
}

describe('the density of a choice', () => {
  const cases = [...CONTINUOUS, ...TENSORS].flatMap((row) =>
    row.params.map((params) => [label(row, params), row, params] as const),
  );

  test.each(cases)('from %s', (_name, row, params) => {
    startTestRun(3);
    const given = densityOf(() => sample(build<unknown>(row, params)));
    expect(check(given, pointsAbout(given, 4), row.family.endsWith('Laplace'))).toBeGreaterThan(0);
  });
});

const PROGRAMS: [string, string][] = [
  ['regression', 'var s = gamma(2, 1); var b = gaussian(0, 3); map(function(x) { observe(Gaussian({mu: b * x, sigma: s}), 2 * x); }, [1, 2, 3]); return b;'],
  ['bounds that are choices', 'var x = exponential(0.5); var y = uniform(-x, 2 * x); var z = uniform(y, x * 3); factor(-y * z); return z;'],
  ['a branch on a choice', 'var x = gaussian(0, 1); if (x > 0.3) { factor(-3 * x); } else { factor(x * x * x); } return x;'],
  ['branches on branches', 'var x = gaussian(0, 1); var y = gaussian(x > 0 ? 1 : -1, 1); if (x > 0) { if (y > 1) { factor(x * y); } else { factor(-x); } } else if (y < -1) { factor(y); } return x + y;'],
  ['a loop that depends on a choice', 'var x = uniform(0, 5); var t = 0; for (var i = 0; i < x; i++) { t += Math.sin(x + i); } factor(t); return x;'],
  ['recursion', 'var f = function(x, n) { return n === 0 ? x : f(gaussian(Math.tanh(x), 0.5), n - 1); }; var y = f(0, 6); observe(Gaussian({mu: y, sigma: 0.1}), 0.4); return y;'],
  ['discrete choices that stay', 'var z = flip(0.4); var k = discrete([1, 2, 3]); var x = gaussian(z ? 2 : -2, 1 + k); factor(k * x - x * x); return [z, x];'],
  ['a hidden Markov model summed out', 'var p = beta(2, 2); var q = beta(3, 1); var m = gaussian(0, 1); var ys = [0.1, 1.2, 0.9, -0.3]; var step = function(a, y) { var stay = logsumexp([a[0] + Math.log(p), a[1] + Math.log(1 - q)]); var go = logsumexp([a[0] + Math.log(1 - p), a[1] + Math.log(q)]); return [stay + Gaussian({mu: m, sigma: 1}).score(y), go + Gaussian({mu: m + 1, sigma: 1}).score(y)]; }; factor(logsumexp(reduce(function(y, a) { return step(a, y); }, [Math.log(0.5), Math.log(0.5)], ys))); return p;'],
  ['vectors and matrices', 'var v = diagCovGaussian(Vector([0, 1, 2]), Vector([1, 1, 2])); var w = multivariateGaussian(Vector([0, 0]), Matrix([[1, 0.3], [0.3, 2]])); var y = T.sumreduce(T.mul(v, v)); factor(-0.1 * y * T.get(w, 0) + T.get(w, 1)); return T.get(v, 0);'],
  ['a Dirichlet and its counts', 'var ps = dirichlet(Vector([1, 2, 3])); observe(Multinomial({ps: ps, n: 9}), [2, 3, 4]); observe(Discrete({ps: ps}), 1); observe(Categorical({ps: ps, vs: ["a", "b", "c"]}), "c"); factor(T.get(ps, 0)); return T.get(ps, 0);'],
  ['a mixture with weights that are choices', 'var t = beta(5, 5); var m = gaussian(0, 2); var d = Mixture({dists: [Gaussian({mu: m, sigma: 1}), Gaussian({mu: m + 2, sigma: 0.5})], ps: [t, 1 - t]}); map(function(y) { observe(d, y); }, [0.3, 2.2, 1.9]); return t;'],
  ['a mixture as a prior', 'var x = sample(Mixture({dists: [Gamma({shape: 2, scale: 1}), Gamma({shape: 9, scale: 0.5})], ps: [0.3, 0.7]})); factor(Math.log(x)); return x;'],
  ['ordered numbers', 'var a = sample(ImproperUniform()); observe(Gaussian({mu: 0, sigma: 2}), a); var b = sample(ImproperUniform({a: a})); observe(Gaussian({mu: 0, sigma: 2}), b); var c = sample(ImproperUniform({a: a, b: b})); return c;'],
  ['a number rounded', 'var x = gaussian(0, 2); var k = Math.round(x); factor(k === 1 ? 0.5 : -x * x); return k;'],
  ['an inference within', 'var p = beta(2, 2); var inner = Infer({method: "enumerate", model: function() { var a = flip(p); factor(a && flip(0.5) ? 0 : -1); return a; }}); observe(inner, true); return p;'],
  ['memoised choices', 'var f = mem(function(i) { return gaussian(i, 1); }); factor(-f(1) * f(2)); return f(1) + f(2);'],
  ['Student, Laplace and logs', 'var df = gamma(3, 2); var s = logNormal(0, 0.5); map(function(y) { observe(StudentT({df: df, location: 0, scale: s}), y); observe(Poisson({mu: s}), 2); observe(Bernoulli({p: sigmoid(df - s)}), true); }, [0.5, -1, 3]); return s;'],
]; // biome-ignore format: a program a line

describe('the density of a program', () => {
  test.each(PROGRAMS)('with %s', async (_name, body) => {
    const { value: model } = await runProgram<() => unknown>(modelOf(body), 4);
    const given = densityOf(model);
    expect(given.layout.dimension).toBeGreaterThan(0);
    // Enough points for the compiled form of the recordings to be used.
    expect(check(given, pointsAbout(given, 60), true)).toBeGreaterThan(30);
  });

  test('is the same whatever was evaluated before', async () => {
    const [, body] = PROGRAMS[3];
    const { value: model } = await runProgram<() => unknown>(modelOf(body), 4);
    const given = densityOf(model);
    const points = pointsAbout(given, 200);
    const shared = given.make();
    const gradient = new Float64Array(2);
    const fresh = new Float64Array(2);
    for (const point of points) {
      const value = shared.evaluate(point, gradient);
      expect(value).toBeCloseTo(given.make().evaluate(point, fresh), 10);
      gradient.forEach((x, i) => void expect(x).toBeCloseTo(fresh[i], 10));
    }
  });

  test('where other choices would be made, there is none, and a warning says so once', async () => {
    const code = modelOf('var x = gaussian(0, 1); return x > 0 ? gaussian(0, 1) : x;');
    const { value: model, warnings } = await runProgram<() => unknown>(code, 4);
    const given = densityOf(model);
    const density = given.make();
    const side = Math.sign(given.position[0]);
    const gradient = new Float64Array(given.layout.dimension);
    const other = given.position.slice();
    other[0] = -side;
    expect(density.evaluate(other, gradient)).toBe(-Infinity);
    expect(Array.from(gradient)).toEqual(Array.from(gradient, () => 0));
    expect(density.evaluate(given.position, gradient)).toBeCloseTo(given.plain(given.position) as number, 10);
    expect(warnings[0]).toContain('the program makes other random choices than at its start');
  });

  test('a number that gradients cannot follow is evaluated anew at every point, with a warning', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the program's
    const code = modelOf('var x = gaussian(0, 1); factor(parseFloat(`${x}`) * 2); return x;');
    const { value: model, warnings } = await runProgram<() => unknown>(code, 4);
    const given = densityOf(model);
    const density = given.make();
    const gradient = new Float64Array(1);
    for (const point of pointsAbout(given, 5)) {
      expect(density.evaluate(point, gradient)).toBeCloseTo(given.plain(point) as number, 10);
      expect(gradient[0]).toBeCloseTo(-point[0], 10);
    }
    expect(warnings[0]).toContain('Gradients do not pass through there');
    expect(machine.lifted).toBe(false);
  });
});
