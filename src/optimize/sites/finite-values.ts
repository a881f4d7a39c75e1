import { holdsNode, standsForOthers } from '../../lanes/value.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { TooManyValues } from '../../runtime/too-many-values.ts';
import { type Limit, MOST_VARIANTS } from '../variation-plan.ts';
import type { Site } from './rule.ts';

/** All values that a guide may draw, if they are few and known before anything is drawn. */
export function finiteValues({ guide, target, options }: Site): readonly unknown[] | undefined {
  if (guide.isContinuous || holdsNode((guide.params as { n?: unknown }).n)) return undefined;
  const values = supportOf(guide);
  if (!Array.isArray(values) || values.length > MOST_VARIANTS || values.some(standsForOthers)) return undefined;
  // Without those that are known never to come: automatic guides have none that their target has not.
  const known = options?.guide === undefined ? target : guide;
  return holdsNode(known.params) ? values : values.filter((value) => known.score(value) !== -Infinity);
}

/** Undefined if there are too many values to list. */
function supportOf(distribution: Distribution<unknown>): unknown {
  try {
    return distribution.support?.();
  } catch (thrown) {
    if (thrown instanceof TooManyValues) return undefined;
    throw thrown;
  }
}

/** How far a choice may be varied. */
export function limitOf({ options, variation }: Site): Limit {
  const named = options?.gradient !== undefined;
  return { most: named ? MOST_VARIANTS : (variation?.few ?? 0), named };
}
