import { describe, expect, test } from 'vitest';
import { PackedParameters } from '../../src/optimize/packed-parameters.ts';
import { ParameterTable } from '../../src/runtime/parameters.ts';
import { adam, sgd } from '../../src/tensor/optimisers.ts';
import { Tensor } from '../../src/tensor/tensor.ts';
import { numbersOf, runProgram } from './run-optimize.ts';

const vector = (...numbers: number[]): Tensor => new Tensor([numbers.length], Float64Array.from(numbers));

const table = (): ParameterTable => ParameterTable.from({ net: vector(0.1, 0.2, -3), mean: vector(0.1) });

/** The gradients of a step: of a network's parameter in single precision, and of another in double. */
const gradients = (step: number) =>
  new Map<string, Float64Array | Float32Array>([
    ['net', Float32Array.of(0.5, -0.3 * step, 1)],
    ['mean', Float64Array.of(0.7)],
  ]);

function steps(parameters: PackedParameters, from: number, to: number): void {
  for (let step = from; step < to; step++) {
    parameters.take(gradients(step));
    parameters.move(step, 0.01, 1);
  }
}

describe('packed parameters', () => {
  test('of both precisions move together, each in its own', () => {
    const both = table();
    const wide = table();
    steps(new PackedParameters(both, adam(), 0), 0, 20);
    const packed = new PackedParameters(wide, adam(), 0);
    for (let step = 0; step < 20; step++) {
      packed.take(new Map([...gradients(step)].map(([name, gradient]) => [name, Float64Array.from(gradient)])));
      packed.move(step, 0.01, 1);
    }
    expect(both.get('mean')!.data).toEqual(wide.get('mean')!.data);
    const [single, double] = [both, wide].map((one) => one.get('net')!.data);
    // Twenty roundings of numbers of at most 3.3.
    single.forEach((value, i) => {
      expect(Math.abs(value - double[i])).toBeLessThan(20 * 3.3 * 2 ** -24);
      expect(value).toBe(Math.fround(value));
    });
    expect(single).not.toEqual(double);
  });

  test('go on from what was remembered', () => {
    const whole = table();
    steps(new PackedParameters(whole, adam(), 0), 0, 9);
    const first = table();
    const before = new PackedParameters(first, adam(), 0);
    steps(before, 0, 4);
    const second = first.copy();
    const after = new PackedParameters(second, adam(), 0);
    after.restore(before.memories());
    steps(after, 4, 9);
    expect(second.equals(whole)).toBe(true);
  });

  test('squares that single precision cannot hold do not spoil the norm', () => {
    const parameters = new PackedParameters(table(), sgd(), 0);
    parameters.take(
      new Map<string, Float64Array | Float32Array>([
        ['net', Float32Array.of(3e25, 0, 0)],
        ['mean', Float64Array.of(4e25)],
      ]),
    );
    expect(parameters.norm() / 5e25).toBeCloseTo(1, 6);
    parameters.take(new Map([['net', Float32Array.of(Number.NaN, 0, 0)]]));
    expect(parameters.norm()).toBeNaN();
    expect(parameters.culprit()).toBe('net');
  });

  const program = `
    var model = function() {
      var h = affine('net', {in: 2, out: 1})(Vector([1, 2]));
      var x = sample(Gaussian({mu: 0, sigma: 1}), {
        guide: Gaussian({mu: T.get(h, 0) + param({name: 'shift', mu: 0.1}), sigma: 0.5})
      });
      observe(Gaussian({mu: x, sigma: 1}), 1);
    };
    Optimize(model, {steps: 5, checkGradients: false});
    getParams()`;

  test.each(['single', 'double'] as const)('of a network are kept in its precision: %s', async (precision) => {
    const { value } = await runProgram(program, { engine: { precision } });
    const { shift, ...net } = numbersOf(value);
    const isSingle = (numbers: number[]): boolean => numbers.every((x) => x === Math.fround(x));
    expect(isSingle(shift)).toBe(false);
    expect(Object.keys(net)).toHaveLength(2);
    for (const numbers of Object.values(net)) expect(isSingle(numbers)).toBe(precision === 'single');
  });
});
