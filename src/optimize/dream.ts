/**
 * The sleep phase of the wake–sleep algorithm (Hinton, Dayan, Frey & Neal 1995): the model makes up data together with
 * the choices behind them, and the guides of those choices learn to infer them from the data.
 */

import type { Model } from '../inference/algorithm.ts';
import { count, withDefault } from '../inference/options.ts';
import type { Address } from '../runtime/address.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { Entry } from '../runtime/execution.ts';
import { runsDirectly } from '../runtime/machine.ts';
import type { Share } from '../runtime/team.ts';
import { type Dream, dreamOnce } from './dreaming.ts';
import type { Estimator, Steps } from './estimator.ts';
import type { GivenExecution } from './given-executions.ts';
import { ObjectiveSteps } from './objective-steps.ts';
import { drawsOfStep, type StepDraws } from './step-draws.ts';
import { ONLY_GIVEN } from './step-options.ts';
import { stepsOf } from './steps-of.ts';

export interface DreamOptions {
  /** Dreams per step. */
  samples: number;
}

export const dream: Estimator<DreamOptions> = {
  objective: 'log q',
  larger: true,
  teachesSome: true,

  options: { samples: withDefault(count(1), 1) },

  start: (...given) => dreams(given, false),
};

/** Steps of dreams; each datum made up counts once, or for as many as there are data for each. */
export function dreams(
  [model, entry, { samples }, parameters, outlook]: Parameters<Estimator<DreamOptions>['start']>,
  forAll: boolean,
): Steps {
  const drawsOf = (step: number, { first, count }: Share): StepDraws => {
    const draws = drawsOfStep(entry, step);
    const given = Array.from({ length: count }, (_, k) =>
      asGiven(dreamOnce(model, entry, draws.streamOf(first + k)), forAll),
    );
    return { ...draws, given };
  };
  return stepsOf(new ObjectiveSteps(model, entry, drawsOf, { ...ONLY_GIVEN, samples }, parameters, outlook));
}

/** The second half: the program runs with the dream for its data, and its guides are asked about the choices in it. */
const asGiven = ({ values, passes }: Dream, forAll: boolean): GivenExecution => ({
  values,
  counts: (address) => isBelow(address, passes),
  passes: new Map(
    Array.from(passes, ([address, { indices, length, data }]) => {
      const each = forAll && data.length > 0 ? length / data.length : 1;
      return [address, { indices, data: data.map(({ value }) => value), each }];
    }),
  ),
});

/** Whether a choice belongs to a datum: those that `mem` remembers are below the place where the function was given to it. */
function isBelow(address: Address, passes: Dream['passes']): boolean {
  for (let at: Address | null = address; at !== null; at = at.parent) if (passes.has(at)) return true;
  return false;
}

/** One dream of a model: its choices by address, and the data it made up (of each `mapData`, if there are several). */
export function dreamSampleOf(model: Model<unknown>): { trace: Record<string, unknown>; data: unknown } {
  if (!runsDirectly()) throw new WaymarkError('dreamSample must be called outside models.');
  const entry = new Entry();
  const { values, outermost } = dreamOnce(model, entry, entry.streamOf(0));
  const data = outermost.map((pass) => pass.data.map((datum) => datum.value));
  return {
    trace: Object.fromEntries([...values].map(([address, value]) => [address.relativeTo(entry.address), value])),
    data: data.length === 1 ? data[0] : data,
  };
}
