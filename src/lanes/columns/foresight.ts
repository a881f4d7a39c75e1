/** What executions side by side will need, as far as the text of a program tells: it is made ready before the program runs. */
import { MANY_DRAWS } from './kernel-calls.ts';
import { prepareKernels } from './kernel-memory.ts';

/** From so many on they usually run side by side. */
const SAMPLES = 10_000;
const PARTICLES = 16;

/** A guess of how many alike choices a particle makes. */
export const USUAL_DRAWS = 8;

/** Loops that are called for names of the library. */
const LOOPS: Readonly<Record<string, readonly string[]>> = {
  normals: ['gaussian', 'Gaussian'],
  flips: ['flip', 'bernoulli', 'Bernoulli'],
  uniforms: [
    'uniform',
    'Uniform',
    'randomInteger',
    'RandomInteger',
    'discrete',
    'Discrete',
    'categorical',
    'Categorical',
  ],
};

/** Loops that go over all executions where some are given up. */
const GIVING_UP = ['add', 'finiteness', 'most', 'partition', 'consecutive', 'gatherWords'];

/** Makes ready what a program will need that uses these names of the library, and has such numbers written down as options of inferences. */
export function foresee(
  names: ReadonlySet<string>,
  { samples = 0, particles = 0 }: Readonly<Record<string, number>>,
): void {
  if (samples < SAMPLES && particles < PARTICLES) return;
  const draws = Math.max(samples, USUAL_DRAWS * particles);
  const drawing = Object.keys(LOOPS).filter((loop) => LOOPS[loop].some((name) => names.has(name)));
  const ofSamples = samples < MANY_DRAWS ? [] : ['keys', ...(names.has('condition') ? GIVING_UP : [])];
  prepareKernels(draws < MANY_DRAWS ? [] : [...drawing, ...ofSamples]);
}
