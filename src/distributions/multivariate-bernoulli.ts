import { TooManyValues } from '../runtime/too-many-values.ts';
import { Tensor } from '../tensor/tensor.ts';
import { family } from './family.ts';
import { MOST_OBJECTS } from './listable.ts';
import { elementsOf, probabilityVector } from './parameter.ts';
import { countVectors } from './value-kind.ts';
import { countOf, givenDims } from './value-size.ts';

/** A vector of independent coins, 1 for heads: element i is 1 with probability `ps`[i]. */
export const MultivariateBernoulli = family(
  {
    name: 'MultivariateBernoulli',
    params: { ps: probabilityVector },
    values: countVectors,
    dims: ({ ps }) => givenDims(ps),
    count: ({ ps }) => 2 ** (countOf(ps) ?? 0),
  },
  {
    draw({ ps }, random) {
      const data = new Float64Array(ps.length);
      for (let i = 0; i < data.length; i++) data[i] = random.uniform() < ps.data[i] ? 1 : 0;
      return new Tensor(ps.dims, data);
    },
    score({ ps }, value) {
      const x = elementsOf(value)!;
      if (x.length !== ps.length) return -Infinity;
      let score = 0;
      for (let i = 0; i < x.length; i++) {
        if (x[i] !== 0 && x[i] !== 1) return -Infinity;
        score += x[i] === 1 ? Math.log(ps.data[i]) : Math.log1p(-ps.data[i]);
      }
      return score;
    },
    support({ ps }): readonly Tensor[] {
      const n = ps.length;
      if (2 ** n > 2 * MOST_OBJECTS) throw new TooManyValues('MultivariateBernoulli', `2 to the power ${n}`);
      return Array.from({ length: 2 ** n }, (_, code) => {
        const data = new Float64Array(n);
        for (let i = 0; i < n; i++) data[i] = (code >> i) & 1;
        return new Tensor(ps.dims, data);
      });
    },
    mean: ({ ps }) => ps,
    variance: ({ ps }) =>
      new Tensor(
        ps.dims,
        ps.data.map((p) => p * (1 - p)),
      ),
    entropy({ ps }) {
      let entropy = 0;
      for (const p of ps.data) if (p > 0 && p < 1) entropy -= p * Math.log(p) + (1 - p) * Math.log1p(-p);
      return entropy;
    },
  },
);
