/** Many gradient estimates at the same parameters, and what they have for mean and spread. */
import { expect } from 'vitest';
import { readOptions } from '../../src/inference/options.ts';
import { elbo } from '../../src/optimize/elbo.ts';
import type { Estimator } from '../../src/optimize/estimator.ts';
import { PackedParameters } from '../../src/optimize/packed-parameters.ts';
import type { GradientsOption } from '../../src/optimize/sites/rule.ts';
import { loadProgram } from '../../src/program/load.ts';
import { Entry } from '../../src/runtime/execution.ts';
import { machine } from '../../src/runtime/machine.ts';
import { ParameterTable } from '../../src/runtime/parameters.ts';
import { sgd } from '../../src/tensor/optimisers.ts';
import { Tensor } from '../../src/tensor/tensor.ts';
import { quietRun } from '../program/quiet-run.ts';

/** The model that a program's text ends in, in a fresh run; its data are looked at one by one, or side by side. */
export async function modelOf(code: string, sequential = false): Promise<() => unknown> {
  const program = await loadProgram({ code: `var optimise = () => Optimize(); ${code}` });
  return program.run({ ...quietRun(1), engine: { sequential } }) as () => unknown;
}

export function tableOf(params: Readonly<Record<string, number | readonly number[]>>): ParameterTable {
  const table = new ParameterTable();
  for (const [name, value] of Object.entries(params)) {
    const data = Float64Array.from(typeof value === 'number' ? [value] : value);
    table.set(name, new Tensor(typeof value === 'number' ? [1] : [data.length, 1], data));
  }
  return table;
}

export interface Moments {
  readonly mean: Float64Array;
  /** Of one estimate. */
  readonly variance: Float64Array;
  readonly standardError: Float64Array;
}

export interface Conditions {
  /** Steps before those that count. */
  readonly warmUp?: number;
  /** The number of the first step: steps of other numbers draw other random numbers. */
  readonly first?: number;
  /** Whether steps may be compiled. */
  readonly steady?: boolean;
  readonly gradients?: GradientsOption;
  readonly estimator?: Estimator<object>;
}

/** Moments of the gradient of the objective (to be made large), from steps that leave the parameters alone. */
export function gradientMoments(
  model: () => unknown,
  params: ParameterTable,
  options: object,
  steps: number,
  {
    warmUp = 20,
    first = 0,
    steady = true,
    gradients = 'paper',
    estimator = elbo as unknown as Estimator<object>,
  }: Conditions = {},
): { gradients: Map<string, Moments>; objective: { mean: number; standardError: number } } {
  machine.params = params;
  const packed = new PackedParameters(params, sgd(), 0);
  const read = { ...readOptions('estimator', options, estimator.options), gradients };
  const step = estimator.start(model, new Entry(params), read, packed, { steady, steps: Infinity });
  for (let i = 0; i < warmUp; i++) step(first + i);
  // Those of the steps that met the parameter; of the others they are 0.
  const found = new Map<string, Float64Array[]>();
  let total = 0;
  let totalSquares = 0;
  for (let i = 0; i < steps; i++) {
    const { gradients, objective } = step(first + warmUp + i);
    total += objective;
    totalSquares += objective ** 2;
    if (gradients !== 'packed') packed.take(gradients);
    for (const name of packed.met.flatMap(({ names }) => names)) {
      const gradient = Float64Array.from(packed.gradientOf(name), (one) => -one);
      const own = found.get(name);
      if (own === undefined) found.set(name, [gradient]);
      else own.push(gradient);
    }
  }
  const result = new Map<string, Moments>();
  for (const [name, all] of found) {
    const over = (of: (gradient: Float64Array, k: number) => number): Float64Array =>
      all[0].map((_, k) => all.reduce((sum, gradient) => sum + of(gradient, k), 0));
    const mean = over((gradient, k) => gradient[k] / steps);
    // By differences from the mean: those of estimates that are all the same are nothing but rounding.
    const squares = over((gradient, k) => (gradient[k] - mean[k]) ** 2);
    const variance = squares.map((s, k) => (s + (steps - all.length) * mean[k] ** 2) / (steps - 1));
    result.set(name, { mean, variance, standardError: variance.map((v) => Math.sqrt(v / steps)) });
  }
  const mean = total / steps;
  return {
    gradients: result,
    objective: { mean, standardError: Math.sqrt(Math.max(0, totalSquares / steps - mean ** 2) / steps) },
  };
}

/** Means of many samples lie within four standard errors; sums of floats that do not vary agree but for rounding. */
export function expectMean(mean: number, standardError: number, exact: number, what: string): void {
  const error = Math.abs(mean - exact);
  expect(error, `${what}: ${mean} ± ${standardError}, exactly ${exact}`).toBeLessThan(4 * standardError + 1e-6);
}

/** Variances of all entries of all parameters together. */
export function totalVariance(gradients: Map<string, Moments>): number {
  let total = 0;
  for (const { variance } of gradients.values()) for (const v of variance) total += v;
  return total;
}
