import { describe, expect, test } from 'vitest';
import { Entry } from '../../src/runtime/execution.ts';
import { settled } from '../../src/runtime/force.ts';
import type { Handler } from '../../src/runtime/handler.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { scalar } from '../../src/tensor/leaves.ts';
import { Node, type Value } from '../../src/tensor/node.ts';
import { modelOf } from '../optimize/gradient-samples.ts';

/** Gives the one continuous choice of a program a value; it is a leaf of the graph. */
class At implements Handler {
  readonly name = 'test';
  readonly lifted: boolean = true;
  readonly leaf: Node;
  constructor(private readonly x: number) {
    this.leaf = scalar(x);
  }
  sample(): never {
    return (this.lifted ? this.leaf : this.x) as never;
  }
  factor(): void {}
}

class PlainAt extends At {
  override readonly lifted = false;
}

/** The value of a model at x, in plain text, and by gradients. */
async function slopes(code: string, x: number): Promise<{ exact: number; recorded: number; value: number }> {
  const model = await modelOf(code);
  const entry = new Entry();
  const at = (place: number): number => entry.execute(new PlainAt(place), model, entry.streamOf(0)) as number;
  const handler = new At(x);
  const result = entry.execute(handler, model, entry.streamOf(0)) as unknown as Value;
  expect(result).toBeInstanceOf(Node);
  expect(settled(result)).toBeCloseTo(at(x), 10);
  const [slope] = gradient(result as Node, [handler.leaf]);
  const h = 1e-5;
  return { exact: (at(x + h) - at(x - h)) / (2 * h), recorded: slope.value() as number, value: at(x) };
}

const INNER = `Infer({method: 'enumerate', model: function() {
  var a = flip(x);
  var b = flip(a ? 0.9 : x * x);
  factor(a && b ? x : -1);
  return a + 2 * b;
}})`;

const PROGRAMS: [string, string][] = [
  ['the score of a value', `${INNER}.score(2)`],
  ['an expectation', `expectation(${INNER})`],
  ['an expectation of a function', `expectation(${INNER}, function(v) { return v * v * x; })`],
  ['the entropy', `entropy(${INNER})`],
  ['the mean', `${INNER}.mean()`],
  ['the evidence', `${INNER}.logZ`],
  ['a marginal of it', `marginalize(${INNER}, function(v) { return v > 1; }).score(true)`],
  [
    'an enumeration inside',
    `Infer({method: 'enumerate', model: function() { return sample(${INNER}) > 1; }}).score(true)`,
  ],
  [
    'a recursion whose paths meet again',
    `Infer({method: 'enumerate', model: function() {
    var walk = function(n, k) { return n === 0 ? k : walk(n - 1, flip(x) ? k + 1 : k); };
    return walk(7, 0);
  }}).score(3)`,
  ],
  ['the automatic method', `Infer(function() { return flip(x) ? 1 : flip(0.3) + 2; }).score(2)`],
  ['observations', `Infer({method: 'enumerate', model: function() {
    var k = randomInteger(3);
    observe(Gaussian({mu: k * x, sigma: 1}), 0.7);
    return k;
  }}).score(1)`], // biome-ignore format: a program
  ['sampleWithFactor', `Infer({method: 'enumerate', model: function() {
    return sampleWithFactor(Bernoulli({p: 0.4}), function(v) { return v ? x : 0; });
  }}).score(true)`], // biome-ignore format: a program
];

describe('enumeration under gradients', () => {
  test.each(PROGRAMS)('passes them through %s', async (_name, expression) => {
    const { exact, recorded } = await slopes(
      `var model = function() { var x = uniform(0, 1); return ${expression}; }; model`,
      0.35,
    );
    expect(Math.abs(exact)).toBeGreaterThan(1e-3);
    expect(recorded).toBeCloseTo(exact, 6);
  });

  test('gives a plain marginal where no node is met', async () => {
    const model = await modelOf(
      'var model = function() { return Infer({method: "enumerate", model: function() { return flip(0.3); }}); }; model',
    );
    const entry = new Entry();
    const result = entry.execute(new At(0.5), model, entry.streamOf(0)) as unknown as { score(v: boolean): number };
    expect(result.score(true)).toBeCloseTo(Math.log(0.3), 12);
  });
});
