import { holdsNode, standsForOthers } from '../../lanes/value.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { MOST_VARIANTS } from '../variations.ts';

/** All values of a distribution, if they are few and known before anything is drawn. */
export function finiteValues(distribution: Distribution<unknown>): readonly unknown[] | undefined {
  if (distribution.isContinuous || holdsNode((distribution.params as { n?: unknown }).n)) return undefined;
  const values = distribution.support?.();
  if (!Array.isArray(values) || values.length > MOST_VARIANTS || values.some(standsForOthers)) return undefined;
  return values;
}
