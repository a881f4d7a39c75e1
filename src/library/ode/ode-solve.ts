import { limit, type OptionTable, positiveNumber, readOptions, withDefault } from '../../inference/options.ts';
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { checkFunction } from '../arguments.ts';
import { type Arithmetic, integrate, type OdeOptions } from './integrate.ts';
import { type Derivative, step } from './runge-kutta.ts';

const FORM = 'odeSolve(derivatives, initialState, times)';

const TABLE: OptionTable<Required<OdeOptions>> = {
  relTol: withDefault(positiveNumber, 1e-6),
  absTol: withDefault(positiveNumber, 1e-9),
  maxSteps: withDefault(limit(1), 10_000),
};

const plain: Arithmetic = { step, peek: (error) => error, accept() {} };

/**
 * The solution of ordinary differential equations: the states at `times`, the first of which is the initial one. `derivatives` is given a
 * time and a state, an array of numbers, and gives an array of their derivatives. It makes no choices, but may depend on choices that
 * were made: gradients pass through. Steps are as long as the errors allow (`relTol`, `absTol`), by the method of Dormand and Prince.
 *
 *     var rate = 0.5;
 *     var states = odeSolve(function(t, y) { return [-rate * y[0]]; }, [1], [0, 1, 2]);
 *     states[2][0].toFixed(6)
 */
export function odeSolve(
  derivatives: Derivative,
  initialState: readonly number[],
  times: readonly number[],
  options: OdeOptions = {},
): number[][] {
  return solve(plain, derivatives, initialState, times, options) as number[][];
}

/** `odeSolve` in the given arithmetic. */
export function solve(
  arithmetic: Arithmetic,
  derivatives: Derivative,
  initialState: readonly number[],
  times: readonly number[],
  options: OdeOptions,
): (readonly number[])[] {
  checkFunction(FORM, derivatives);
  if (!Array.isArray(initialState) || initialState.length === 0) {
    throw new WaymarkError(
      `odeSolve needs an array of numbers as the initial state, as in ${FORM}; got ${describe(initialState)}.`,
    );
  }
  const bad = Array.isArray(times)
    ? times.findIndex((t, i) => !(Number.isFinite(t) && (i === 0 || t > times[i - 1])))
    : 0;
  if (!Array.isArray(times) || times.length === 0 || bad >= 0) {
    throw new WaymarkError(
      `odeSolve needs times that ascend, the first that of the initial state; got ${Array.isArray(times) && times.length > 0 ? `${describe(times[bad])} at index ${bad}` : describe(times)}.`,
    );
  }
  return integrate(arithmetic, derivatives, initialState, times, readOptions('odeSolve', options, TABLE));
}
