/** The option `estimator`: an objective, or a list of them with weights. */
import { type Option, positiveNumber, variant, withDefault } from '../inference/options.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Estimator } from './estimator.ts';
import { type EstimatorName, estimators } from './estimators.ts';
import { type Part, sumOf } from './sum-of-objectives.ts';

/** An objective, with its options. */
interface ChosenObjective {
  readonly name: EstimatorName;
  readonly options: object;
}

/** What is to be improved: one objective, or several, each with how much it counts. */
export type Objective = ChosenObjective | { readonly sum: readonly (ChosenObjective & { readonly weight: number })[] };

const names = Object.keys(estimators) as EstimatorName[];
const one = variant<EstimatorName>(
  'estimator',
  Object.fromEntries(names.map((name) => [name, estimators[name].options])) as never,
);

const ITEM = "a name such as 'ELBO', {ELBO: weight}, or {ELBO: {…}, weight: number} with its options";

/** One of a list: its weight is a number in the place of its options, or beside them. */
function partOf(given: unknown, place: number): ChosenObjective & { weight: number } {
  const refuse = (got: unknown): never => {
    throw new WaymarkError(`estimator: item ${place} of the list must be ${ITEM}; got ${describe(got)}.`);
  };
  if (typeof given === 'string') return { ...(one.read(given)?.value ?? refuse(given)), weight: 1 };
  if (typeof given !== 'object' || given === null) return refuse(given);
  const { weight: beside, ...row } = given as Record<string, unknown>;
  const [name] = Object.keys(row);
  const short = typeof row[name] === 'number';
  const weight = short ? row[name] : (beside ?? 1);
  const read = one.read(short ? name : row)?.value ?? refuse(given);
  if (Object.keys(row).length > 1 || (short && beside !== undefined)) return refuse(given);
  if (positiveNumber.read(weight) === undefined || weight === Infinity) {
    throw new WaymarkError(
      `estimator: the weight of ${name} (item ${place} of the list) must be a finite number greater than 0, got ${describe(weight)}.`,
    );
  }
  return { ...read, weight: weight as number };
}

export const objectiveOption: Option<Objective> = withDefault<Objective>(
  {
    expected: `${one.expected}, or a list of objectives with weights, such as [{ELBO: 1}, {dream: 0.5}]`,
    names: one.names,
    read: (value) =>
      Array.isArray(value) && value.length > 0
        ? { value: { sum: value.map((item, i) => partOf(item, i + 1)) } }
        : one.read(value),
  },
  one.read('ELBO')!.value,
);

const rowOf = (name: EstimatorName): Part['estimator'] => estimators[name] as unknown as Estimator<object>;

/** The estimator of an objective, and the options to start it with. */
export function estimatorOf(objective: Objective): { estimator: Part['estimator']; options: object } {
  if (!('sum' in objective)) return { estimator: rowOf(objective.name), options: objective.options };
  const parts = objective.sum.map(({ name, options, weight }) => ({ estimator: rowOf(name), options, weight }));
  return { estimator: sumOf(parts), options: {} };
}
