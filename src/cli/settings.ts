/** Options that several commands share. */
import type { Engine } from '../runtime/machine.ts';
import { flag, number, oneOf, type Settings } from './arguments.ts';

const MOST_THREADS = 1024;

export const engineOptions = {
  sequential: flag('run executions one after the other, never as lanes'),
  device: oneOf('device', ['js', 'wasm', 'blas'], 'where tensors are computed'),
  threads: number(
    'threads',
    `a whole number from 1 to ${MOST_THREADS}`,
    (n) => Number.isInteger(n) && n >= 1 && n <= MOST_THREADS,
    'how many threads the engine may use',
  ),
  precision: oneOf('precision', ['single', 'double'], 'what networks compute in while they are trained'),
  'explain-batching': flag(
    'say which data, samples and particles run side by side, which steps are compiled, and why not the others',
  ),
  'explain-guides': flag('say what guides each choice of an optimisation, and how its gradient is estimated'),
};

export const commonOptions = {
  quiet: flag('no progress and no advice on stderr'),
  help: flag('show this help'),
};

/** The engine as the options ask for it. */
export function engineOf(settings: Settings<typeof engineOptions>): Engine {
  const {
    sequential,
    device,
    threads,
    precision,
    'explain-guides': explainGuides,
    'explain-batching': explainBatching,
  } = settings;
  return { sequential, device, threads, precision, explainGuides, explainBatching };
}

/** Seeds are below this, so that a seed can be read back from any text. */
const SEEDS = 2 ** 32;

/** A seed for a run whose user gave none. */
export function randomSeed(): number {
  return Math.floor(Math.random() * SEEDS);
}
