import { fewValues } from '../../distributions/of-family.ts';
import { holdsNode, standsForOthers } from '../../lanes/value.ts';
import { type Limit, MOST_VARIANTS } from '../variation-plan.ts';
import type { Site } from './rule.ts';

/** All values that a guide may draw, if they are few and known before anything is drawn. */
export function finiteValues({ guide, target, options }: Site): readonly unknown[] | undefined {
  const values = fewValues(guide, MOST_VARIANTS);
  if (values === undefined || values.some(standsForOthers)) return undefined;
  // Without those that are known never to come: automatic guides have none that their target has not.
  const known = options?.guide === undefined ? target : guide;
  return holdsNode(known.params) ? values : values.filter((value) => known.score(value) !== -Infinity);
}

/** How far a choice may be varied. */
export function limitOf({ options, variation }: Site): Limit {
  const named = options?.gradient !== undefined;
  return { most: named ? MOST_VARIANTS : (variation?.few ?? 0), named };
}
