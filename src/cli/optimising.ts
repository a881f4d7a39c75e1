/** When V8 optimises WebAssembly: as soon as it likes, but for modules that say otherwise. */
import { setFlagsFromString } from 'node:v8';
import { optimising } from '../tensor/wasm/host.ts';

/** Bytes of a function's code that are executed before V8 optimises it; this is what V8 does on its own. */
const SOON = 1_800_000;

/** Sets a flag for as long as `work` takes. */
function during<R>(flag: string, usual: string, work: () => R): R {
  setFlagsFromString(flag);
  try {
    return work();
  } finally {
    setFlagsFromString(usual);
  }
}

// V8 looks at the setting when a module is made.
const budget = (bytes: number): string => `--wasm-tiering-budget=${bytes}`;
optimising.after = (bytes, make) => during(budget(bytes), budget(SOON), make);

// Functions are compiled when they are first called.
optimising.now = (run) => during('--no-liftoff', '--liftoff', run);

// Otherwise V8 finds every field anew until a function has been called some eight times.
optimising.learning = (run) => during('--no-lazy-feedback-allocation', '--lazy-feedback-allocation', run);
