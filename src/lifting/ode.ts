/**
 * Differential equations in the graph. Step sizes are chosen by plain values, which do not become guards of the recording;
 * that the errors of these steps are small enough does.
 */
import type { Arithmetic, OdeOptions } from '../library/ode/integrate.ts';
import { solve } from '../library/ode/ode-solve.ts';
import type { Derivative } from '../library/ode/runge-kutta.ts';
import { step } from '../library/ode/runge-kutta.ts?lifted';
import { Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { Tensor } from '../tensor/tensor.ts';
import { truth } from './conditions.ts';
import { plain as looked } from './looking.ts';

function valueNow(error: unknown): number {
  if (!(error instanceof Node)) return error as number;
  const value = error.value();
  return value instanceof Tensor ? value.data.reduce((a, b) => Math.max(a, b), 0) : Number(value);
}

const inGraph: Arithmetic = {
  step: step as Arithmetic['step'],
  peek: valueNow,
  accept(errors) {
    const nodes = errors.filter((error) => (error as unknown) instanceof Node) as unknown as Value[];
    const largest = nodes.length > 0 && nodes.reduce((a, b) => ops.max(a, b));
    if (largest) truth(ops.le(largest, 1));
  },
};

export function odeSolve(
  derivatives: Derivative,
  initialState: unknown,
  times: unknown,
  options?: OdeOptions,
): unknown {
  const state = looked(initialState) as readonly number[];
  const when = Array.isArray(times) ? times.map((t) => looked(t) as number) : (looked(times) as readonly number[]);
  return solve(inGraph, derivatives, state, when, options ?? {});
}
