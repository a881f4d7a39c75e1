/**
 * `Math.random` while a program runs: drawn from the seed of the run, so that a program which uses it, or a module of the
 * host that does, gives the same results again. It is no choice, and inference knows nothing of it.
 */
import { RandomStream } from '../runtime/random.ts';

const original = Math.random;
let stream: RandomStream | null = null;

function seeded(): number {
  return stream === null ? original() : stream.begin().uniform();
}

/** Runs a program with its own `Math.random`. */
export function withHostRandom<R>(seed: number, work: () => R): R {
  const { random } = Math;
  const outer = stream;
  stream = RandomStream.fromSeed(seed).named('Math.random');
  Math.random = seeded;
  try {
    return work();
  } finally {
    Math.random = random;
    stream = outer;
  }
}

/** Loads a module that keeps `Math.random` as it finds it, so that it finds one that belongs to whatever run is going on. */
export function loadWithHostRandom<R>(load: () => R): R {
  const { random } = Math;
  Math.random = seeded;
  try {
    return load();
  } finally {
    Math.random = random;
  }
}
