/**
 * Values of a prior by their coordinates, from a table: x(u) = F⁻¹(Φ(u)), for priors whose quantiles take long to compute and are asked for by
 * thousands. Between two places of the table it is the cubic that has the values and slopes of both; where that is not exact enough, which
 * is tried in the middle of the two, it is computed.
 */
import type { Distribution } from '../runtime/handler.ts';
import { HALF_LOG_2PI } from '../tensor/constants.ts';
import { EDGE } from './coordinates.ts';

/** Places of the table for each unit of the coordinate. */
const FINENESS = 64;
/**
 * The error that is allowed in the middle of two places, as a share of their distance. It is about the largest error
 * of a log-weight.
 */
const ACCURACY = 1e-7;
/** The number of tables that are kept. */
const MOST = 64;

class QuantileTable {
  private readonly values = new Float64Array(2 * EDGE * FINENESS + 1).fill(Number.NaN);
  private readonly slopes = new Float64Array(this.values.length);
  /** Of each stretch: 0 if nothing is known, 1 if the cubic is right, 2 if it is not. */
  private readonly known = new Uint8Array(this.values.length);

  constructor(
    private readonly exact: (u: number) => number,
    private readonly target: Distribution<unknown>,
  ) {}

  from(u: number): number {
    const at = (u + EDGE) * FINENESS;
    const k = Math.floor(at);
    if (!(k >= 0 && k < this.values.length - 1)) return this.exact(u);
    if (this.known[k] === 0) this.known[k] = this.suits(k) ? 1 : 2;
    return this.known[k] === 1 ? this.cubic(k, at - k) : this.exact(u);
  }

  private cubic(k: number, t: number): number {
    const { values, slopes } = this;
    const [a, b] = [values[k], values[k + 1]];
    const [da, db] = [slopes[k] / FINENESS, slopes[k + 1] / FINENESS];
    const x = a + t * (da + t * (3 * (b - a) - 2 * da - db + t * (da + db - 2 * (b - a))));
    return x < a ? a : x > b ? b : x;
  }

  private suits(k: number): boolean {
    const [a, b] = [this.value(k), this.value(k + 1)];
    if (!(a < b) || !Number.isFinite(this.slopes[k] + this.slopes[k + 1])) return false;
    const middle = this.exact((k + 0.5) / FINENESS - EDGE);
    return Math.abs(this.cubic(k, 0.5) - middle) <= ACCURACY * (b - a);
  }

  private value(k: number): number {
    const { values, slopes } = this;
    if (Number.isNaN(values[k])) {
      const u = k / FINENESS - EDGE;
      values[k] = this.exact(u);
      slopes[k] = Math.exp(-0.5 * u * u - HALF_LOG_2PI - this.target.score(values[k]));
    }
    return values[k];
  }
}

/** Tables by family and parameters. */
export class QuantileTables {
  private readonly tables = new Map<string, QuantileTable>();

  /** The table of a prior; undefined if its parameters are not all numbers. */
  of(target: Distribution<unknown>, exact: (u: number) => number): QuantileTable | undefined {
    const { name, params } = target;
    const numbers = Object.values(params as Record<string, unknown>);
    if (!numbers.every((one) => typeof one === 'number')) return undefined;
    const key = `${name} ${Object.keys(params as object).join(' ')} ${numbers.join(' ')}`;
    let table = this.tables.get(key);
    if (table === undefined) {
      if (this.tables.size >= MOST) this.tables.delete(this.tables.keys().next().value!);
      table = new QuantileTable(exact, target);
      this.tables.set(key, table);
    }
    return table;
  }
}
