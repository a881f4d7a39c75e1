import { drawnDims, kindOf } from '../../distributions/of-family.ts';
import { reals } from '../../distributions/value-kind.ts';
import type { Distribution } from '../../runtime/handler.ts';
import type { Shape } from '../../tensor/shape.ts';

type Params = Record<string, unknown>;

/** Distributions whose values are neither numbers with a density nor tensors of them. */
const OTHERS = new Set(['ImproperUniform', 'Delta', 'Censored', 'Flow', 'Marginal', 'SampleBasedMarginal']);

/** The dims of the values of a continuous distribution, none for numbers; undefined if they are not known. */
export function valueDims(target: Distribution<unknown>): Shape | undefined {
  if (!target.isContinuous || OTHERS.has(target.name)) return undefined;
  const params = target.params as Params;
  const { dists, data } = params as { dists?: readonly Distribution<unknown>[]; data?: readonly unknown[] };
  if (target.name === 'Mixture') return Array.isArray(dists) ? valueDims(dists[0]) : undefined;
  if (target.name === 'KDE') return typeof data?.[0] === 'number' ? [] : undefined;
  const kind = kindOf(target);
  return kind === undefined || kind === reals ? [] : drawnDims(target);
}
