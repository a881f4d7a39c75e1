/** The inputs by which lists of values point to earlier choices. */
import type { Arrays } from './feed.ts';
import { iterationOf, MOST_POINTED, type Pack, type Room } from './pack.ts';
import type { Key } from './sites.ts';
import { HEADS, listLengthOf } from './sizes.ts';

/** Iterations of an execution, and a last one for choices that have none. */
const WIDTH = MOST_POINTED + 1;

function bucketOf(key: Key, lane: number): number {
  const iteration = iterationOf(key);
  return lane * WIDTH + (iteration < 0 ? MOST_POINTED : iteration);
}

/** The first and the last place of each sum. */
class Spans {
  readonly from: Int32Array;
  readonly to: Int32Array;
  count = 0;

  constructor(size: number) {
    this.from = new Int32Array(size);
    this.to = new Int32Array(size);
  }

  put(arrays: Arrays, name: string): void {
    arrays.set(`${name} from`, this.from);
    arrays.set(`${name} to`, this.to);
  }
}

/** Orders the choices of each execution by iteration. The sum over an iteration is then a difference of two cumulative sums. */
export function feedPoints({ dreams, starts }: Pack, room: Room, arrays: Arrays): void {
  const { size, choices } = dreams;
  const from = new Int32Array(size * WIDTH + 1);
  for (const { key, lanes } of choices) for (let i = 0; i < lanes.length; i++) from[bucketOf(key, lanes[i]) + 1]++;
  for (let b = 0; b < size * WIDTH; b++) from[b + 1] += from[b];
  const to = from.slice();
  const order = new Int32Array(room.rows);
  const met = new Int32Array(size);
  const peers = new Spans(room.rows);
  const heads = new Map(HEADS.map((head) => [head, new Spans((room.heads[head] ?? 0) * listLengthOf(head))]));
  for (const { key, lanes } of choices) {
    const length = listLengthOf(key.site.head);
    const own = heads.get(key.site.head);
    for (let i = 0; i < lanes.length; i++) {
      const lane = lanes[i];
      const row = starts[lane] + 1 + met[lane]++;
      if (length > 0) {
        const at = length * own!.count++;
        for (let k = 0; k < length && k < MOST_POINTED; k++) {
          own!.from[at + k] = from[lane * WIDTH + k];
          own!.to[at + k] = to[lane * WIDTH + k];
        }
      }
      const b = bucketOf(key, lane);
      if (iterationOf(key) >= 0) {
        peers.from[row] = from[b];
        peers.to[row] = to[b];
      }
      // Place 0 belongs to no choice.
      order[++to[b]] = row;
    }
  }
  arrays.set('by iteration', order);
  peers.put(arrays, 'peer');
  for (const [head, spans] of heads) spans.put(arrays, `${head} points`);
}
