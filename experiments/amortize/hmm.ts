// A hidden Markov model of three states, with the observations that inference compilation was tried on.
import { Amortize, Discrete, Gaussian, observe, sample, withSeed } from 'waymark';
import { checkpoint, given } from './trained.ts';

const INITIAL = [1 / 3, 1 / 3, 1 / 3];
const TRANSITION = [
  [0.1, 0.5, 0.4],
  [0.2, 0.2, 0.6],
  [0.15, 0.15, 0.7],
];
const MEANS = [-1, 1, 0];
const SEEN = [0.9, 0.8, 0.7, 0, -0.025, 5, 2, 0.1, 0, 0.13, 0.45, 6, 0.2, 0.3, -1, -1];

const model = (seen: readonly number[]): number[] => {
  const states: number[] = [];
  let ps = INITIAL;
  for (let t = 0; t < seen.length; t++) {
    const state = sample(Discrete({ ps }));
    observe(Gaussian({ mu: MEANS[state], sigma: 1 }), seen[t]);
    states.push(state);
    ps = TRANSITION[state];
  }
  return states;
};

/** Exact marginals of the states, and the log of the evidence: forwards and backwards. */
function exact(seen: readonly number[]): { marginals: number[][]; logEvidence: number } {
  const likelihoods = seen.map((y) => MEANS.map((mu) => Math.exp(-0.5 * (y - mu) ** 2) / Math.sqrt(2 * Math.PI)));
  const scaled = (ps: number[]): [number[], number] => {
    const total = ps.reduce((sum, p) => sum + p, 0);
    return [ps.map((p) => p / total), total];
  };
  const forwards: number[][] = [];
  let logEvidence = 0;
  for (const [t, ls] of likelihoods.entries()) {
    const before =
      t === 0 ? INITIAL : MEANS.map((_, to) => forwards[t - 1].reduce((sum, p, s) => sum + p * TRANSITION[s][to], 0));
    const [ps, total] = scaled(before.map((p, s) => p * ls[s]));
    forwards.push(ps);
    logEvidence += Math.log(total);
  }
  const marginals: number[][] = [];
  let backwards = [1, 1, 1];
  for (let t = seen.length - 1; t >= 0; t--) {
    marginals[t] = scaled(forwards[t].map((p, s) => p * backwards[s]))[0];
    backwards = scaled(
      TRANSITION.map((row) => row.reduce((sum, p, to) => sum + p * likelihoods[t][to] * backwards[to], 0)),
    )[0];
  }
  return { marginals, logEvidence };
}

interface Weighted {
  readonly value: readonly number[];
  readonly score?: number;
}

/** The mean distance of estimated marginals from the exact ones, over the times. */
function distance(samples: readonly Weighted[], marginals: readonly (readonly number[])[]): number {
  const largest = samples.reduce((most, { score = 0 }) => Math.max(most, score), -Infinity);
  const weights = samples.map(({ score = 0 }) => Math.exp(score - largest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const found = SEEN.map((_, t) =>
    MEANS.map((__, s) => samples.reduce((sum, { value }, i) => sum + (value[t] === s ? weights[i] : 0), 0)),
  );
  const distances = found.map((ps, t) => Math.hypot(...ps.map((p, s) => p / total - marginals[t][s])));
  return distances.reduce((sum, one) => sum + one, 0) / distances.length;
}

const REPEATS = 5;

const net = Amortize(model, { example: SEEN, stepSize: 0.005, steps: given('steps'), checkpoint: checkpoint() });
const { marginals, logEvidence } = exact(SEEN);
const samples = given('samples');
const runs = Array.from({ length: REPEATS }, (_, i) =>
  withSeed(100 + i, () => {
    const posterior = net.posterior(SEEN, { samples });
    const { ess, khat } = posterior.diagnostics;
    return {
      ess: ess / samples,
      khat,
      distance: distance(posterior.samples, marginals),
      evidenceError: Math.abs(Math.expm1((posterior.logZ ?? Number.NaN) - logEvidence)),
    };
  }),
);

export default { samples, runs };
