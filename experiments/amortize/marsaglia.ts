// A normal mean, drawn by Marsaglia's polar method: a loop that rejects points outside of the unit disc.
import { Amortize, Gaussian, observe, uniform } from 'waymark';
import { checkpoint, given } from './trained.ts';

interface Problem {
  readonly name: string;
  readonly mean: number;
  readonly sd: number;
  /** Of each of two observations. */
  readonly noise: number;
  readonly seen: readonly number[];
}

const PROBLEMS: readonly Problem[] = [
  { name: 'N(1, 5), seen 8 and 9', mean: 1, sd: Math.sqrt(5), noise: Math.sqrt(2), seen: [8, 9] },
  { name: 'N(0, 1), seen 0 and 0', mean: 0, sd: 1, noise: 0.1, seen: [0, 0] },
  { name: 'N(0, 1), seen −1 and −1', mean: 0, sd: 1, noise: 0.1, seen: [-1, -1] },
];

const normal = (mean: number, sd: number): number => {
  while (true) {
    const x = uniform(-1, 1);
    const y = uniform(-1, 1);
    const s = x * x + y * y;
    if (s < 1) return mean + sd * x * Math.sqrt((-2 * Math.log(s)) / s);
  }
};

/** The log of the density of two observations: their sum and their difference are independent. */
function logEvidence({ mean, sd, noise, seen }: Problem): number {
  const [a, b] = seen;
  const log = (x: number, variance: number): number => -0.5 * (Math.log(2 * Math.PI * variance) + (x * x) / variance);
  return log((a + b - 2 * mean) / Math.SQRT2, 2 * sd * sd + noise * noise) + log((a - b) / Math.SQRT2, noise * noise);
}

const problem = PROBLEMS[given('problem')];
const { name, mean, sd, noise, seen } = problem;

const model = (data: readonly number[]): number => {
  const mu = normal(mean, sd);
  observe(Gaussian({ mu, sigma: noise }), data[0]);
  observe(Gaussian({ mu, sigma: noise }), data[1]);
  return mu;
};

const net = Amortize(model, { example: seen, stepSize: 0.005, steps: given('steps'), checkpoint: checkpoint() });
const samples = given('samples');
const posterior = net.posterior(seen, { samples });
const { ess, khat } = posterior.diagnostics;

export default {
  name,
  samples,
  ess: ess / samples,
  khat,
  /** Over the exact one, and the standard error of that. */
  evidence: Math.exp((posterior.logZ ?? Number.NaN) - logEvidence(problem)),
  error: Math.sqrt((samples / ess - 1) / samples),
};
