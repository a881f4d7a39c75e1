import { digamma, logGamma } from '../tensor/special/gamma.ts';
import { vector } from '../tensor/tensor.ts';
import { drawLogGamma } from './draws/gamma.ts';
import { totalOf } from './draws/weights.ts';
import { family } from './family.ts';
import { elementsOf, positiveVector } from './parameter.ts';
import { isOnSimplex, simplexFromLogs } from './simplex.ts';
import { probabilityVectors } from './value-kind.ts';
import { columnLike } from './value-size.ts';

/** A vector of probabilities, as believed after `alpha` − 1 observations of each outcome. */
export const Dirichlet = family(
  {
    name: 'Dirichlet',
    params: { alpha: positiveVector },
    values: probabilityVectors,
    dims: ({ alpha }) => columnLike(alpha),
  },
  {
    draw({ alpha }, random) {
      const logs = new Float64Array(alpha.length);
      for (let i = 0; i < logs.length; i++) logs[i] = drawLogGamma(alpha.data[i], random);
      return simplexFromLogs(logs);
    },
    score({ alpha }, value) {
      const x = elementsOf(value)!;
      const n = alpha.length;
      if (x.length !== n || !isOnSimplex(x)) return -Infinity;
      let sum = 0;
      let score = 0;
      for (let i = 0; i < n; i++) {
        const a = alpha.data[i];
        sum += a;
        score += (a - 1) * Math.log(x[i]) - logGamma(a);
      }
      return score + logGamma(sum);
    },
    mean({ alpha }) {
      const total = totalOf(alpha.data);
      return vector(alpha.data.map((a) => a / total));
    },
    variance({ alpha }) {
      const total = totalOf(alpha.data);
      return vector(alpha.data.map((a) => (a * (total - a)) / (total * total * (total + 1))));
    },
    entropy({ alpha }) {
      const total = totalOf(alpha.data);
      let entropy = (total - alpha.length) * digamma(total) - logGamma(total);
      for (let i = 0; i < alpha.length; i++) {
        const a = alpha.data[i];
        entropy += logGamma(a) - (a - 1) * digamma(a);
      }
      return entropy;
    },
  },
);
