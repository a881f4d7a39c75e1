import { describe, expect, test } from 'vitest';
import { loadProgram } from '../../src/program/load.ts';
import { Entry } from '../../src/runtime/execution.ts';
import { settled } from '../../src/runtime/force.ts';
import type { Handler } from '../../src/runtime/handler.ts';
import { machine } from '../../src/runtime/machine.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { scalar } from '../../src/tensor/leaves.ts';
import { Node, type Value } from '../../src/tensor/node.ts';
import * as ops from '../../src/tensor/ops.ts';

const run = (seed: number) => ({
  seed,
  folder: '.',
  args: [],
  output() {},
  warn() {},
  progress: () => ({ update() {}, finish() {} }),
});

/** Draws each choice, and hands it to the program as it is, or as a leaf of the graph. */
class Probe implements Handler {
  name = 'probe';
  total: Value = 0;
  addresses: string[] = [];
  leaves: Node[] = [];
  constructor(readonly lifted: boolean) {}
  sample: Handler['sample'] = (distribution, _options, address) => {
    const value = distribution.draw(machine.stream.begin());
    this.addresses.push(String(address));
    let seen: unknown = value;
    if (this.lifted && typeof value === 'number' && distribution.isContinuous) {
      const leaf = scalar(value);
      this.leaves.push(leaf);
      seen = leaf;
    }
    this.total = ops.add(this.total, distribution.score(seen as never));
    return seen as never;
  };
  factor(score: number): void {
    this.total = ops.add(this.total, score);
  }
}

/** The model of a program, executed under a probe in plain and in lifted text. */
async function both(code: string, language: 'wppl' | 'ts' = 'wppl') {
  // A program that may need gradients has both texts.
  const needs = language === 'wppl' ? '' : "import { Optimize } from 'waymark'; ";
  const program = await loadProgram({ code: `${needs}var optimise = () => Optimize(); ${code}`, language });
  const model = program.run(run(7)) as () => unknown;
  const execute = (lifted: boolean) => {
    const probe = new Probe(lifted);
    const entry = new Entry();
    const value = entry.execute(probe, model, entry.streamOf(0));
    return { probe, value: settled(value), total: settled(probe.total) as number };
  };
  program.run(run(7));
  const plain = execute(false);
  program.run(run(7));
  const lifted = execute(true);
  return { plain, lifted };
}

const MODELS: [string, string][] = [
  [
    'arithmetic',
    'var model = function() { var x = gaussian(0, 1); factor(-x * x / 2 + 3 % 2); return [x ** 2, -x, x > 0 ? 1 : x - 1]; }; model',
  ],
  [
    'branches',
    'var model = function() { var x = gaussian(0, 1); if (x > 0) { return flip(0.5) ? x : 2; } else { return gamma(2, 1) + x; } }; model',
  ],
  [
    'early return',
    'var f = function(x) { if (x < -10) { return 0; } return Math.exp(x) + Math.max(x, 1, 2); }; var model = function() { return f(gaussian(1, 2)); }; model',
  ],
  [
    'logic',
    'var model = function() { var x = uniform(0, 1); return [x > 0.5 && x < 0.9, x < 0.1 || !(x > 0.2), typeof x, x === 3, x !== 3]; }; model',
  ],
  [
    'loops',
    'var model = function() { var t = 0; for (var i = 0; i < 4; i++) { t += gaussian(t, 1); } while (t < 0) { t = t + exponential(1); } return t; }; model',
  ],
  [
    'maps',
    'var model = function() { var xs = map(function(m) { return gaussian(m, 1); }, [1, 2, 3]); var ys = xs.map(x => gaussian(x, 1)); return {s: sum(xs), p: product(ys), l: logsumexp(xs), m: listMean(ys)}; }; model',
  ],
  [
    'recursion',
    'var walk = function(x, n) { return n === 0 ? x : walk(gaussian(x, 1), n - 1); }; var model = function() { return walk(0, 5); }; model',
  ],
  [
    'observe',
    'var model = function() { var mu = gaussian(0, 10); var sigma = gamma(2, 2); map(function(y) { observe(Gaussian({mu: mu, sigma: sigma}), y); }, [1, 2, 3]); return mu / sigma; }; model',
  ],
  [
    'tensors',
    'var model = function() { var x = gaussian(0, 1); var v = Vector([x, 2 * x, 1]); return [T.get(v, 1), v[2], T.sumreduce(T.mul(v, v)), softplus(x), T.dot(Matrix([[1, 2, 3]]), v), T.toScalars(simplex(v))]; }; model',
  ],
  [
    'tensors of different dims',
    'var model = function() { var x = gaussian(0, 1); var v = Vector([x, 2 * x, 1]); var r = T.range(v, 0, 3); var m = Matrix([[x, 1, 2], [3, x, 4]]); return [v + r, r * v, T.sub(v, r), T.dot(m, r), T.transpose(r), m - T.transpose(v), T.div(m, Vector([2, x])), v + T.transpose(r), m[1], m[0][2], m[1] * v]; }; model',
  ],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the program's
  ['text', 'var model = function() { var x = gaussian(0, 1); return "x" + (x > 0 ? "+" : "-") + `${x > 1}`; }; model'],
  [
    'switch',
    'var model = function() { var x = Math.round(gaussian(0, 1)); switch (x) { case 0: return "zero"; case 1: return "one"; default: return "other"; } }; model',
  ],
  [
    'defaults',
    'var model = function() { var f = function(a, b = a * 2, {c} = {c: b + 1}) { return a + b + c; }; return f(gaussian(0, 1)); }; model',
  ],
  [
    'closures',
    'var model = function() { var k = gaussian(0, 1); var add = x => x + k; return [add(1), [1, 2].map(add), apply(add, [3])]; }; model',
  ],
  [
    'updates',
    'var model = function() { let x = gaussian(0, 1); let y = x++; x -= 3; --x; const o = {v: x}; o.v *= 2; o["v"] += y; return [x, y, o]; }; model',
  ],
];

describe('lifted text', () => {
  test.each(MODELS)('%s: same choices, scores and values as plain text', async (_name, code) => {
    const { plain, lifted } = await both(code);
    expect(lifted.probe.addresses).toEqual(plain.probe.addresses);
    expect(lifted.total).toBeCloseTo(plain.total, 10);
    expect(JSON.stringify(rounded(lifted.value))).toBe(JSON.stringify(rounded(plain.value)));
    if (lifted.probe.leaves.length > 0) expect(lifted.probe.total).toBeInstanceOf(Node);
  });

  test('a function that returns nothing is not run in plain text as well', async () => {
    const { plain, lifted } = await both(
      `import { Gaussian, observe, sample } from 'waymark';
       const choose = () => { sample(Gaussian({mu: 0, sigma: 1})); };
       const model = () => { choose(); observe(Gaussian({mu: 0, sigma: 1}), 5); };
       export default model;`,
      'ts',
    );
    expect(lifted.probe.addresses).toEqual(plain.probe.addresses);
    expect(lifted.total).toBeCloseTo(plain.total, 12);
  });

  test('gradients reach the choices', async () => {
    const { lifted } = await both(
      'var model = function() { var x = gaussian(1, 2); observe(Gaussian({mu: x, sigma: 3}), 5); return x; }; model',
    );
    const [leaf] = lifted.probe.leaves;
    const [slope] = gradient(lifted.probe.total as Node, [leaf]);
    const x = leaf.value() as number;
    expect(slope.value()).toBeCloseTo(-(x - 1) / 4 + (5 - x) / 9, 10);
  });
});

/** Numbers to twelve digits: the two texts may round differently. */
function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(12));
  if (Array.isArray(value)) return value.map(rounded);
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as number[], rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, rounded(field)]));
}
