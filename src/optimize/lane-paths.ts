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

  private find({ outer, indices, space }: Lanes): Int32Array {
    const around = outer === null ? null : this.numbers(outer);
    const numbers = new Int32Array(indices.length);
    for (let lane = 0; lane < indices.length; lane++) {
      const parent = around === null ? 0 : around[space.map === null ? lane : space.map[lane]];
      numbers[lane] = this.number(parent, indices[lane]);
    }
    return numbers;
  }

  private number(parent: number, index: number): number {
    let row = this.rows[parent];
    if (row === undefined || row.length <= index) {
      const longer = new Int32Array(Math.max(4, 2 * (index + 1)));
      if (row !== undefined) longer.set(row);
      row = longer;
      this.rows[parent] = row;
    }
    if (row[index] === 0) row[index] = ++this.size;
    return row[index] - 1;
  }
}

/** Changes with the data that the lanes, or those around them, look at. */
function versionOf(lanes: Lanes): number {
  let version = 0;
  for (let at: Lanes | null = lanes; at !== null; at = at.outer) version += at.version;
  return version;
}
