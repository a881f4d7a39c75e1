/**
 * `Math.random` while a program runs: drawn from the seed of the run, so that a program which uses it, or a module of the
 * host that does, gives the same results again. It is no choice, and inference knows nothing of it.
 */
import { during, machine } from '../runtime/machine.ts';
import { RandomStream } from '../runtime/random.ts';

const original = Math.random;

function seeded(): number {
  return machine.hostRandom === null ? original() : machine.hostRandom.begin().uniform();
}

/** Runs a program with its own `Math.random`. */
export function withHostRandom<R>(seed: number, work: () => R): R {
  return during({ hostRandom: RandomStream.fromSeed(seed).named('Math.random') }, () => loadWithHostRandom(work));
}

/** Loads a module that keeps `Math.random` as it finds it, so that it finds one that belongs to the run that is going on. */
export function loadWithHostRandom<R>(load: () => R): R {
  const { random } = Math;
  Math.random = seeded;
  try {
    return load();
  } finally {
    Math.random = random;
  }
}

/** Whether what a module draws comes from the seed of a run: not if the module was loaded before there was one. */
export function followsSeed(draw: () => number): boolean {
  const drawn = (): number => during({ hostRandom: RandomStream.fromSeed(0) }, draw);
  const [first, second] = [drawn(), drawn()];
  return first === second;
}
