/** What executions chose in each iteration. Later choices look it up by the number of the iteration. */
import type { Network } from './network.ts';
import { MOST_POINTED } from './pack.ts';
import { POINT } from './sizes.ts';

export class Points {
  /** Keys of choices, summed by their iterations: a table of as many rows as there are iterations for each execution. */
  private keys: Float32Array | null = null;
  private iterations = 0;
  private readonly fits = new Float64Array(MOST_POINTED);

  constructor(
    private readonly network: Network,
    private readonly size: number,
  ) {}

  /** Executions go on as copies of others; `rows` gives a table with a row of the one that each goes on as. */
  copy(rows: (table: Float32Array) => Float32Array): void {
    if (this.keys !== null) this.keys = rows(this.keys);
  }

  /** A copy of the table, to go back to for some executions. */
  bookmark(): (slots: ArrayLike<number>) => void {
    const { iterations } = this;
    const before = this.keys?.slice() ?? null;
    return (slots) => {
      const { keys } = this;
      const now = this.iterations * POINT;
      for (let i = 0; keys !== null && i < slots.length; i++) {
        const row = keys.subarray(slots[i] * now, (slots[i] + 1) * now).fill(0);
        const width = iterations * POINT;
        if (before !== null) row.set(before.subarray(slots[i] * width, (slots[i] + 1) * width));
      }
    };
  }

  /**
   * For each value of a list: how well the choices of the iteration with that number fit the query; null if there
   * are none.
   */
  fitting(slot: number, queries: ArrayLike<number>, start: number, length: number): Float64Array | null {
    const { keys, iterations, fits } = this;
    if (keys === null) return null;
    for (let k = 0; k < length && k < MOST_POINTED; k++) {
      let fit = 0;
      const from = (slot * iterations + k) * POINT;
      if (k < iterations) for (let d = 0; d < POINT; d++) fit += queries[start + d] * keys[from + d];
      fits[k] = fit;
    }
    return fits;
  }

  /** Whether anything was chosen in an iteration. */
  get areUsed(): boolean {
    return this.keys !== null;
  }

  /** Writes what was chosen in an iteration; −1 for none. */
  tell(slot: number, iteration: number, out: Float32Array, to: number): void {
    const { keys, iterations } = this;
    const isKnown = keys !== null && iteration >= 0 && iteration < iterations;
    const from = (slot * iterations + iteration) * POINT;
    for (let d = 0; d < POINT; d++) out[to + d] = isKnown ? keys[from + d] : 0;
  }

  /** Adds the last choices of executions to those of their iteration; `tokens` are what they are to later choices. */
  add(slots: ArrayLike<number>, count: number, tokens: Float32Array, site: number, iteration: number): void {
    this.widen(iteration + 1);
    const { keys, iterations, network } = this;
    const { token } = network.sizes;
    const [weights, gates] = [network.parameters.get('point key'), network.parameters.get('point gate')];
    for (let i = 0; i < count; i++) {
      const from = slots[i] * token;
      const to = (slots[i] * iterations + iteration) * POINT;
      for (let d = 0; d < POINT; d++) {
        let sum = 0;
        for (let k = 0; k < token; k++) sum += tokens[from + k] * weights[k * POINT + d];
        keys![to + d] += sum * gates[site * POINT + d];
      }
    }
  }

  /** Makes room for so many iterations. */
  private widen(wanted: number): void {
    const { keys, iterations, size } = this;
    if (wanted <= iterations) return;
    const more = Math.min(MOST_POINTED, Math.max(8, 2 ** Math.ceil(Math.log2(wanted))));
    const wide = new Float32Array(size * more * POINT);
    if (keys !== null) {
      const width = iterations * POINT;
      for (let i = 0; i < size; i++) wide.set(keys.subarray(i * width, (i + 1) * width), i * more * POINT);
    }
    this.keys = wide;
    this.iterations = more;
  }
}
