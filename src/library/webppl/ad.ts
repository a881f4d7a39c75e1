/** WebPPL's object for automatic differentiation. Plain values are what they are; nothing needs to be unwrapped. */
import { scalarMath } from '../math.ts';
import { T } from '../tensors/operations.ts';

/** WebPPL's object for automatic differentiation: `ad.scalar` and `ad.tensor` hold arithmetic by name. */
export const ad = {
  lift: <A>(value: A): A => value,
  isLifted: (_value: unknown): boolean => false,
  value: <A>(value: A): A => value,
  valueRec: <A>(value: A): A => value,
  tensor: T,
  scalar: scalarMath,
};
