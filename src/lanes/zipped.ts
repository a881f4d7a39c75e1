import { variedOf } from './varied.ts';

/** Lists that are gone through together, an item of each at a time: what `map2` and its like hand to `Handler.together`. */
export class Zipped {
  readonly length: number;
  readonly [place: number]: never;

  constructor(readonly lists: readonly ArrayLike<unknown>[]) {
    // Lists that differ between lanes have no common length.
    const { length } = lists[0];
    this.length = typeof length === 'number' ? length : 0;
  }
}

/** Whether items differ between lanes. */
export const isVaried = (items: ArrayLike<unknown>): boolean =>
  items instanceof Zipped ? items.lists.some(isVaried) : variedOf(items) !== undefined;
