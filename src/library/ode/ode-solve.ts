import { describe } from '../../runtime/describe.ts';
import { nearest, WaymarkError } from '../../runtime/errors.ts';
import { checkFunction } from '../arguments.ts';
import { type Arithmetic, integrate, type OdeOptions } from './integrate.ts';
import { type Derivative, step } from './runge-kutta.ts';

const FORM = 'odeSolve(derivatives, initialState, times)';

const DEFAULTS: Required<OdeOptions> = { relTol: 1e-6, absTol: 1e-9, maxSteps: 10_000 };

const plain: Arithmetic = { step, peek: (error) => error, accept() {} };

/**
 * The solution of ordinary differential equations: the states at `times`, the first of which is the initial one. `derivatives` is given a
 * time and a state, an array of numbers, and gives an array of their derivatives. It makes no choices, but may depend on choices that
 * were made: gradients pass through. Steps are as long as the errors allow (`relTol`, `absTol`), by the method of Dormand and Prince.
 *
 *     var rate = 0.5;
 *     var states = odeSolve(function(t, y) { return [-rate * y[0]]; }, [1], [0, 1, 2]);
 *     states[2][0]
 */
export function odeSolve(
  derivatives: Derivative,
  initialState: readonly number[],
  times: readonly number[],
  options: OdeOptions = {},
): number[][] {
  return solve(plain, derivatives, initialState, times, options) as number[][];
}

/** The same by other arithmetic. */
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
  return integrate(arithmetic, derivatives, initialState, times, checked(options));
}

function checked(options: OdeOptions): Required<OdeOptions> {
  for (const [name, value] of Object.entries(options)) {
    if (!(name in DEFAULTS)) {
      const meant = nearest(name, Object.keys(DEFAULTS));
      throw new WaymarkError(
        `odeSolve has no option '${name}'; it takes ${Object.keys(DEFAULTS).join(', ')}.${meant === undefined ? '' : ` Did you mean '${meant}'?`}`,
      );
    }
    if (!(typeof value === 'number' && value > 0)) {
      throw new WaymarkError(`odeSolve: ${name} must be a number greater than 0, got ${describe(value)}.`);
    }
  }
  return { ...DEFAULTS, ...options };
}
