/**
 * Vectors, simplices and matrices as scalar choices one after the other: independent ones where there is a coordinate in which the
 * prior's are, else each given those before it. The guide of a vector is then made of guides of numbers, each of which
 * has seen the numbers before it; and log-probabilities differ from those of the vector by a term that prior and guide share.
 */
import { cholesky, inverseOf, solveLower, timesLower } from '../distributions/cholesky.ts';
import {
  Bernoulli,
  Beta,
  BetaBinomial,
  Binomial,
  ChiSquared,
  Gaussian,
  Laplace,
  StudentT,
} from '../distributions/index.ts';
import type { Distribution } from '../runtime/handler.ts';
import { sizeOf } from '../tensor/shape.ts';
import { Tensor, vector } from '../tensor/tensor.ts';

export interface ScalarSequence {
  readonly length: number;
  /** What the i-th choice is drawn from, given those before it. */
  part(i: number, earlier: readonly (number | boolean)[]): Distribution<unknown>;
  /** The value with these parts. */
  whole(parts: readonly (number | boolean)[]): unknown;
  /** The parts of a value; null if it is not in the support. */
  partsOf(value: unknown): (number | boolean)[] | null;
}

/** Vectors longer than this are drawn from their prior. */
const LONGEST = 64;

type Params = Readonly<Record<string, unknown>>;

const standard = Gaussian({ mu: 0, sigma: 1 });

/** The elements of a vector, given as a tensor or an array. */
const elementsOf = (value: unknown): ArrayLike<number> =>
  value instanceof Tensor ? value.data : (value as ArrayLike<number>);

const listOf = (value: ArrayLike<number>): number[] => Array.from(value);

/** A Gaussian vector mu + L z, with the elements of z for its choices. */
function gaussianVector(mu: Tensor, factor: Float64Array): ScalarSequence {
  const n = mu.length;
  return {
    length: n,
    part: () => standard,
    whole: (parts) => {
      const offset = timesLower(factor, n, parts as number[]);
      return new Tensor(
        mu.dims,
        offset.map((x, i) => mu.data[i] + x),
      );
    },
    partsOf: (value) => listOf(whitened(mu, factor, value)),
  };
}

function whitened(mu: Tensor, factor: Float64Array, value: unknown): Float64Array {
  const x = elementsOf(value);
  return solveLower(
    factor,
    mu.length,
    mu.data.map((m, i) => x[i] - m),
  );
}

/** Independent elements. */
function independent(
  dims: readonly number[],
  length: number,
  part: (i: number) => Distribution<unknown>,
  asTensor: (parts: readonly (number | boolean)[]) => unknown = (parts) =>
    new Tensor([...dims], Float64Array.from(parts as number[])),
): ScalarSequence {
  return { length, part, whole: asTensor, partsOf: (value) => listOf(elementsOf(value)) };
}

const diagonal = ({ mu, sigma }: Params): ScalarSequence => {
  const [means, spreads] = [mu as Tensor, sigma as Tensor];
  return independent(means.dims, means.length, (i) => Gaussian({ mu: means.data[i], sigma: spreads.data[i] }));
};

/** Shares of a stick: each breaks off a part of what is left. */
const dirichlet = ({ alpha }: Params): ScalarSequence => {
  const { data, length } = alpha as Tensor;
  const rest = new Float64Array(length + 1);
  for (let i = length - 1; i >= 0; i--) rest[i] = rest[i + 1] + data[i];
  return {
    length: length - 1,
    part: (i) => Beta({ a: data[i], b: rest[i + 1] }),
    whole(parts) {
      let left = 1;
      const shares = (parts as number[]).map((part) => {
        const share = left * part;
        left *= 1 - part;
        return share;
      });
      return vector([...shares, left]);
    },
    partsOf(value) {
      let left = 1;
      return listOf(elementsOf(value))
        .slice(0, -1)
        .map((share) => {
          const part = left > 0 ? Math.min(1, share / left) : 0.5;
          left -= share;
          return part;
        });
    },
  };
};

const logisticNormal = ({ mu, sigma }: Params): ScalarSequence => {
  const [means, spreads] = [mu as Tensor, sigma as Tensor];
  return {
    length: means.length,
    part: (i) => Gaussian({ mu: means.data[i], sigma: spreads.data[i] }),
    whole(parts) {
      const largest = Math.max(0, ...(parts as number[]));
      const weights = [...(parts as number[]), 0].map((x) => Math.exp(x - largest));
      const total = weights.reduce((sum, x) => sum + x, 0);
      return vector(weights.map((x) => x / total));
    },
    partsOf(value) {
      const x = listOf(elementsOf(value));
      const last = Math.log(x[x.length - 1]);
      return x.slice(0, -1).map((share) => Math.log(share) - last);
    },
  };
};

/** Each element of a spherical vector is of a Student's t distribution, given those before it. */
const studentVector = ({ df, mu, scale }: Params): ScalarSequence => {
  const means = mu as Tensor;
  const plain = gaussianVector(means, cholesky((scale as Tensor).data, means.length)!);
  return {
    ...plain,
    part(i, earlier) {
      const squares = (earlier as number[]).reduce((sum, x) => sum + x * x, 0);
      const freedom = (df as number) + i;
      return StudentT({ df: freedom, location: 0, scale: Math.sqrt(((df as number) + squares) / freedom) });
    },
  };
};

/** Counts of outcomes: each is a share of those left. */
const counts = (
  n: number,
  outcomes: number,
  share: (i: number, left: number) => Distribution<unknown>,
): ScalarSequence => ({
  length: outcomes - 1,
  part: (i, earlier) => share(i, n - (earlier as number[]).reduce((sum, x) => sum + x, 0)),
  whole: (parts) => [...(parts as number[]), n - (parts as number[]).reduce((sum, x) => sum + x, 0)],
  partsOf: (value) => listOf(elementsOf(value)).slice(0, -1),
});

/** The sum of the last of these, from number i on. */
function sumFrom(numbers: ArrayLike<number>, i: number): number {
  let sum = 0;
  for (let k = i; k < numbers.length; k++) sum += numbers[k];
  return sum;
}

const multinomial = ({ ps, n }: Params): ScalarSequence => {
  const shares = elementsOf(ps);
  const rest = (i: number): number => sumFrom(shares, i);
  return counts(n as number, shares.length, (i, left) =>
    Binomial({ p: rest(i) > 0 ? Math.min(1, shares[i] / rest(i)) : 0, n: left }),
  );
};

const dirichletMultinomial = ({ alpha, n }: Params): ScalarSequence => {
  const weights = elementsOf(alpha);
  return counts(n as number, weights.length, (i, left) =>
    BetaBinomial({ a: weights[i], b: sumFrom(weights, i + 1), n: left }),
  );
};

/** Bartlett's decomposition: a triangle of normals, with roots of chi-squares on its diagonal, row by row. */
const wishart = ({ df, scale }: Params): ScalarSequence => {
  const { data, dims } = scale as Tensor;
  const n = dims[0];
  const factor = cholesky(data, n)!;
  const rowOf = (i: number): { row: number; column: number } => {
    let row = 0;
    while (i > row) i -= ++row;
    return { row, column: i };
  };
  return {
    length: (n * (n + 1)) / 2,
    part(i) {
      const { row, column } = rowOf(i);
      return row === column ? ChiSquared({ df: (df as number) - row }) : standard;
    },
    whole(parts) {
      const triangle = new Float64Array(n * n);
      (parts as number[]).forEach((part, i) => {
        const { row, column } = rowOf(i);
        triangle[row * n + column] = row === column ? Math.sqrt(part) : part;
      });
      const root = product(factor, triangle, n, false);
      return new Tensor(dims, product(root, root, n, true));
    },
    partsOf(value) {
      const root = cholesky((value as Tensor).data, n);
      if (root === undefined) return null;
      const parts: number[] = [];
      const columns = Array.from({ length: n }, (_, j) =>
        solveLower(
          factor,
          n,
          Float64Array.from({ length: n }, (__, i) => root[i * n + j]),
        ),
      );
      for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) parts.push(i === j ? columns[j][i] ** 2 : columns[j][i]);
      return parts;
    },
  };
};

/** The inverse of a Wishart matrix with the inverse scale. */
const inverseWishart = ({ df, scale }: Params): ScalarSequence => {
  const { data, dims } = scale as Tensor;
  const n = dims[0];
  const inverted = (matrix: Float64Array): Float64Array | undefined => {
    const root = cholesky(matrix, n);
    return root && inverseOf(root, n);
  };
  const sequence = wishart({ df, scale: new Tensor(dims, inverted(data)!) });
  return {
    ...sequence,
    whole: (parts) => new Tensor(dims, inverted((sequence.whole(parts) as Tensor).data)!),
    partsOf(value) {
      const matrix = inverted((value as Tensor).data);
      return matrix === undefined ? null : sequence.partsOf(new Tensor(dims, matrix));
    },
  };
};

/** Row by row, each element as a share of what the squares of those before it have left. */
const correlations = ({ dim, eta }: Params): ScalarSequence => {
  const n = dim as number;
  const places: [number, number][] = [];
  for (let row = 1; row < n; row++) for (let column = 0; column < row; column++) places.push([row, column]);
  return {
    length: places.length,
    part(i) {
      const shape = (eta as number) + 0.5 * (n - 2 - places[i][1]);
      return Beta({ a: shape, b: shape });
    },
    whole(parts) {
      const l = new Float64Array(n * n);
      l[0] = 1;
      const left = new Float64Array(n).fill(1);
      places.forEach(([row, column], i) => {
        const element = (2 * (parts[i] as number) - 1) * Math.sqrt(left[row]);
        l[row * n + column] = element;
        left[row] = Math.max(0, left[row] - element * element);
      });
      for (let row = 1; row < n; row++) l[row * (n + 1)] = Math.sqrt(left[row]);
      return new Tensor([n, n], l);
    },
    partsOf(value) {
      const { data } = value as Tensor;
      const left = new Float64Array(n).fill(1);
      return places.map(([row, column]) => {
        const element = data[row * n + column];
        const part = 0.5 * (1 + element / Math.sqrt(left[row]));
        left[row] -= element * element;
        return Math.max(0, Math.min(1, part));
      });
    },
  };
};

/** A · B, or A · Bᵀ. */
function product(a: Float64Array, b: Float64Array, n: number, transposed: boolean): Float64Array {
  const result = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += a[i * n + k] * (transposed ? b[j * n + k] : b[k * n + j]);
      result[i * n + j] = sum;
    }
  }
  return result;
}

const SEQUENCES: Readonly<Record<string, (params: Params) => ScalarSequence>> = {
  DiagCovGaussian: diagonal,
  TensorGaussian: ({ mu, sigma, dims }) =>
    independent(dims as number[], sizeOf(dims as number[]), () => Gaussian({ mu, sigma } as never)),
  TensorLaplace: ({ location, scale, dims }) =>
    independent(dims as number[], sizeOf(dims as number[]), () => Laplace({ location, scale } as never)),
  MultivariateGaussian: ({ mu, cov }) =>
    gaussianVector(mu as Tensor, cholesky((cov as Tensor).data, (mu as Tensor).length)!),
  MultivariateGaussianFactor: ({ mu, factor }) => gaussianVector(mu as Tensor, lowerOf(factor as Tensor)),
  MultivariateGaussianPrecision: ({ mu, precision }) => {
    const n = (mu as Tensor).length;
    return gaussianVector(mu as Tensor, cholesky(inverseOf(cholesky((precision as Tensor).data, n)!, n), n)!);
  },
  MultivariateStudentT: studentVector,
  MultivariateBernoulli: ({ ps }) =>
    independent(
      (ps as Tensor).dims,
      (ps as Tensor).length,
      (i) => Bernoulli({ p: (ps as Tensor).data[i] }),
      (parts) => new Tensor((ps as Tensor).dims, Float64Array.from(parts, Number)),
    ),
  Dirichlet: dirichlet,
  LogisticNormal: logisticNormal,
  Multinomial: multinomial,
  DirichletMultinomial: dirichletMultinomial,
  Wishart: wishart,
  InverseWishart: inverseWishart,
  LKJCholesky: correlations,
};

function lowerOf({ data, dims: [n] }: Tensor): Float64Array {
  return data.map((x, at) => (at % n > Math.floor(at / n) ? 0 : x));
}

/** The distribution as a sequence of scalar choices; null for scalars, and for families that have none. */
export function sequenceOf(target: Distribution<unknown>): ScalarSequence | null {
  if (!Object.hasOwn(SEQUENCES, target.name)) return null;
  const sequence = SEQUENCES[target.name](target.params as Params);
  return sequence.length <= LONGEST ? sequence : null;
}

/** Bits are drawn as truth values, and are numbers in their vector. */
export const partValue = (part: Distribution<unknown>, element: number | boolean): unknown =>
  part.name === 'Bernoulli' ? Boolean(element) : element;
