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
};

export const commonOptions = {
  quiet: flag('no progress and no advice on stderr'),
  help: flag('show this help'),
};

/** The engine as the options ask for it. */
export function engineOf({ sequential, device, threads }: Settings<typeof engineOptions>): Engine {
  return { sequential, device, threads };
}

/** Seeds are below this, so that a seed can be read back from any text. */
const SEEDS = 2 ** 32;

/** A seed for a run whose user gave none. */
export function randomSeed(): number {
  return Math.floor(Math.random() * SEEDS);
}
