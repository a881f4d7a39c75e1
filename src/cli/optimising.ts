/** When V8 optimises WebAssembly: as soon as it likes, but for modules that say otherwise. */
import { setFlagsFromString } from 'node:v8';
import { optimising } from '../tensor/wasm/host.ts';
import { budget, USUAL } from './wasm-budget.ts';

interface Setting {
  readonly flag: string;
  readonly usual: string;
}

/** What is set now, and not as usual. */
const settings: Setting[] = [];

/** Sets a flag for as long as `work` takes. */
export function during<R>(flag: string, usual: string, work: () => R): R {
  setFlagsFromString(flag);
  settings.push({ flag, usual });
  try {
    return work();
  } finally {
    settings.pop();
    setFlagsFromString(usual);
  }
}

/** Has all flags as usual for as long as `work` takes: V8 takes up code only under the flags it was kept under. */
export function asUsual<R>(work: () => R): R {
  for (const { usual } of settings) setFlagsFromString(usual);
  try {
    return work();
  } finally {
    for (const { flag } of settings) setFlagsFromString(flag);
  }
}

optimising.after = (bytes, make) => during(budget(bytes), budget(USUAL), make);

/** From this version on V8 inlines by what it has seen of calls, and ends the process if its first compiler saw none. */
const INLINES = 13;
const inlines = Number.parseInt(process.versions.v8, 10) >= INLINES;

/** Has WebAssembly that `work` compiles optimised at once. Without its first compiler V8 would also count no calls, then and later. */
export const atOnce = <R>(work: () => R): R =>
  during(
    `--no-liftoff${inlines ? ' --no-wasm-inlining' : ''}`,
    `--liftoff --wasm-dynamic-tiering${inlines ? ' --wasm-inlining' : ''}`,
    work,
  );

// Functions are compiled when they are first called.
optimising.now = atOnce;

// Otherwise V8 finds every field anew until a function has been called some eight times.
optimising.learning = (run) => during('--no-lazy-feedback-allocation', '--lazy-feedback-allocation', run);
