/** What is said of a function of the library: one row of the table in `src/library/rows.ts`. */
import type { LibraryName } from '../compiler/library-names.ts';

/**
 * What a function does with values that stand for others (graph nodes, columns, recorded numbers), so that every way of running
 * knows how to call it.
 *
 * - `hands on`: passes values on without looking at them, and what its callbacks return.
 * - `takes apart`: likewise, and goes through lists, which may be another one for each.
 * - `asks`: passes values on, and decides by what its callbacks return.
 * - `orders`: puts lists in order, or picks from them, by looking at what is in them.
 * - `calculates`: makes another value, without effects. It is called with each one's own plain values.
 * - `makes a layer`: makes a layer of a network, which computes with the engine. Ways that have the engine's operations call it as it is;
 *   the others end.
 * - `evaluates`: applies a network, which is a function too, and makes no choices.
 * - `takes plain values`: makes a choice, and is right for values that stand for nothing but themselves.
 * - `draws`: makes a choice from the family that `of` names, whose parameters it is given.
 * - `draws an item`, `factors`, `conditions`, `observes`: what `uniformDraw`, `factor`, `condition` and `observe` do.
 * - `knows`: asks by itself in which way the program runs.
 * - `infers`: likewise, but never while an execution is recorded.
 * - `ends`: none of these. A way of running in which values stand for others ends where it is called; under gradients,
 *   which nothing else could compute, it is called as it is.
 */
export type Deed =
  | 'hands on'
  | 'takes apart'
  | 'asks'
  | 'orders'
  | 'calculates'
  | 'makes a layer'
  | 'evaluates'
  | 'takes plain values'
  | 'draws'
  | 'draws an item'
  | 'factors'
  | 'conditions'
  | 'observes'
  | 'knows'
  | 'infers'
  | 'ends';

export interface LibraryRow extends LibraryName {
  /** Left out: a pure function calculates, one that infers infers, and any other ends. */
  readonly does?: Deed;
  /** Places of arguments that say how many, or how long, and are looked at. */
  readonly counts?: readonly number[];
  /** The family that it draws from. */
  readonly of?: string;
}

export type LibraryRows = ReadonlyMap<string, LibraryRow>;

export function deedOf({ does, pure, infers }: LibraryRow): Deed {
  return does ?? (pure ? 'calculates' : infers !== undefined ? 'infers' : 'ends');
}
