/** The steps of a solution: as long as errors allow, and ending at each of the times that are asked for. */

import { weigh } from '../../algebra/library.ts';
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { machine } from '../../runtime/machine.ts';
import { outsideModels } from '../../runtime/refusal.ts';
import type { Derivative, Step } from './runge-kutta.ts';

/** How exactly `odeSolve` solves. */
export interface OdeOptions {
  /** The error allowed for each element of the state, relative to its size. */
  relTol?: number;
  /** The error allowed where an element is close to 0. */
  absTol?: number;
  /** The most steps: 10,000 if left out. */
  maxSteps?: number;
}

/** Arithmetic on plain numbers, or on nodes of the graph. */
export interface Arithmetic {
  step(
    f: Derivative,
    t: number,
    y: readonly number[],
    slope: readonly number[],
    h: number,
    rel: number,
    abs: number,
  ): Step;
  /** The value of an error, whatever it depends on; the largest of all, if it stands for several. */
  peek(error: number): number;
  /** Told of the errors of all steps that were taken. */
  accept(errors: readonly number[]): void;
}

/** Steps are chosen for a hundredth of the error that is allowed, so that a recording of them serves other values too. */
const MARGIN = 0.01;

/** Runs that have been warned: chains may come to such values often. */
const warned = new WeakSet<object>();

/** Why a solution cannot be followed further. */
class Stuck {
  constructor(
    readonly message: string,
    readonly states: (readonly number[])[],
  ) {}
}

/**
 * The states at `times`. Within a model, a solution that cannot be followed has probability 0, as after `factor(-Infinity)`: chains try
 * values that are far off, and must be able to leave them again.
 */
export function integrate(
  arithmetic: Arithmetic,
  f: Derivative,
  y0: readonly number[],
  times: readonly number[],
  options: Required<OdeOptions>,
): (readonly number[])[] {
  const found = follow(arithmetic, f, y0, times, options);
  if (!(found instanceof Stuck)) return found;
  if (outsideModels()) throw new WaymarkError(found.message);
  if (!warned.has(machine.run)) machine.run.warn(`${found.message} Such executions count as impossible.`);
  warned.add(machine.run);
  weigh(-Infinity);
  const { states } = found;
  return times.map((_, i) => states[Math.min(i, states.length - 1)]);
}

function follow(
  arithmetic: Arithmetic,
  f: Derivative,
  y0: readonly number[],
  times: readonly number[],
  { relTol, absTol, maxSteps }: Required<OdeOptions>,
): (readonly number[])[] | Stuck {
  const states: (readonly number[])[] = [y0];
  const errors: number[] = [];
  let y = y0;
  let t = times[0];
  let slope = derivatives(f, t, y);
  let h = times.length > 1 ? (times[1] - times[0]) / 10 : 0;
  let steps = 0;
  for (const end of times.slice(1)) {
    while (t < end) {
      if (++steps > maxSteps) return new Stuck(`odeSolve: more than ${maxSteps} steps. ${STIFF}`, states);
      const last = t + h * (1 + 1e-12) >= end;
      const length = last ? end - t : h;
      const taken = arithmetic.step(f, t, y, slope, length, relTol, absTol);
      const error = arithmetic.peek(taken.error) / MARGIN;
      if (error <= 1) {
        t = last ? end : t + length;
        ({ y, slope } = taken);
        errors.push(taken.error);
      }
      // An error that is not a number: the step was too long.
      const change = Number.isNaN(error) ? 0.1 : Math.min(5, Math.max(0.2, 0.9 * error ** -0.2));
      if (!(error <= 1) || !last) h = length * change;
      if (t + h === t) return new Stuck('odeSolve: the solution cannot be followed: it grows without bound.', states);
    }
    states.push(y);
  }
  arithmetic.accept(errors);
  return states;
}

const STIFF = 'The equations may be stiff: allow larger errors (relTol), or more steps (maxSteps).';

/** The derivatives, of which there is one for each element of the state. */
function derivatives(f: Derivative, t: number, y: readonly number[]): readonly number[] {
  const { effects } = machine;
  const slope = f(t, y);
  if (machine.effects !== effects) {
    throw new WaymarkError(
      'odeSolve: the function must not call sample, observe, factor or condition, since it is called as often as the errors ask for. Make choices before.',
    );
  }
  if (Array.isArray(slope) && slope.length === y.length) return slope;
  throw new WaymarkError(
    `odeSolve: the function must give an array of ${y.length} derivatives, one for each element of the state; got ${describe(slope)}.`,
  );
}
