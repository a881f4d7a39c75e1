/** Small models whose posteriors are known by other means than inference. */
import { Bernoulli } from '../../src/distributions/bernoulli.ts';
import { Gaussian } from '../../src/distributions/gaussian.ts';
import { Marginal } from '../../src/distributions/marginal.ts';
import { condition, factor, observe, sample, sampleWithFactor } from '../../src/runtime/primitives.ts';

export const flip = (p = 0.5): boolean => sample(Bernoulli({ p }));

/** Values with weights, which need not be normalised. */
export const weighted = <V>(...entries: [V, number][]): Marginal<V> =>
  Marginal.fromScores(entries.map(([value, weight]) => ({ value, score: Math.log(weight) })));

export const die = (sides: number): number =>
  sample(weighted(...Array.from({ length: sides }, (_, i): [number, number] => [i + 1, 1])));

export interface DiscreteModel {
  readonly name: string;
  readonly model: () => unknown;
  /** Posterior probability of each value. */
  readonly posterior: readonly [unknown, number][];
  /** Log of the evidence. */
  readonly logZ: number;
}

const EMISSION = 0.8;
const STAY = 0.7;
const SEEN = [true, true, false, true];

function hiddenMarkov(): boolean {
  let state = true;
  for (const seen of SEEN) {
    state = flip(state ? STAY : 1 - STAY);
    observe(Bernoulli({ p: state ? EMISSION : 1 - EMISSION }), seen);
  }
  return state;
}

/** The forward algorithm. */
function hiddenMarkovWeights(): [number, number] {
  let [on, off] = [1, 0];
  for (const seen of SEEN) {
    const like = seen ? EMISSION : 1 - EMISSION;
    [on, off] = [(on * STAY + off * (1 - STAY)) * like, (on * (1 - STAY) + off * STAY) * (1 - like)];
  }
  return [on, off];
}

const [on, off] = hiddenMarkovWeights();

/** All factors of these models are at most 0. */
export const discreteModels: readonly DiscreteModel[] = [
  {
    name: 'a biased coin',
    model: () => flip(0.3),
    posterior: [
      [true, 0.3],
      [false, 0.7],
    ],
    logZ: 0,
  },
  {
    name: 'two coins, at least one of them heads',
    model: () => {
      const [a, b] = [flip(), flip()];
      condition(a || b);
      return a;
    },
    posterior: [
      [true, 2 / 3],
      [false, 1 / 3],
    ],
    logZ: Math.log(3 / 4),
  },
  {
    name: 'a soft factor',
    model: () => {
      const a = flip(0.4);
      factor(a ? -1 : -0.5);
      return a ? 'yes' : 'no';
    },
    posterior: [
      ['yes', (0.4 * Math.exp(-1)) / (0.4 * Math.exp(-1) + 0.6 * Math.exp(-0.5))],
      ['no', (0.6 * Math.exp(-0.5)) / (0.4 * Math.exp(-1) + 0.6 * Math.exp(-0.5))],
    ],
    logZ: Math.log(0.4 * Math.exp(-1) + 0.6 * Math.exp(-0.5)),
  },
  {
    name: 'the sum of two dice, when it is at least 10',
    model: () => {
      const sum = die(6) + die(6);
      condition(sum >= 10);
      return sum;
    },
    posterior: [
      [10, 3 / 6],
      [11, 2 / 6],
      [12, 1 / 6],
    ],
    logZ: Math.log(6 / 36),
  },
  {
    name: 'the last state of a hidden Markov model',
    model: hiddenMarkov,
    posterior: [
      [true, on / (on + off)],
      [false, off / (on + off)],
    ],
    logZ: Math.log(on + off),
  },
  {
    name: 'recursion with a choice of whether to go on',
    model: () => {
      const count = (left: number): number => (left > 0 && flip(0.25) ? 1 + count(left - 1) : 0);
      return count(3);
    },
    posterior: [
      [3, 0.25 ** 3],
      [2, 0.25 ** 2 * 0.75],
      [1, 0.25 * 0.75],
      [0, 0.75],
    ],
    logZ: 0,
  },
  {
    name: 'values that are objects',
    model: () => {
      const [a, b] = [flip(0.2), flip(0.6)];
      return { count: (a ? 1 : 0) + (b ? 1 : 0), equal: [a === b] };
    },
    posterior: [
      [{ count: 2, equal: [true] }, 0.12],
      [{ count: 1, equal: [false] }, 0.08 + 0.48],
      [{ count: 0, equal: [true] }, 0.32],
    ],
    logZ: 0,
  },
  {
    name: 'a choice weighted by sampleWithFactor',
    model: () => sampleWithFactor(weighted(['a', 1], ['b', 2], ['c', 1]), (value) => (value === 'b' ? -2 : -1)),
    posterior: [
      ['a', Math.exp(-1) / (2 * Math.exp(-1) + 2 * Math.exp(-2))],
      ['b', (2 * Math.exp(-2)) / (2 * Math.exp(-1) + 2 * Math.exp(-2))],
      ['c', Math.exp(-1) / (2 * Math.exp(-1) + 2 * Math.exp(-2))],
    ],
    logZ: Math.log((2 * Math.exp(-1) + 2 * Math.exp(-2)) / 4),
  },
  {
    name: 'sampleWithFactor whose score makes choices itself',
    model: () => sampleWithFactor(Bernoulli({ p: 0.5 }), (value) => (flip(0.3) ? (value ? 0 : -1) : -2)),
    posterior: [
      [true, (0.3 + 0.7 * Math.exp(-2)) / (0.3 + 0.3 * Math.exp(-1) + 1.4 * Math.exp(-2))],
      [false, (0.3 * Math.exp(-1) + 0.7 * Math.exp(-2)) / (0.3 + 0.3 * Math.exp(-1) + 1.4 * Math.exp(-2))],
    ],
    logZ: Math.log((0.3 + 0.3 * Math.exp(-1) + 1.4 * Math.exp(-2)) / 2),
  },
];

/** A Gaussian mean with a Gaussian prior, observed twice with unit noise: conjugate. Its density is below 1. */
export const gaussianMean = {
  model: (): number => {
    const mu = sample(Gaussian({ mu: 0, sigma: 1 }));
    observe(Gaussian({ mu, sigma: 1 }), 0.9);
    observe(Gaussian({ mu, sigma: 1 }), 1.5);
    return mu;
  },
  mean: 0.8,
  variance: 1 / 3,
  logZ: Gaussian({ mu: 0, sigma: Math.sqrt(2) }).score(0.9) + Gaussian({ mu: 0.45, sigma: Math.sqrt(1.5) }).score(1.5),
};
