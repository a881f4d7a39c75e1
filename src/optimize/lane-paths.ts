import type { Lanes } from '../lanes/lanes.ts';

/**
 * Numbers for the paths of lanes (the indices of all iterations a lane is in), the same for the same path in every step:
 * minibatches look at other data each time, and what is remembered of a datum has to be found again.
 */
export class LanePaths {
  /** By the number of the path around, and by index: the number of the path plus 1, or 0. */
  private readonly rows: Int32Array[] = [];
  private readonly found = new WeakMap<Lanes, { version: number; numbers: Int32Array }>();
  /** How many numbers there are; 0 is the path outside all lanes. */
  size = 1;

  /** For each lane, the number of its path. */
  numbers(lanes: Lanes): Int32Array {
    const version = versionOf(lanes);
    let found = this.found.get(lanes);
    if (found?.version !== version) {
      found = { version, numbers: this.find(lanes) };
      this.found.set(lanes, found);
    }
    return found.numbers;
  }

  /** The number of the path that goes on from one of a number. */
  after(parent: number, index: number): number {
    const row = this.row(parent, index);
    if (row[index] === 0) row[index] = ++this.size;
    return row[index] - 1;
  }

  private find({ outer, indices, around: map, kind }: Lanes): Int32Array {
    const around = outer === null ? null : this.numbers(outer);
    const numbers = new Int32Array(indices.length);
    // Whole executions, samples of a datum and sides of conditionals are in the iterations around them, if there are any.
    if (kind !== 'iterations') return around === null ? numbers : map!.map((lane) => around[lane]);
    let row = NOTHING;
    let parent = -1;
    for (let lane = 0; lane < indices.length; lane++) {
      const index = indices[lane];
      // Lanes of one lane around them follow each other: mostly the row is that of the lane before.
      const own = around === null ? 0 : around[map === null ? lane : map[lane]];
      if (own !== parent || index >= row.length) {
        parent = own;
        row = this.row(parent, index);
      }
      if (row[index] === 0) row[index] = ++this.size;
      numbers[lane] = row[index] - 1;
    }
    return numbers;
  }

  /** The numbers of the paths that go on from one, up to an index at least. */
  private row(parent: number, index: number): Int32Array {
    const row = this.rows[parent];
    if (row !== undefined && row.length > index) return row;
    const longer = new Int32Array(Math.max(4, 2 * (index + 1)));
    if (row !== undefined) longer.set(row);
    this.rows[parent] = longer;
    return longer;
  }
}

const NOTHING: Int32Array = new Int32Array(0);

/** Changes with the data that the lanes, or those around them, look at. */
export function versionOf(lanes: Lanes): number {
  let version = 0;
  for (let at: Lanes | null = lanes; at !== null; at = at.outer) version += at.version;
  return version;
}
