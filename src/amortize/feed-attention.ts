/** The inputs by which choices look for data: the first choices of each execution, side by side. */
import type { Arrays } from './feed.ts';
import type { Pack, Room } from './pack.ts';

/** Added to the score of places that have no data. */
export const NOWHERE = -1e9;

export function feedAttention({ dreams, starts }: Pack, room: Room, attending: number, arrays: Arrays): void {
  const { lanes, rows, dataKeys } = room;
  const keys = arrays.get('row key') as Int32Array;
  const padded = new Int32Array(lanes * attending);
  const paddedKeys = new Int32Array(lanes * attending);
  // The last row belongs to no execution. It is the result of those that do not search.
  const places = new Int32Array(rows).fill(lanes * attending - 1);
  const attends = new Float32Array(rows);
  for (let lane = 0; lane < dreams.size; lane++) {
    const count = Math.min(attending, starts[lane + 1] - starts[lane]);
    for (let k = 0; k < count; k++) {
      const row = starts[lane] + 1 + k;
      padded[lane * attending + k] = row;
      paddedKeys[lane * attending + k] = keys[row];
      places[row] = lane * attending + k;
      attends[row] = 1;
    }
  }
  // Data are stored by place, and queries by execution.
  const there = arrays.get('there') as Float32Array;
  const order = new Int32Array(lanes * dataKeys);
  const missing = new Float32Array(lanes * dataKeys);
  for (let lane = 0, to = 0; lane < lanes; lane++) {
    for (let key = 0; key < dataKeys; key++, to++) {
      order[to] = key * lanes + lane;
      const count = there[order[to]];
      missing[to] = count > 0 ? Math.log(count) : NOWHERE;
    }
  }
  arrays.set('by execution', order);
  arrays.set('there log', missing);
  arrays.set('padded rows', padded);
  arrays.set('padded keys', paddedKeys);
  arrays.set('row places', places);
  arrays.set('row attends', attends);
  arrays.set(
    'there share',
    there.map((count) => 1 / Math.max(1, count)),
  );
}
