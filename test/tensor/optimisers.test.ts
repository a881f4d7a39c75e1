import { afterEach, describe, expect, it } from 'vitest';
import { ParameterPack } from '../../src/optimize/parameter-pack.ts';
import { useDevice } from '../../src/tensor/devices.ts';
import {
  adadelta,
  adagrad,
  adam,
  adamw,
  momentum,
  rmsprop,
  sgd,
  type UpdateRule,
} from '../../src/tensor/optimisers.ts';
import { generator } from './inputs.ts';

const rules: UpdateRule[] = [sgd(), momentum(), adagrad(), rmsprop(), adadelta(), adam(), adamw()];

afterEach(() => useDevice('wasm'));

/** The rule on plain numbers, one parameter at a time. */
function byNumbers(rule: UpdateRule, start: number, gradients: readonly number[]): number {
  let parameter = start;
  let state = new Array<number>(rule.states).fill(0);
  gradients.forEach((gradient, i) => {
    const next = rule.update({ parameter, gradient, state, step: i + 1, stepSize: rule.stepSize });
    parameter = next.parameter as number;
    state = next.state as number[];
  });
  return parameter;
}

describe('update rules', () => {
  it('move as published', () => {
    expect(byNumbers(sgd({ stepSize: 0.5 }), 1, [2])).toBe(0);
    expect(byNumbers(momentum({ stepSize: 0.5, mu: 0.5 }), 1, [2, 2])).toBe(-1.5);
    expect(byNumbers(adagrad({ stepSize: 0.1 }), 1, [3])).toBeCloseTo(0.9, 8);
    expect(byNumbers(rmsprop({ stepSize: 0.1, decayRate: 0.75 }), 1, [3])).toBeCloseTo(0.8, 8);
    // The first step of Adam is the step size, whatever the gradient.
    expect(byNumbers(adam({ stepSize: 0.1 }), 1, [3])).toBeCloseTo(0.9, 7);
    expect(byNumbers(adam({ stepSize: 0.1 }), 1, [-300])).toBeCloseTo(1.1, 7);
    expect(byNumbers(adamw({ stepSize: 0.1, weightDecay: 0.5 }), 1, [3])).toBeCloseTo(0.85, 7);
    // √ε / √(0.05 g² + ε) · g for the first step of Adadelta.
    expect(byNumbers(adadelta(), 1, [2])).toBeCloseTo(1 - (2 * 1e-3) / Math.sqrt(0.2 + 1e-6), 12);
  });

  for (const device of ['js', 'wasm'] as const) {
    it.each(rules.map((rule) => [rule.name, rule] as const))(
      `on ${device} buffers equal those on numbers: %s`,
      (_name, rule) => {
        useDevice(device);
        for (const dtype of ['f64', 'f32'] as const) {
          const random = generator(6);
          const length = 37;
          const start = Float64Array.from({ length }, () => Math.fround(random() - 0.5));
          const pack = new ParameterPack(dtype, rule, 0, () => {});
          pack.meet([pack.place(start)]);
          const history: Float64Array[] = [];
          for (let step = 0; step < 5; step++) {
            const g = Float64Array.from({ length }, () => Math.fround(random() - 0.5));
            history.push(g);
            pack.gradients.view().set(g);
            pack.move(step, rule.stepSize, 1);
          }
          for (let i = 0; i < length; i++) {
            const expected = byNumbers(
              rule,
              start[i],
              history.map((g) => g[i]),
            );
            expect(Math.abs(pack.values.view()[i] - expected)).toBeLessThan(dtype === 'f64' ? 1e-14 : 3e-6);
          }
        }
      },
    );
  }
});
