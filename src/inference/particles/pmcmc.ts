import { SampleBasedMarginal } from '../../distributions/marginal.ts';
import { Entry } from '../../runtime/execution.ts';
import type { RandomStream } from '../../runtime/random.ts';
import type { Algorithm, Model, Posterior } from '../algorithm.ts';
import { type Callbacks, callbacks } from '../callbacks.ts';
import { KeptSamples } from '../kept-samples.ts';
import type { SampledResult } from '../method-types.ts';
import { count, withDefault } from '../options.ts';
import { IterationCount } from '../progress.ts';
import type { Particle } from './particle.ts';
import { Continuation, Population } from './reference.ts';
import { isDue, multinomial, normalise, pick, sumOfSquares, systematic } from './resampling.ts';

export interface PMCMCOptions {
  /** Particles of a sweep, besides the one retained from the sweep before. */
  particles: number;
  /** Sweeps that give samples, after the first, which finds a particle to retain. */
  sweeps: number;
  callbacks: readonly Callbacks[];
}

/**
 * Particle Gibbs (Andrieu, Doucet & Holenstein 2010): a Markov chain whose step is a sweep of SMC in which one
 * particle, retained from the sweep before, is sure to survive. A sweep gives `particles + 1` samples.
 */
export const pmcmc: Algorithm<PMCMCOptions, SampledResult> = {
  name: 'PMCMC',

  options: { particles: withDefault(count(1), 100), sweeps: withDefault(count(1), 10), callbacks },

  run<T>(model: Model<T>, { particles: size, sweeps, callbacks }: PMCMCOptions): Posterior<T> {
    const entry = new Entry();
    const continuation = new Continuation(entry, model, null);
    const kept = new KeptSamples<T>(callbacks);
    const progress = new IterationCount('PMCMC', sweeps + 1, Math.ceil(4096 / size));
    const shares = new Float64Array(size + 1);
    let retained: Particle<T>[] = [];
    try {
      for (let s = 0; s <= sweeps; s++) {
        const random = entry.streamOf(s);
        const { particles } = sweep(continuation, size + 1, retained, random, shares, progress.within);
        if (s > 0) {
          const copies = systematic(shares, size + 1, random.begin());
          copies.forEach((times, i) => {
            for (let k = 0; k < times; k++) kept.add({ value: particles[i].value as T });
          });
        }
        retained = [particles[pick(shares, random.begin())]];
        progress.step();
      }
    } finally {
      progress.finish();
    }
    kept.finish();
    return new SampleBasedMarginal(kept.samples);
  },
};

/** Runs a population to its end; when it is resampled, retained particles stay. Leaves its weights in `shares`. */
function sweep<T>(
  continuation: Continuation<T>,
  size: number,
  retained: readonly Particle<T>[],
  random: RandomStream,
  shares: Float64Array,
  within: () => void,
): Population<T> {
  const occurrence = random.occurrence();
  const population = new Population(size, continuation, (i) => random.child(occurrence, i), null, retained);
  const free = size - retained.length;
  const { logWeights } = population;
  while (population.advance(within)) {
    if (normalise(logWeights, shares) === -Infinity) population.fail(nothingPossible(size, population.factors));
    if (!isDue(1 / sumOfSquares(shares), size, shares, population.hasEnded)) continue;
    const children = multinomial(shares, free, random.begin());
    for (let i = free; i < size; i++) children[i]++;
    population.replace(children);
  }
  normalise(logWeights, shares);
  return population;
}

function nothingPossible(size: number, factor: number): string {
  return (
    `PMCMC lost all of its ${size} particles at factor ${factor}: here, the last of them met a factor of -Infinity ` +
    'or a condition that fails. Use more particles, or soften the condition (observe a distribution around the ' +
    'value, or factor with a finite score).'
  );
}
