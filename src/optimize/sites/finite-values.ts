import { holdsNode, standsForOthers } from '../../lanes/value.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { MOST_VARIANTS } from '../variations.ts';
import type { Site } from './rule.ts';

/** All values of a distribution, if they are few and known before anything is drawn. */
export function finiteValues(distribution: Distribution<unknown>): readonly unknown[] | undefined {
  if (distribution.isContinuous || holdsNode((distribution.params as { n?: unknown }).n)) return undefined;
  const values = supportOf(distribution);
  if (!Array.isArray(values) || values.length > MOST_VARIANTS || values.some(standsForOthers)) return undefined;
  // Without those that are known never to come.
  return holdsNode(distribution.params) ? values : values.filter((value) => distribution.score(value) !== -Infinity);
}

/** Families refuse to list more values than anybody could go through. */
function supportOf(distribution: Distribution<unknown>): unknown {
  try {
    return distribution.support?.();
  } catch (thrown) {
    if (thrown instanceof WaymarkError) return undefined;
    throw thrown;
  }
}

/** Variants of a datum, and of a whole execution, where no option asks for more: there what they are tried in is all of it. */
const FEW = 16;
const FEWEST = 4;

/** The most variants that a choice may lead to. */
export function mostVariants({ options, variation }: Site): number {
  if (options?.gradient !== undefined) return MOST_VARIANTS;
  return variation?.ofDatum ? FEW : FEWEST;
}
