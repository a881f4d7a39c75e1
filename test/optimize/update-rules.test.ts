import { describe, expect, test } from 'vitest';
import { readOptions } from '../../src/inference/options.ts';
import { PackedParameters } from '../../src/optimize/packed-parameters.ts';
import { schedules } from '../../src/optimize/schedules.ts';
import { type OptimisationMethod, updateRules } from '../../src/optimize/update-rules.ts';
import { ParameterTable } from '../../src/runtime/parameters.ts';
import { Tensor } from '../../src/tensor/tensor.ts';

type Name = keyof typeof updateRules;

/** Where so many steps lead from a point, by the gradient at each. */
function descend(
  name: Name,
  given: object,
  from: readonly number[],
  count: number,
  gradient: (i: number, at: ArrayLike<number>) => readonly number[],
): number[] {
  const method = updateRules[name] as unknown as OptimisationMethod<object>;
  const { rule, stepSize } = method.start(readOptions(name, given, method.options));
  const table = ParameterTable.from({ x: new Tensor([from.length, 1], Float64Array.from(from)) });
  const parameters = new PackedParameters(table, rule, 0);
  for (let i = 0; i < count; i++) {
    parameters.take(new Map([['x', Float64Array.from(gradient(i, table.get('x')!.data))]]));
    parameters.move(i, stepSize(i), 1);
  }
  return [...table.get('x')!.data];
}

/** Two steps from [1, −2] with gradients [0.5, −3] and [0.25, 1], by hand. */
function steps(name: Name, given: object, gradients: number[][]): number[] {
  return descend(name, given, [1, -2], gradients.length, (i) => gradients[i]);
}

const GRADIENTS = [
  [0.5, -3],
  [0.25, 1],
];

/** What each rule makes of one coordinate, written out. */
const BY_HAND: [Name, object, (x: number, g: number, h: number) => number][] = [
  ['sgd', {}, (x, g, h) => x - 0.1 * g - 0.1 * h],
  ['gd', { stepSize: 0.2 }, (x, g, h) => x - 0.2 * g - 0.2 * h],
  ['sgd', { stepSize: 0.5, mu: 0.9 }, (x, g, h) => x - 0.5 * g + (0.9 * -0.5 * g - 0.5 * h)],
  ['sgd', { stepSize: 0.5, stepSizeDecay: 0.5 }, (x, g, h) => x - 0.5 * g - 0.25 * h],
  [
    'adagrad',
    { stepSize: 0.3 },
    (x, g, h) => x - (0.3 * g) / (Math.abs(g) + 1e-8) - (0.3 * h) / (Math.sqrt(g * g + h * h) + 1e-8),
  ],
  [
    'rmsprop',
    { stepSize: 0.01, decayRate: 0.8 },
    (x, g, h) => {
      const first = 0.2 * g * g;
      const second = 0.8 * first + 0.2 * h * h;
      return x - (0.01 * g) / (Math.sqrt(first) + 1e-8) - (0.01 * h) / (Math.sqrt(second) + 1e-8);
    },
  ],
  [
    'adam',
    { stepSize: 0.1 },
    (x, g, h) => {
      const m1 = 0.1 * g;
      const v1 = 0.001 * g * g;
      const m2 = 0.9 * m1 + 0.1 * h;
      const v2 = 0.999 * v1 + 0.001 * h * h;
      const size1 = (0.1 * Math.sqrt(1 - 0.999)) / (1 - 0.9);
      const size2 = (0.1 * Math.sqrt(1 - 0.999 ** 2)) / (1 - 0.9 ** 2);
      return x - (size1 * m1) / (Math.sqrt(v1) + 1e-8) - (size2 * m2) / (Math.sqrt(v2) + 1e-8);
    },
  ],
  [
    'adamw',
    { stepSize: 0.1, weightDecay: 0.5, decayRate1: 0, decayRate2: 0 },
    // Without memory, adam moves by the step size in the direction of the gradient.
    (x, g, h) => {
      const once = 0.95 * x - (0.1 * g) / (Math.abs(g) + 1e-8);
      return 0.95 * once - (0.1 * h) / (Math.abs(h) + 1e-8);
    },
  ],
  [
    'adadelta',
    { stepSize: 2, decayRate: 0.5 },
    (x, g, h) => {
      const s1 = 0.5 * g * g;
      const move1 = (Math.sqrt(1e-6) / Math.sqrt(s1 + 1e-6)) * g;
      const m1 = 0.5 * move1 * move1;
      const s2 = 0.5 * s1 + 0.5 * h * h;
      const move2 = (Math.sqrt(m1 + 1e-6) / Math.sqrt(s2 + 1e-6)) * h;
      return x - 2 * move1 - 2 * move2;
    },
  ],
];

describe('optimisers', () => {
  test.each(BY_HAND)('%s %o: two steps by hand', (name, options, expected) => {
    const [a, b] = steps(name, options, GRADIENTS);
    expect(a).toBeCloseTo(expected(1, 0.5, 0.25), 12);
    expect(b).toBeCloseTo(expected(-2, -3, 1), 12);
  });

  const enough: Record<Name, object> = {
    sgd: { stepSize: 0.1 },
    gd: { stepSize: 0.1, mu: 0.5 },
    adagrad: { stepSize: 0.5 },
    rmsprop: { stepSize: schedules.exponential({ from: 0.1, rate: 0.99 }) },
    adam: { stepSize: schedules.cosine({ from: 0.1, to: 1e-6, steps: 1000 }) },
    adamw: { stepSize: schedules.cosine({ from: 0.1, to: 1e-6, steps: 1000 }), weightDecay: 0 },
    adadelta: { stepSize: 20 },
  };
  test.each(Object.entries(enough) as [Name, object][])('%s finds the minimum of a quadratic', (name, given) => {
    const values = descend(name, given, [4, -3], 1000, (_, at) => [at[0] - 1, 3 * (at[1] + 0.5)]);
    expect(values[0]).toBeCloseTo(1, 2);
    expect(values[1]).toBeCloseTo(-0.5, 2);
  });

  test('step sizes as functions of the step', () => {
    const [a] = steps('sgd', { stepSize: (step: number) => 1 / (step + 1) }, GRADIENTS);
    expect(a).toBeCloseTo(1 - 0.5 - 0.125, 12);
    expect(() => steps('adam', { stepSize: () => Number.NaN }, GRADIENTS)).toThrow(
      'stepSize must give a number of at least 0 for each step; for step 0 it gave NaN.',
    );
  });
});

describe('schedules', () => {
  test('go where they say', () => {
    const exponential = schedules.exponential({ from: 0.1, rate: 0.5, steps: 10 });
    expect([0, 10, 20].map(exponential)).toEqual([0.1, 0.05, 0.025]);
    const cosine = schedules.cosine({ from: 1, to: 0.2, steps: 100 });
    expect([0, 50, 100, 500].map((step) => Number(cosine(step).toFixed(12)))).toEqual([1, 0.6, 0.2, 0.2]);
    expect(schedules.cosine({ from: 1, to: 0, steps: 100 })(100)).toBe(0);
    const warm = schedules.warmUp({ steps: 4, after: 0.8 });
    expect([0, 1, 3, 9].map(warm)).toEqual([0.2, 0.4, 0.8, 0.8]);
    expect(schedules.warmUp({ steps: 2, after: (step) => step })(8)).toBe(8);
  });

  test('refuse what is no step size', () => {
    expect(() => schedules.cosine({ from: 1, to: -1, steps: 10 })).toThrow(
      'schedules.cosine: to must be a number of at least 0, got -1.',
    );
    expect(() => schedules.warmUp({ steps: 10, after: 'x' as never })).toThrow(
      'schedules.warmUp: after must be a step size or a schedule, got the string "x".',
    );
  });
});
