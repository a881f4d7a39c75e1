/** Lists in which several items in a row belong to one iteration, of which several lanes try values. */

/** The first item of each run. */
export function onceEach<T>(items: ArrayLike<T>, times: number): T[] {
  const out = new Array<T>(items.length / times);
  for (let i = 0; i < out.length; i++) out[i] = items[i * times];
  return out;
}

/** Whether so many in a row are always the same. */
export function areRepeated(items: ArrayLike<unknown>, times: number): boolean {
  for (let i = 0; i < items.length; i++) if (items[i] !== items[i - (i % times)]) return false;
  return true;
}

/** How many different items there are, where equal ones stand in a row. */
export function howManyInRow(items: Int32Array): number {
  let count = 0;
  for (let i = 0; i < items.length; i++) if (i === 0 || items[i] !== items[i - 1]) count++;
  return count;
}

/** Whether places of lanes are all those of some iterations, in order. */
export function areWhole(places: Int32Array, times: number): boolean {
  return (
    places.length % times === 0 && places.every((place, i) => place % times === i % times && follows(places, i, times))
  );
}

const follows = (places: Int32Array, i: number, times: number): boolean =>
  i % times === 0 || places[i] === places[i - 1] + 1;
