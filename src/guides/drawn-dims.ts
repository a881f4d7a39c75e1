/** The dims of values that guides and their targets draw. */
import { drawnDims } from '../distributions/of-family.ts';
import type { Distribution } from '../runtime/handler.ts';
import type { Shape } from '../tensor/shape.ts';

/** A vector is a column. */
const asVector = (dims: Shape | undefined): Shape | undefined =>
  dims?.length === 2 && dims[1] === 1 ? [dims[0]] : dims;

export function dimsOf(distribution: Distribution<unknown>): Shape | undefined {
  const { base } = distribution.params as { base?: Distribution<unknown> };
  return distribution.name === 'Flow' ? base && dimsOf(base) : asVector(drawnDims(distribution));
}

/** Dims as messages say them. */
export function shownDims(dims: readonly number[]): string {
  if (dims.length === 1) return `vectors of length ${dims[0]}`;
  return dims.length === 2 ? `matrices of dims [${dims.join(', ')}]` : `tensors of dims [${dims.join(', ')}]`;
}
