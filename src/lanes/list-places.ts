/** Numbers that are known to be places in lists, so that this need not be checked. */
import { CONSTANT, type Node } from '../tensor/node.ts';

const lengths = new WeakMap<Node, number>();

/** Remembers that the number is one of 0, 1, … up to `length`, which is left out. */
export function keepPlace(place: Node, length: number): Node {
  lengths.set(place, length);
  return place;
}

/** Whether the number surely is the place of an item in a list of that length. */
export function isPlaceIn(index: Node, length: number): boolean {
  const known = lengths.get(index);
  if (known !== undefined) return known <= length;
  // A fact about all lanes is true of some of them, too.
  if (index.op.selects) return isPlaceIn(index.inputs[0], length);
  return index.op === CONSTANT && index.elements().every((i) => Number.isInteger(i) && i >= 0 && i < length);
}
