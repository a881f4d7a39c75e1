import type { Moved } from '../../guides/joint/rational-quadratic.ts';
import type { Value } from '../../tensor/node.ts';

/** A map between vectors that can be undone: a part of a `Flow`. */
export interface FlowLayer {
  /** The length of the vectors. */
  readonly size: number;
  forward(x: Value): Moved;
  /** The way back; `logStretch` is that of the way there. */
  inverse(y: Value): Moved;
}
