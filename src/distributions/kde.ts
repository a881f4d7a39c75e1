import { HALF_LOG_2PI } from '../tensor/constants.ts';
import { logSumExp } from '../tensor/special/exponentials.ts';
import { type Tensor, vector } from '../tensor/tensor.ts';
import { type Constructor, family } from './family.ts';
import { elementsOf, fixed, type Numbers, optional } from './parameter.ts';
import type { ValueKind } from './value-kind.ts';

const isPositive = (x: unknown): boolean => Number.isFinite(x) && (x as number) > 0;

/** A number as a row of one, a vector or array as a row of its elements. */
function rowOf(value: unknown): ArrayLike<number> | undefined {
  return typeof value === 'number' ? [value] : elementsOf(value);
}

const isRow = (row: ArrayLike<number> | undefined): boolean =>
  row !== undefined && row.length > 0 && Array.prototype.every.call(row, Number.isFinite);

const numbersOrVectors: ValueKind<number | Tensor> = {
  continuous: true,
  contains: (value): value is number | Tensor => isRow(rowOf(value)),
};

const dataPoints = fixed<readonly (number | Numbers)[]>(
  'an array of at least one number, or of vectors',
  (value) => Array.isArray(value) && value.length > 0 && value.every((point) => isRow(rowOf(point))),
);

const kernelWidth = fixed<number | Numbers>(
  'a number greater than 0, or a vector of such numbers',
  (value) => rowOf(value) !== undefined && Array.prototype.every.call(rowOf(value), isPositive),
  true,
);

const untyped = family(
  {
    name: 'KDE',
    params: { data: dataPoints, width: optional(kernelWidth) },
    values: numbersOrVectors,
    prepare({ data, width }) {
      const rows = data.map((point) => rowOf(point)!);
      const given = width === undefined ? undefined : rowOf(width)!;
      const dimension = rows[0].length;
      const widths =
        given === undefined ? ruleOfThumb(rows) : given.length === 1 ? new Array(dimension).fill(given[0]) : given;
      return { rows, widths: Array.from(widths as ArrayLike<number>), scalar: typeof data[0] === 'number' };
    },
  },
  {
    check({ data, width }, { rows, widths, scalar }) {
      const odd = data.findIndex(
        (point, i) => (typeof point === 'number') !== scalar || rows[i].length !== rows[0].length,
      );
      if (odd >= 0) return `data must be all numbers, or vectors of one length; the element at index ${odd} differs`;
      if (widths.length !== rows[0].length) {
        return `width must have an element for each of the ${rows[0].length} dimensions, got ${widths.length}`;
      }
      if (width === undefined && !widths.every(isPositive)) return 'width must be given, because all data are equal';
      return undefined;
    },
    draw(_, random, { rows, widths, scalar }) {
      const row = rows[random.integer(rows.length)];
      const x = Float64Array.from(row, (centre, d) => centre + widths[d] * random.gaussian());
      return scalar ? x[0] : vector(x);
    },
    score(_, value, { rows, widths, scalar }) {
      const x = rowOf(value)!;
      if (x.length !== rows[0].length || (typeof value === 'number') !== scalar) return -Infinity;
      const scores = new Float64Array(rows.length);
      for (let i = 0; i < rows.length; i++) {
        let squares = 0;
        for (let d = 0; d < x.length; d++) {
          const z = (x[d] - rows[i][d]) / widths[d];
          squares += z * z;
        }
        scores[i] = -0.5 * squares;
      }
      let logWidths = 0;
      for (let d = 0; d < x.length; d++) logWidths += Math.log(widths[d]) + HALF_LOG_2PI;
      return logSumExp(scores) - Math.log(rows.length) - logWidths;
    },
    mean(_, { rows, scalar }) {
      const mean = columnMeans(rows);
      return scalar ? mean[0] : vector(mean);
    },
    variance(_, { rows, widths, scalar }) {
      const variance = columnVariances(rows).map((v, d) => v + widths[d] * widths[d]);
      return scalar ? variance[0] : vector(variance);
    },
  },
);

function columnMeans(rows: readonly ArrayLike<number>[]): number[] {
  return Array.from(rows[0], (_, d) => rows.reduce((sum, row) => sum + row[d], 0) / rows.length);
}

function columnVariances(rows: readonly ArrayLike<number>[]): number[] {
  const means = columnMeans(rows);
  return means.map((mean, d) => rows.reduce((sum, row) => sum + (row[d] - mean) ** 2, 0) / rows.length);
}

/** Widths in proportion to the spread of the data (Silverman, "Density estimation", 1986, equations 3.28 and 4.14). */
function ruleOfThumb(rows: readonly ArrayLike<number>[]): number[] {
  const dimension = rows[0].length;
  const factor = dimension === 1 ? 1.06 : (4 / (dimension + 2)) ** (1 / (dimension + 4));
  return columnVariances(rows).map((variance) => Math.sqrt(variance) * factor * rows.length ** (-1 / (dimension + 4)));
}

interface KDEParams<V> {
  data: readonly (V extends number ? number : Numbers)[];
  width?: V extends number ? number : number | Numbers;
}

type KDEDistribution<V> = ReturnType<Constructor<KDEParams<V>, V, KDEParams<V>, { mean: unknown; variance: unknown }>>;

/** The parameters with the width that the rule of thumb gives, where none is given and the data have one. */
function withWidth(given: Record<string, unknown>): Record<string, unknown> {
  const usable = typeof given === 'object' && given !== null && given.width === undefined;
  if (!usable || !dataPoints.accepts(given.data)) return given;
  const rows = given.data.map((point) => rowOf(point)!);
  if (rows.some((row) => row.length !== rows[0].length)) return given;
  const widths = ruleOfThumb(rows);
  if (!widths.every(isPositive)) return given;
  return { ...given, width: typeof given.data[0] === 'number' ? widths[0] : vector(widths) };
}

/** A smoothed histogram: Gaussians of the given `width` about each of the `data`. Without a width, a rule of thumb. */
export const KDE = Object.assign(
  (given: Record<string, unknown>, ...rest: never[]) => untyped(withWidth(given) as never, ...(rest as [])),
  { family: untyped.family },
) as unknown as {
  (params: KDEParams<number>): KDEDistribution<number>;
  (params: KDEParams<Tensor>): KDEDistribution<Tensor>;
  readonly family: typeof untyped.family;
};
