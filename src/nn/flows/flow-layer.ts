import type { Value } from '../../tensor/node.ts';

/** Where a layer takes a vector to, and the logarithm of how much it stretches space there. */
export interface Moved {
  readonly value: Value;
  readonly logStretch: Value;
}

/** A map between vectors that can be undone: a part of a `Flow`. */
export interface FlowLayer {
  /** The length of the vectors. */
  readonly size: number;
  forward(x: Value): Moved;
  /** The way back; `logStretch` is that of the way there. */
  inverse(y: Value): Moved;
}
