/** The option `objective` of `Amortize`: what a network learns from. */
import { count, type Option, positiveNumber } from '../inference/options.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';

const NAMES = ['dream', 'RWS', 'ELBO'] as const;
type ObjectiveName = (typeof NAMES)[number];

/** How often an objective is chosen, and with how many executions, if not with as many as the others. */
export interface TakenObjective {
  readonly name: ObjectiveName;
  readonly weight: number;
  readonly samples?: number;
}

const ITEM = "'dream', 'RWS' or 'ELBO', {RWS: weight}, or {RWS: {samples: 64}, weight: number}";

const isName = (name: string): name is ObjectiveName => (NAMES as readonly string[]).includes(name);

/** One objective by its name, and what is given for it: a weight, or options. */
function taken(name: string, given: unknown, beside: unknown): TakenObjective {
  if (!isName(name)) throw refused(name);
  const isWeight = typeof given === 'number';
  const weight = isWeight ? given : (beside ?? 1);
  if (typeof weight !== 'number' || !(weight >= 0 && weight < Infinity)) {
    throw new WaymarkError(
      `Amortize: objective: the weight of ${name} must be a finite number of at least 0, got ${describe(weight)}.`,
    );
  }
  if (isWeight) return { name, weight };
  const { samples, ...others } = (typeof given === 'object' && given !== null ? given : { others: given }) as {
    samples?: unknown;
  };
  const read = samples === undefined ? undefined : count(1).read(samples)?.value;
  if (Object.keys(others).length > 0 || (samples !== undefined && read === undefined)) throw refused(given);
  return { name, weight, samples: read };
}

/** An item of a list, or the whole option. */
function itemsOf(given: unknown): TakenObjective[] {
  if (typeof given === 'string') return [taken(given, 1, undefined)];
  if (typeof given !== 'object' || given === null) throw refused(given);
  const { weight, ...named } = given as Record<string, unknown>;
  const entries = Object.entries(named);
  if (entries.length === 0 || (weight !== undefined && entries.length > 1)) throw refused(given);
  return entries.map(([name, own]) => taken(name, own, weight));
}

const refused = (got: unknown): WaymarkError =>
  new WaymarkError(
    `Amortize: objective must be ${ITEM}, several with their weights, as in {dream: 1, RWS: 0.5}, or a list of such; got ${describe(got)}.`,
  );

export const objectives: Option<readonly TakenObjective[] | undefined> = {
  expected: `${ITEM}, or a list of these`,
  read(value) {
    const found = Array.isArray(value) ? value.flatMap(itemsOf) : itemsOf(value);
    const total = found.reduce((sum, { weight }) => sum + weight, 0);
    if (positiveNumber.read(total) === undefined) throw refused(value);
    return { value: found };
  },
};

/** The objective that a number between 0 and 1 picks, by the weights. */
export function objectiveAt(all: readonly TakenObjective[], place: number): TakenObjective {
  let left = place * all.reduce((sum, { weight }) => sum + weight, 0);
  for (const one of all) {
    left -= one.weight;
    if (left < 0) return one;
  }
  return all[all.length - 1];
}
