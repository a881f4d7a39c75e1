import { log1mExp, logit, sigmoid, softplus } from '../tensor/special/exponentials.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { listedQuantile } from './closed-forms/listed-cdf.ts';
import { family } from './family.ts';
import { real, realVector } from './parameter.ts';
import { wholeNumbers } from './value-kind.ts';
import { countOf } from './value-size.ts';

/**
 * A grade from 0 to the number of `cutpoints`: between which of them a logistic variable about `eta` falls. The cutpoints ascend.
 */
export const OrderedLogistic = family(
  {
    name: 'OrderedLogistic',
    params: { eta: real, cutpoints: realVector },
    values: wholeNumbers,
    count: ({ cutpoints }) => countOf(cutpoints, 1),
  },
  {
    check({ cutpoints }) {
      const at = cutpoints.data.findIndex((cut, i) => i > 0 && cut <= cutpoints.data[i - 1]);
      if (at < 0) return undefined;
      return `cutpoints must ascend, got ${cutpoints.data[at]} after ${cutpoints.data[at - 1]} at index ${at}`;
    },
    draw({ eta, cutpoints }, random) {
      const x = eta + logit(random.uniform());
      let grade = 0;
      while (grade < cutpoints.length && x > cutpoints.data[grade]) grade++;
      return grade;
    },
    score: ({ eta, cutpoints }, k) => scoreOf(eta, cutpoints, k),
    support: ({ cutpoints }): readonly number[] => Array.from({ length: cutpoints.length + 1 }, (_, k) => k),
    mean: ({ eta, cutpoints }) => sumBeyond(eta, cutpoints, () => 1),
    variance: ({ eta, cutpoints }) =>
      sumBeyond(eta, cutpoints, (k) => 2 * k + 1) - sumBeyond(eta, cutpoints, () => 1) ** 2,
    cdf({ eta, cutpoints }, x) {
      if (x < 0) return 0;
      return x >= cutpoints.length ? 1 : sigmoid(cutpoints.data[Math.floor(x)] - eta);
    },
    quantile: ({ eta, cutpoints }, p) => listedQuantile(cutpoints.length, (k) => scoreOf(eta, cutpoints, k), p),
  },
);

/** log(σ(b) − σ(a)) = log σ(b) + log σ(−a) + log(1 − exp(a − b)), which keeps its digits. */
function scoreOf(eta: number, { data }: Tensor, k: number): number {
  if (k < 0 || k > data.length) return -Infinity;
  const below = k === 0 ? 0 : softplus(data[k - 1] - eta);
  const above = k === data.length ? 0 : softplus(eta - data[k]);
  return -below - above + (k === 0 || k === data.length ? 0 : log1mExp(data[k - 1] - data[k]));
}

/** The sum over grades of the probability of a higher one, weighted: with weights 1 it is the mean, with 2k + 1 that of squares. */
function sumBeyond(eta: number, { data }: Tensor, weight: (k: number) => number): number {
  return data.reduce((sum, cut, k) => sum + weight(k) * sigmoid(eta - cut), 0);
}
