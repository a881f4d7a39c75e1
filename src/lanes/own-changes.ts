/** What sides of a conditional have left in objects that lanes have for their own (`own-objects.ts`), for the lanes around. */
import { contentsOf, fill, sameNames } from './contents.ts';
import { type Merge, unmergeable } from './merging.ts';
import { type Changes, mayChange } from './own-objects.ts';

/** Merges it. Where sides left different keys, that is impossible. */
export function mergeChanges(sides: readonly Changes[], merge: Merge): void {
  const objects = new Set(sides.flatMap((changes) => [...changes.keys()]));
  for (const object of objects) {
    const before = contentsOf(object);
    const left = sides.map((changes) => changes.get(object) ?? before);
    const { keys } = left[0];
    if (!left.every((one) => sameNames(one, left[0]))) throw unmergeable;
    const values = left[0].values.map((_, i) => merge.of(left.map((one) => one.values[i])));
    if (!mayChange(object)) throw unmergeable;
    fill(object, { keys, values });
  }
}
